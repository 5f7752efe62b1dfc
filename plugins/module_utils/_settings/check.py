"""What one vLLM release makes of one server's settings: the core behind vllm_settings, vllm_argv and vllm_plan."""

from __future__ import annotations

import dataclasses
import typing as t

from .argv import render_argv, setting_name
from .case import Case, Gpu
from .finding import Finding, has_errors, in_order
from .inputs import Written, find_option, merged, read_settings, words_of
from .parser import Parsed, parse
from .pasted import Pasted, read_pasted
from .problem import Problem
from .report import Reporter, about_paste, about_version
from .rules import run_rules
from .tables import Chosen, Table, choose
from .upgrade import advise

Settings = t.Mapping[str, t.Any]


@dataclasses.dataclass(frozen=True)
class Checked:
    """The verdict: everything found, the settings as the parser sets them, and the command line we would run."""

    valid: bool
    findings: tuple[Finding, ...]
    settings: dict[str, t.Any]  # what differs from the release's defaults
    written: dict[str, t.Any]  # all that was given, as settings that say the same
    argv: list[str]
    model: str | None
    vllm_version: str
    table_version: str
    case: Case  # what the rules looked at; whoever knows more of model and GPUs goes on from here


@dataclasses.dataclass
class _Read:
    """One reading of the input: values by dest, unknown settings, problems."""

    values: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    unknown: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    problems: list[Problem] = dataclasses.field(default_factory=list)
    remarks: list[Problem] = dataclasses.field(default_factory=list)
    model: str | None = None


def check(
    *,
    vllm_version: str,
    model: str | None = None,
    settings: Settings | None = None,
    argv: str | t.Sequence[t.Any] | None = None,
    env: t.Mapping[str, str] | None = None,
    gpu_facts: t.Sequence[t.Mapping[str, t.Any]] | None = None,
    model_facts: t.Any = None,
    draft_facts: t.Any = None,
    target_version: str | None = None,
    origins: t.Mapping[str, str] | None = None,
    plugin_names: t.Collection[str] = (),
    config_files: t.Mapping[str, t.Any] | None = None,
) -> Checked:
    """Judge settings, or a command line, or settings merged over a command line, by the parser of a release.

    ``origins`` tells where in the inventory each setting was written; ``config_files`` holds what the YAML files of
    ``--config`` say; ``model_facts`` is what ``_fit.model.parse_model`` returns.
    """
    version = str(vllm_version)
    chosen = choose(version)
    pasted = read_pasted(argv) if argv is not None else None
    read = _read(chosen.table, pasted, settings or {}, config_files or {})
    read.model = str(model) if model is not None else read.model
    reporter = Reporter(chosen, version, origins or {}, plugin_names)
    server_env = {
        **(pasted.env if pasted else {}),
        **{str(key): str(value) for key, value in (env or {}).items()},
    }
    case = _case(chosen, read, server_env, gpu_facts, model_facts, draft_facts)
    findings = [*about_version(chosen, version), *_said(read, pasted, reporter)]
    findings += [reporter.placed(finding) for finding in run_rules(case, plugin_names=plugin_names)]
    if target_version:
        written = _writable(chosen.table, read.values)
        advice = advise(case, written, chosen, str(target_version), plugin_names)
        findings += [reporter.placed(finding) for finding in advice]
    return _checked(chosen, read, findings, version, case)


def _case(
    chosen: Chosen,
    read: _Read,
    env: dict[str, str],
    gpu_facts: t.Sequence[t.Mapping[str, t.Any]] | None,
    model_facts: t.Any,
    draft_facts: t.Any,
) -> Case:
    return Case(
        release=chosen.release if chosen.release and not chosen.older else chosen.table.release,
        model=read.model,
        values={**chosen.table.defaults, **read.values},
        given=frozenset(read.values),
        env=env,
        gpus=_gpus(gpu_facts),
        model_facts=model_facts,
        draft_facts=draft_facts,
    )


def _said(read: _Read, pasted: Pasted | None, reporter: Reporter) -> t.Iterator[Finding]:
    """What was said while the input was read."""
    yield from about_paste(pasted) if pasted else ()
    yield from map(reporter.problem, read.problems)
    yield from map(reporter.remark, read.remarks)


def _checked(chosen: Chosen, read: _Read, findings: list[Finding], version: str, case: Case) -> Checked:
    written = {**_writable(chosen.table, read.values), **read.unknown}
    ordered = tuple(in_order(findings))
    return Checked(
        valid=not has_errors(ordered),
        findings=ordered,
        settings={**_changed(chosen.table, read.values), **read.unknown},
        written=written,
        argv=render_argv(read.model, written, chosen.table),
        model=read.model,
        vllm_version=version,
        table_version=chosen.table.version,
        case=case,
    )


