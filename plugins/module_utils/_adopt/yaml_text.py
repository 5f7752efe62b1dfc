"""YAML as people write it by hand, of plain data. A text that Ansible would take for a template is marked."""

from __future__ import annotations

import json
import math
import re
import typing as t

_PLAIN = re.compile(r"[A-Za-z/][\w./@:+-]*(?<!:)", re.ASCII)
_RESERVED = re.compile(r"(?:true|false|yes|no|on|off|null|y|n|~)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[\d.][\d._:eE+-]*|0[xXoO].*|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{|\{%|\{#")
_OURS = re.compile(r"\{\{ vault_\w+ \}\}")
_CONTROL = re.compile("[\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\u2028\u2029\ufeff]")
_SHORT = 72  # a list or mapping that fits stays on one line


def block(value: t.Mapping[str, t.Any], depth: int = 0) -> str:
    """The lines of a mapping."""
    lines = []
    for key, each in value.items():
        indent = "  " * depth
        if isinstance(each, dict) and each and (depth < 2 or len(inline(each)) > _SHORT):
            lines.append(f"{indent}{scalar(str(key))}:\n{block(each, depth + 1)}")
        elif isinstance(each, list) and len(inline(each)) > _SHORT:
            items = "\n".join(f"{indent}  - {inline(item)}" for item in each)
            lines.append(f"{indent}{scalar(str(key))}:\n{items}")
        else:
            lines.append(f"{indent}{scalar(str(key))}: {inline(each)}")
    return "\n".join(lines)


def inline(value: t.Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_in_flow(str(key))}: {_in_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_in_flow(each) for each in value) + "]"
    return scalar(value)


def _in_flow(value: t.Any) -> str:
    """Between brackets a colon inside a word is read in two ways: quoted it is not."""
    if isinstance(value, str) and ":" in value and _PLAIN.fullmatch(value):
        return json.dumps(value)
    return inline(value)


def scalar(value: t.Any) -> str:
    """One value."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and not _RESERVED.fullmatch(text) and not _NUMBER.fullmatch(text):
        return text
    quoted = _CONTROL.sub(_escaped, json.dumps(text, ensure_ascii=False))
    return f"!unsafe {quoted}" if _TEMPLATE.search(text) and not _OURS.fullmatch(text) else quoted


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _float(value: float) -> str:
    """YAML 1.1 wants a point in a number with an exponent."""
    if not math.isfinite(value):
        return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[str(value)]
    text = repr(value)
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    sign = exponent if exponent.startswith(("-", "+")) else f"+{exponent}"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{sign}"
