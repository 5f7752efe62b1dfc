"""From what a parser refuses, or takes without doing what it says, to findings that speak to the operator."""

from __future__ import annotations

import dataclasses
import typing as t

from .argv import setting_name
from .finding import Finding, Severity
from .problem import Problem, veiled
from .wording import explain

if t.TYPE_CHECKING:
    from .pasted import Pasted
    from .tables import Chosen

# What a release newer than the tables may well know.
MAY_BE_NEW = ("unknown_option", "invalid_choice", "unknown_json_key", "invalid_json_value")


class Reporter:
    """Turns problems of one check into findings, with the place in the inventory where each was written."""

    def __init__(
        self, chosen: Chosen, version: str, origins: t.Mapping[str, str], plugin_names: t.Collection[str]
    ) -> None:
        """Keep what every finding needs."""
        self.chosen = chosen
        self.version = version
        self.origins = origins
        # Where a JSON option was written with dots only, its parts say where it stands.
        self.heads = {setting_name(key).partition(".")[0]: origin for key, origin in origins.items()}
        self.plugin_names = plugin_names

    def problem(self, problem: Problem) -> Finding:
        """A refusal: an error, or a warning where the release may know what its table does not."""
        unsure = self.chosen.newer and problem.kind in MAY_BE_NEW
        finding = self._finding(problem, "warning" if unsure else "error")
        if not unsure:
            return finding
        known = self.chosen.table.version
        doubt = f"that is vLLM {known}, the newest known here; {self.version} may differ and is not refused"
        return dataclasses.replace(finding, message=f"{finding.message} ({doubt})")

    def remark(self, problem: Problem) -> Finding:
        """Something that vLLM takes without doing what it says."""
        return self._finding(problem, "warning")

    def placed(self, finding: Finding) -> Finding:
        """A finding of a rule, with its origin; a name that a newer release may have is no error there."""
        if self.chosen.newer and finding.severity == "error" and finding.code.startswith("unknown_"):
            finding = dataclasses.replace(finding, severity="warning")
        return finding.at(origin=self._origin(finding.setting))

    def _finding(self, problem: Problem, severity: Severity) -> Finding:
        problem = veiled(problem)
        message, fix = explain(problem, self.chosen.table)
        setting = problem.setting or (setting_name(problem.word) if problem.word else None)
        return Finding(
            severity=severity,
            stage="parse",
            code=problem.kind,
            message=message,
            fix=fix,
            setting=setting,
            value=problem.value,
            origin=self._origin(setting, problem.word),
        )

    def _origin(self, setting: str | None, word: str | None = None) -> str | None:
        """Of the setting itself, or of the mapping that it stands in, with the path behind."""
        for name in (setting, word):
            head, dot, path = (name or "").partition(".")
            if name in self.origins:
                return self.origins[name or ""]
            if head in self.origins:
                return self.origins[head] + dot + path
        return self.heads.get((setting or "").partition(".")[0])


def about_version(chosen: Chosen, version: str) -> t.Iterator[Finding]:
    """How far the table can be trusted for the version as written."""
    known = chosen.table.version
    if chosen.older:
        message = f"vLLM {version} is older than {known}, the oldest release whose options are known here"
        yield _of_version("error", "version_too_old", version, message, f"use vLLM {known} or newer")
    elif chosen.newer:
        what = "is newer than" if chosen.release else "names no release: it is judged as"
        message = f"vLLM {version} {what} {known}, the newest known here; what {known} does not have is only warned of"
        fix = (
            None
            if chosen.release
            else "write the server's release in `version`, where the tag does not tell it"
        )
        yield _of_version("warning", "version_not_known", version, message, fix)
    elif not chosen.exact:
        message = f"vLLM {version} is not listed; it is judged as {known}, the nearest release of the same minor version"
        yield _of_version("info", "version_of_its_minor", version, message)


def _of_version(severity: Severity, code: str, version: str, message: str, fix: str | None = None) -> Finding:
    return Finding(severity, "parse", code, message, fix, setting="vllm_version", value=version)


def about_paste(pasted: Pasted) -> t.Iterator[Finding]:
    """What of a pasted line is not taken over."""
    if pasted.dropped:
        yield Finding(
            "info",
            "parse",
            "container_options_dropped",
            f"options of the container are not taken over: {', '.join(pasted.dropped)}",
            fix="write them as gpus, port, volumes, limits and security of the instance",
            value=pasted.dropped,
        )
    for word in pasted.variables:
        yield Finding(
            "warning",
            "parse",
            "shell_variable",
            f"{word} holds a shell variable, and no shell will fill it in",
            fix="write its value, or an Ansible variable",
            value=word,
        )
