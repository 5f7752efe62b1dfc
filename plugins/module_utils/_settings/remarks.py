"""What vLLM takes from a command line without doing what it says."""

from __future__ import annotations

import collections
import typing as t

from .problem import Problem

if t.TYPE_CHECKING:
    from .parsed import Parsed
    from .tables import Table


def remarks_on(
    words: t.Sequence[str], parsed: Parsed, table: Table, files: t.Mapping[str, t.Any], serve: bool
) -> list[Problem]:
    """Everything worth saying about a line that was read."""
    return [
        *_config(words, parsed, files, serve, table),
        *_repeated(parsed, table),
        *_dotted(parsed, table),
        *_ignored_keys(parsed, table),
        *_texts(parsed, table),
        *_deprecated(parsed, table),
        *_model(parsed, serve),
    ]


def _config(
    words: t.Sequence[str], parsed: Parsed, files: t.Mapping[str, t.Any], serve: bool, table: Table
) -> t.Iterator[Problem]:
    path = parsed.values.get("config")
    if path is not None:
        yield Problem(
            "config_not_read", "is never read when it is written with `=`", "config", path, word="--config="
        )
    path = "".join(words[words.index("--config") + 1 :][:1]) if "--config" in words else ""
    content = files.get(path)
    if not isinstance(content, dict):
        return
    kept = not serve and table.release >= (0, 28, 0)
    for key, value in content.items():
        if value is False and not kept:
            name = str(key).replace("-", "_")
            yield Problem(
                "false_dropped", "is dropped when it is false in a --config file", name, False, word=str(key)
            )


def _repeated(parsed: Parsed, table: Table) -> t.Iterator[Problem]:
    counts = collections.Counter(dest for dest, _name in parsed.order)
    for dest, count in counts.items():
        if count > 1 and table.options[dest].action != "append" and not _replaced(parsed, table, dest):
            value = parsed.values.get(dest)
            said = f"is given {count} times, and only the last counts"
            yield Problem("repeated_option", said, dest, value, fix="give it once")


def _replaced(parsed: Parsed, table: Table, dest: str) -> bool:
    """Whether the last of the repeats was written with dots."""
    return any(table.by_name.get(name) is table.options[dest] for name in parsed.dotted)


def _dotted(parsed: Parsed, table: Table) -> t.Iterator[Problem]:
    counts = collections.Counter(dest for dest, _name in parsed.order)
    for name, value in parsed.dotted.items():
        option = table.by_name.get(name)
        if option is None:
            continue
        if counts[option.dest] > 1:
            said = "is given as JSON and with dots: the dotted keys replace the JSON, they are not merged"
            yield Problem(
                "dotted_replaces_json", said, option.dest, value, word=name, fix="write all keys in one way"
            )
        if option.type in ("str", "optional str", None):
            said = "takes text, so that keys with dots become the text of a JSON"
            yield Problem("dotted_on_text", said, option.dest, value, word=name)


def _ignored_keys(parsed: Parsed, table: Table) -> t.Iterator[Problem]:
    for dest, value in parsed.values.items():
        name = table.options[dest].json_class
        json_class = table.json_class(name) if name else None
        if json_class is None or json_class.forbids_unknown or not isinstance(value, dict):
            continue
        known = tuple(json_class.fields)
        for key in value:
            if key not in json_class.fields:
                said = f"is no key of {json_class.name}, and this release ignores it"
                yield Problem("ignored_json_key", said, f"{dest}.{key}", value[key], known)


def _texts(parsed: Parsed, table: Table) -> t.Iterator[Problem]:
    for dest, value in parsed.values.items():
        optional = (table.options[dest].type or "").startswith("optional str")
        if optional and isinstance(value, str) and value.lower() == "none" and value != "None":
            yield Problem(
                "text_none", "is the text none; only None with a capital stands for nothing", dest, value
            )


def _deprecated(parsed: Parsed, table: Table) -> t.Iterator[Problem]:
    for dest, value in parsed.values.items():
        if table.options[dest].deprecated:
            yield Problem("deprecated_option", "is deprecated in this release", dest, value)


def _model(parsed: Parsed, serve: bool) -> t.Iterator[Problem]:
    if not serve and parsed.model is not None:
        said = "is ignored by vLLM's API server module, which takes the model from --model"
        yield Problem("ignored_model", said, "model", parsed.model, fix=f"--model {parsed.model}")