# reading -------------------------------------------------------------------------------------------------------------
def _read(table: Table, pasted: Pasted | None, settings: Settings, files: t.Mapping[str, t.Any]) -> _Read:
    line = _read_argv(table, pasted, files) if pasted else _Read()
    if not settings:
        return line
    over = _read_settings(table, settings)
    read = _Read(
        values=merged(line.values, over.values),
        unknown={**line.unknown, **over.unknown},
        problems=line.problems + over.problems,
        remarks=line.remarks + over.remarks,
        model=over.model or line.model,
    )
    for key in [key for key, value in settings.items() if value is None]:
        option, _inverted = find_option(table, setting_name(str(key)))
        read.values.pop(option.dest if option else str(key), None)
    if pasted and not read.problems:
        again = parse(render_argv("m", _writable(table, read.values), table), table)
        read.problems += again.problems
    return read


def _read_argv(table: Table, pasted: Pasted, files: t.Mapping[str, t.Any]) -> _Read:
    """The command line as the release's parser reads it; an image's own entrypoint was the API server up to 0.11.0."""
    serve = pasted.form == "serve" or (pasted.form == "image" and table.release >= (0, 11, 1))
    parsed = parse(pasted.words, table, files, serve=serve)
    read = _Read(
        parsed.values, _unknown(parsed), [*pasted.problems, *parsed.problems], parsed.remarks, parsed.model
    )
    named = read.values.pop("model", None)
    read.values.pop("config", None)
    read.model = named if named is not None and (not serve or read.model is None) else read.model
    if read.model is None and not read.problems:
        default = table.options["model"].default
        read.remarks.append(Problem("no_model", f"names no model, and vLLM would serve {default}", "model"))
    return read


def _unknown(parsed: Parsed) -> dict[str, t.Any]:
    """Options that the table does not know, as settings, so that they reach a release that does."""
    found: dict[str, t.Any] = {}
    for option, words in parsed.unknown:
        name = option.lstrip("-").replace("-", "_")
        found[name] = True if not words else words[0] if len(words) == 1 else words
    return found


def _read_settings(table: Table, settings: Settings) -> _Read:
    written = read_settings(settings, table)
    read = _Read(unknown=written.unknown, problems=written.problems, remarks=written.remarks)
    for dest, value in written.values.items():
        _read_one(table, written, dest, value, read)
    model = read.values.pop("model", None)
    if model is not None:
        read.model = model
    return read


def _read_one(table: Table, written: Written, dest: str, value: t.Any, read: _Read) -> None:
    if dest == "config":
        read.problems.append(
            Problem("refused", "is no setting", dest, value, fix="write the file's content as settings")
        )
        return
    words, problems, remarks = words_of(table.options[dest], value, written.keys[dest], table)
    read.problems += problems
    read.remarks += remarks
    if not words:
        return
    parsed = parse(words, table, serve=False)
    read.values.update(parsed.values)
    key = written.keys[dest]
    read.remarks += parsed.remarks
    read.problems += [
        dataclasses.replace(problem, word=key, setting=problem.setting or dest) for problem in parsed.problems
    ]


# values --------------------------------------------------------------------------------------------------------------
def _changed(table: Table, given: Settings) -> dict[str, t.Any]:
    """Only what the parser would set other than by itself."""
    return {
        dest: value
        for dest, value in sorted(given.items())
        if repr(value) != repr(table.options[dest].default)
    }


def _writable(table: Table, given: Settings) -> dict[str, t.Any]:
    """Parsed values in the form in which they are written."""
    found: dict[str, t.Any] = {}
    for dest, value in given.items():
        option = table.options[dest]
        if option.type == "device_ids" and isinstance(value, list):
            found[dest] = ",".join(map(str, value))
        elif value is None and option.default is not None:
            found[dest] = "None"
        else:
            found[dest] = value
    return found


def _gpus(facts: t.Sequence[t.Mapping[str, t.Any]] | None) -> tuple[Gpu, ...] | None:
    return None if facts is None else tuple(_gpu(each) for each in facts)


def _gpu(facts: t.Mapping[str, t.Any]) -> Gpu:
    """What is known here of a GPU; facts that nobody asks for are left out."""
    names = {field.name for field in dataclasses.fields(Gpu)} & facts.keys()
    known: dict[str, t.Any] = {
        name: tuple(facts[name]) if isinstance(facts[name], list) else facts[name] for name in names
    }
    return Gpu(**known)
