"""Why the weights of an instance cannot be brought to its host, as findings that name who needs them and what to do."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding

CODES: dict[str, str] = {
    "weights_gated": "A repository is gated, and the host asks without a token, or with one that was not granted access.",
    "weights_not_found": "The hub knows no such repository, or hides it from who asks without the right token.",
    "weights_revision_unknown": "The repository has no such branch, tag or commit.",
    "weights_token_refused": "The hub does not know the token.",
    "weights_hub_busy": "The hub answers 429 (too many requests), however long it is waited for.",
    "weights_hub_unreachable": "The host does not reach the hub, or its answer breaks off.",
    "weights_hub_failed": "The hub answers with another error.",
    "weights_disk_too_small": "What is missing does not fit on the disk of the models.",
    "weights_incomplete": "Not all files of a repository are there in full.",
    "weights_tool_failed": "The image has no tool to fetch with, or it fails.",
    "weights_not_there": "A model's directory, or another file that a command line names, is not on the host.",
}
_GIB = 1024**3
_MINE = "vllm_model_fetch: false where you bring weights yourself, or vllm_model_sources"

Entry = t.Mapping[str, t.Any]  # of `weights`, as vllm_plan returns them
Problem = t.Mapping[str, t.Any]  # of the fetching program: code, message, status and what it measured


def weights_finding(entry: Entry, problem: Problem, asked_by: str | None = None) -> Finding:
    """A problem with fetching a repository. ``asked_by`` is another host that asked the hub for all of them."""
    code, message, fix = _explained(entry, problem)
    return Finding(
        "error",
        "host",
        code,
        f"{message} (asked by {asked_by})" if asked_by else message,
        fix=fix,
        instance=", ".join(entry["instances"]),
        setting=entry["setting"],
        value=entry["repo"],
        origin=entry["origin"],
    )


def missing_weights(entries: t.Iterable[Entry], missing: t.Mapping[str, str]) -> list[Finding]:
    """The repositories that a server would look for in vain, with what is missing of each."""
    return [
        weights_finding(entry, {"code": "incomplete", "message": missing[entry["key"]]})
        for entry in entries
        if entry["key"] in missing
    ]


def missing_paths(entries: t.Iterable[Entry], missing: t.Mapping[str, str]) -> list[Finding]:
    """The directories and files of the host that command lines name and that are not what they should be."""
    return [
        Finding(
            "error",
            "host",
            "weights_not_there",
            f"{entry['path']}: {missing[entry['path']]}",
            fix="correct the path, put it there, or name where to get it (vllm_model_sources)",
            instance=", ".join(entry["instances"]),
            setting=entry["setting"],
            value=entry["path"],
            origin=entry["origin"],
        )
        for entry in entries
        if entry["path"] in missing
    ]


def _explained(entry: Entry, problem: Problem) -> tuple[str, str, str]:
    """Code, message and fix."""
    code, said, repo = str(problem["code"]), str(problem.get("message") or ""), entry["repo"]
    access = _access(entry, code, said)
    if access is not None:
        return access
    if code == "revision_unknown":
        message = f"{repo} has no revision {entry['revision'] or 'main'}"
        return (
            "weights_revision_unknown",
            message,
            "model: {repo: …, revision: …} with a branch, tag or commit that it has",
        )
    if code in ("disk_too_small", "disk_full"):
        return (
            "weights_disk_too_small",
            _room(repo, problem),
            ("make room, or put vllm_state_dir on a larger disk; what is there already is kept"),
        )
    if code in _HUB:
        finding, told, fix = _HUB[code]
        tries = f" {problem['tries']} times" if int(problem.get("tries") or 1) > 1 else ""
        return finding, f"{told.format(repo=repo, tries=tries)}: {said}", fix
    if code == "incomplete":
        return "weights_incomplete", f"{repo} is not whole: {said}", "run again: what is there is kept"
    return (
        "weights_tool_failed",
        f"the tool in {entry['image']} cannot fetch {repo}: {said}",
        (f"an image with huggingface_hub; {_MINE}"),
    )


_HUB = {
    "too_many_requests": (
        "weights_hub_busy",
        "the hub turned {repo} away{tries}",
        "run again later; a token has a higher limit (secrets: {HF_TOKEN: …})",
    ),
    "hub_out_of_reach": (
        "weights_hub_unreachable",
        "{repo} cannot be had from the hub, asked{tries}",
        f"let the host reach it, or name a mirror (vllm_model_endpoint); {_MINE}. What has come is kept",
    ),
    "hub_failed": (
        "weights_hub_failed",
        "the hub does not give {repo}, asked{tries}",
        "run again later; what has come is kept",
    ),
}


def _access(entry: Entry, code: str, said: str) -> tuple[str, str, str] | None:
    """Whoever asks is not allowed, or seems not to be."""
    repo, has_token = entry["repo"], bool(entry.get("has_token"))
    give = "secrets: {HF_TOKEN: <key>} and vllm_secrets: {<key>: …}"
    if code == "gated" and has_token:
        return (
            "weights_gated",
            f"{repo} is gated, and the token of the instance has no access to it",
            (
                f"accept its licence on the hub as the token's owner: {said}"
                if said
                else "accept its licence on the hub"
            ),
        )
    if code == "gated":
        return (
            "weights_gated",
            f"{repo} is gated, and the instance gives no token",
            (f"accept its licence on the hub, then {give}"),
        )
    if code == "token_refused":
        return (
            "weights_token_refused",
            f"the hub does not know the token that is given for {repo}: {said}",
            ("make a new token on the hub and put it into vllm_secrets"),
        )
    if code in ("not_found_or_private", "forbidden"):
        hidden = "or the token may not see it" if has_token else "or it is private, and no token is given"
        return (
            "weights_not_found",
            f"the hub shows no {repo}: there is none, {hidden}",
            ("correct the name" if has_token else f"correct the name, or {give}"),
        )
    return None


def _room(repo: str, problem: Problem) -> str:
    if problem.get("missing") is None:
        return f"the disk is full, in the middle of {repo}: {problem.get('message')}"
    missing, free = problem["missing"] / _GIB, problem["free"] / _GIB
    return (
        f"{missing:.1f} GiB of {repo} are missing, and {free:.1f} GiB are free where the models are,"
        f" of which {problem['keep_free'] / _GIB:.1f} GiB stay free"
    )
