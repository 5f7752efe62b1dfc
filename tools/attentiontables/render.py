"""The table as a Python module: what stays the same over releases stands once."""

from __future__ import annotations

import pprint
import textwrap
import typing as t
from pathlib import Path

TARGET = Path(__file__).parents[2] / "plugins" / "module_utils" / "_fit" / "attention_data.py"
HEAD = '''"""What the attention backends of each release can serve, on CUDA; made by tools/attention_backends.py. Data only.

Taken from ``validate_configuration`` and the methods that it asks (vllm/v1/attention/backends, {first} to {last}), one
release of each minor. What depends on more than is asked here counts as served.
"""

from __future__ import annotations

import typing as t

# Backend: rows of (first minor, last minor, MLA, sparse, head sizes, number formats, block sizes, GPUs). Head sizes are
# (smallest, largest) in steps of 8, or a list; block sizes are what a block must be a multiple of, one of them; GPUs are
# rows of (compute capabilities, attention sinks, formats of the cache).
# fmt: off
BACKENDS: dict[str, tuple[tuple[t.Any, ...], ...]] = '''


MIDDLE = """
# Whether MLA: rows of (first minor, last minor, compute capabilities, backends that vLLM tries, in its order).
CANDIDATES: dict[bool, tuple[tuple[tuple[int, int], tuple[int, int], tuple[int, ...], str], ...]] = """

Releases = t.Mapping[tuple[int, ...], t.Mapping[t.Any, t.Any]]


def write(found: Releases, tried: Releases) -> None:
    """Fold and write."""
    backends = _folded(
        {each: {name: _row(facts) for name, facts in of.items()} for each, of in found.items()}
    )
    rows: dict[bool, list[t.Any]] = {False: [], True: []}
    for (mla, names), spans in _folded({each: _by_names(of) for each, of in tried.items()}).items():
        rows[mla] += [(first, last, gpus, " ".join(names)) for first, last, gpus in spans]
    ends = [".".join(map(str, each)) for each in found]
    head = HEAD.format(first=ends[0], last=ends[-1])
    text = f"{head}{_shown(backends)}\n{MIDDLE}{_shown({key: sorted(each) for key, each in rows.items()})}\n"
    TARGET.write_text(f"{text}# fmt: on\n", encoding="utf-8")


def _shown(value: t.Mapping[t.Any, t.Iterable[t.Any]]) -> str:
    text = pprint.pformat({key: tuple(each) for key, each in value.items()}, width=115, compact=True)
    return "{\n" + textwrap.indent(f" {text[1:]}", "   ")


def _folded(releases: Releases) -> dict[t.Any, list[tuple[t.Any, ...]]]:
    """Rows of (first minor, last minor, what holds in them)."""
    rows: dict[t.Any, list[tuple[t.Any, ...]]] = {}
    for release, of in releases.items():
        minor = release[:2]
        for name, facts in of.items():
            row = facts if isinstance(facts, tuple) and facts and isinstance(facts[0], bool) else (facts,)
            own = rows.setdefault(name, [])
            if own and own[-1][2:] == row and own[-1][1] == _before(minor, releases):
                own[-1] = (own[-1][0], minor, *row)
            else:
                own.append((minor, minor, *row))
    return rows


def _by_names(tried: t.Mapping[t.Any, tuple[str, ...]]) -> dict[t.Any, tuple[int, ...]]:
    found: dict[t.Any, list[int]] = {}
    for (mla, capability), names in tried.items():
        found.setdefault((mla, names), []).append(capability)
    return {key: tuple(each) for key, each in found.items()}


def _before(minor: tuple[int, ...], found: t.Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    return max((each[:2] for each in found if each[:2] < minor), default=None)


def _row(facts: t.Mapping[str, t.Any]) -> tuple[t.Any, ...]:
    gpus: dict[tuple[bool, tuple[str, ...]], list[int]] = {}
    for capability, answer in facts["gpus"].items():
        gpus.setdefault(answer, []).append(capability[0] * 10 + capability[1])
    listed = tuple((tuple(where), sink, " ".join(caches)) for (sink, caches), where in gpus.items())
    heads = _span(facts["heads"])
    return facts["mla"], facts["sparse"], heads, " ".join(facts["dtypes"]), facts["blocks"], listed


def _span(heads: tuple[int, ...]) -> t.Any:
    if heads and heads == tuple(range(heads[0], heads[-1] + 1, 8)) and len(heads) > 4:
        return (heads[0], heads[-1])
    return list(heads)
