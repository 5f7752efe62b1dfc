"""A model's files on this host: what its config says, what its weights weigh, and what is missing of it."""

from __future__ import annotations

import dataclasses
import json
import os
import typing as t
from pathlib import Path

from .._fit.config_fields import number, text_config
from .._fit.tensors import TensorGroup, Tensors, group_tensors
from .safetensors import BadFileError, Header, Tensor, read_header

INDEX = "model.safetensors.index.json"
_LARGEST_JSON = 50_000_000
_TOKENIZERS = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "tekken.json",
    "vocab.json",
    "tiktoken.model",
)
_OTHER_WEIGHTS = ("*.bin", "*.gguf", "*.pt")
_GATED = (
    "accept its licence on the hub where it is gated, give the host a token, and fetch it (role vllm_model)"
)

_AGAIN = "fetch the model again: what is there is kept"


@dataclasses.dataclass(frozen=True)
class Problem:
    """Why a model cannot be served from here, and what to do."""

    code: str
    message: str
    fix: str


@dataclasses.dataclass(frozen=True)
class ModelFiles:
    """What was found; always all fields, None or empty where there is nothing."""

    found: bool
    path: str | None = None
    revision: str | None = None
    config: t.Mapping[str, t.Any] | None = None
    generation_config: t.Mapping[str, t.Any] | None = None
    tensors: t.Mapping[str, t.Any] | None = None
    has_tokenizer: bool = False
    has_chat_template: bool = False
    adapter_rank: int | None = None
    problem: Problem | None = None


def cache_of_the_host(given: str | None) -> Path:
    """Where repositories are kept: as given, else as the hub's own variables say."""
    home = os.environ.get("HF_HOME") or "~/.cache/huggingface"
    return Path(given or os.environ.get("HF_HUB_CACHE") or f"{home}/hub").expanduser()


def look_at(model: str, cache: Path, revision: str | None = None) -> ModelFiles:
    """A directory, or a repository in a cache of the hub."""
    if model.startswith(("/", "./", "~")):
        folder = Path(model).expanduser()
        if not folder.is_dir():
            return _lacking("model_not_there", f"{folder} is no directory", "the path as this host has it")
        return look_into(folder)
    return _in_cache(model, cache, revision or "main")


def _lacking(code: str, message: str, fix: str) -> ModelFiles:
    return ModelFiles(False, problem=Problem(code, message, fix))


def _in_cache(repo: str, cache: Path, revision: str) -> ModelFiles:
    """The hub's layout: models--owner--name/{refs,blobs,snapshots/<commit>}."""
    home = cache / ("models--" + repo.replace("/", "--"))
    if not home.is_dir():
        return _lacking("model_not_there", f"{repo} was never fetched into {cache}", _GATED)
    commit = _commit(home, revision)
    snapshot = home / "snapshots" / commit
    if not snapshot.is_dir():
        return _lacking(
            "revision_not_there",
            f"{repo} is in {cache}, but not its revision {revision}",
            "fetch it, or name another",
        )
    found = dataclasses.replace(look_into(snapshot), revision=commit)
    unfinished = sorted((home / "blobs").glob("*.incomplete")) if found.problem else []
    if unfinished and found.problem:
        message = f"{found.problem.message}; {len(unfinished)} of its downloads were broken off"
        found = dataclasses.replace(
            found, problem=dataclasses.replace(found.problem, code="half_downloaded", message=message)
        )
    return found


def _commit(home: Path, revision: str) -> str:
    """The commit that a branch or tag pointed to when it was fetched; a revision that is a commit stands for itself."""
    try:
        return (home / "refs" / revision).read_text(encoding="utf-8").strip() or revision
    except OSError:
        return revision


def look_into(folder: Path) -> ModelFiles:
    """A directory with a model, an adapter, or what is there of one."""
    try:
        config = _json(folder / "config.json")
    except BadFileError as bad:
        return ModelFiles(True, str(folder), problem=Problem(bad.code, str(bad), "fetch the file again"))
    facts = ModelFiles(
        True,
        str(folder),
        config=config,
        generation_config=_json_or_none(folder / "generation_config.json"),
        has_tokenizer=any((folder / name).is_file() for name in _TOKENIZERS),
        has_chat_template=_has_chat_template(folder),
        adapter_rank=_adapter_rank(folder),
    )
    if config is None:
        return dataclasses.replace(facts, problem=_no_config(folder, facts.adapter_rank))
    tensors, problem = _weights(folder, config)
    return dataclasses.replace(facts, tensors=tensors, problem=problem)


def _no_config(folder: Path, adapter_rank: int | None) -> Problem:
    if adapter_rank is not None:
        return Problem(
            "adapter_only", f"{folder} holds a LoRA adapter, not a model", "name it in lora_modules"
        )
    if (folder / "params.json").is_file():
        fix = "config_format: mistral, or fetch the files of the other format, too"
        return Problem("config_missing", f"{folder} has a params.json, but no config.json", fix)
    return Problem("config_missing", f"{folder} has no config.json", _GATED)


def _weights(folder: Path, config: t.Mapping[str, t.Any]) -> tuple[dict[str, t.Any] | None, Problem | None]:
    try:
        wanted = _weight_files(folder)
    except BadFileError as bad:
        return None, Problem(bad.code, str(bad), "fetch the file again")
    if not wanted:
        return _other_weights(folder)
    tensors: list[Tensor] = []
    problems: list[Problem] = []
    for path in wanted:
        header = _header(path)
        if isinstance(header, Problem):
            problems.append(header)
        else:
            tensors += header.tensors
    layers = number(text_config(config), "num_hidden_layers")
    facts = as_facts(Tensors(group_tensors(tensors, layers), not problems), len(wanted))
    return facts, _several(problems, len(wanted))


def _header(path: Path) -> Header | Problem:
    try:
        return read_header(path)
    except FileNotFoundError:
        return Problem("half_downloaded", f"{path.name} is not there", _AGAIN)
    except BadFileError as bad:
        return Problem(bad.code, str(bad), _AGAIN)
    except OSError as bad:
        return Problem("unreadable", f"{path.name}: {bad.strerror}", "let the user of this task read it")


def _several(problems: list[Problem], files: int) -> Problem | None:
    if len(problems) < 2:
        return problems[0] if problems else None
    first = problems[0]
    return dataclasses.replace(
        first, message=f"{first.message}; {len(problems)} of {files} files have such a defect"
    )


def _weight_files(folder: Path) -> list[Path]:
    """Those of the index; without one, every file of the usual names."""
    index = _json(folder / INDEX)
    named = index.get("weight_map") if index else None
    if isinstance(named, t.Mapping) and named:
        return [folder / name for name in sorted({str(each) for each in named.values()})]
    skipped = ("consolidated", "adapter_model")
    return [path for path in sorted(folder.glob("*.safetensors")) if not path.name.startswith(skipped)]


def _other_weights(folder: Path) -> tuple[dict[str, t.Any] | None, Problem | None]:
    """Formats without a header that is cheap to read: their size alone."""
    paths = [path for pattern in _OTHER_WEIGHTS for path in sorted(folder.glob(pattern)) if path.is_file()]
    total = sum(path.stat().st_size for path in paths)
    if not total:
        return None, Problem("weights_missing", f"{folder} has a config.json, but no weights", _GATED)
    return {**as_facts(Tensors(()), len(paths)), "total_bytes": total}, None


def as_facts(tensors: Tensors, files: int) -> dict[str, t.Any]:
    """Headers as the plan takes them, and as an inventory may hold them."""
    by_dtype: dict[str, int] = {}
    for group in tensors.groups:
        by_dtype[group.dtype] = by_dtype.get(group.dtype, 0) + group.bytes
    return {
        "files": files,
        "complete": tensors.complete,
        "total_bytes": tensors.bytes_of() if tensors.groups else 0,
        "by_dtype": by_dtype,
        "expert_bytes": _bytes_of(tensors.groups, "expert"),
        "vision_bytes": _bytes_of(tensors.groups, "vision"),
        "mtp_bytes": _bytes_of(tensors.groups, "mtp"),
        "has_mtp": tensors.has_mtp,
        "groups": [dataclasses.asdict(group) for group in tensors.groups],
    }


def _bytes_of(groups: t.Iterable[TensorGroup], part: str) -> int:
    return sum(group.bytes for group in groups if group.part == part)


def _json(path: Path) -> dict[str, t.Any] | None:
    """A JSON object; None where the file is not there."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST_JSON)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadFileError("unreadable", f"{path} cannot be read: {problem.strerror}") from None
    try:
        value = json.loads(text)
    except ValueError:
        code = "git_lfs_pointer" if text.startswith(b"version https://git-lfs") else "half_downloaded"
        raise BadFileError(code, f"{path.name} is no whole JSON") from None
    if not isinstance(value, dict):
        raise BadFileError("not_a_config", f"{path.name} holds no JSON object")
    return value


def _json_or_none(path: Path) -> dict[str, t.Any] | None:
    try:
        return _json(path)
    except BadFileError:
        return None


def _has_chat_template(folder: Path) -> bool:
    if any((folder / name).is_file() for name in ("chat_template.jinja", "chat_template.json")):
        return True
    return bool((_json_or_none(folder / "tokenizer_config.json") or {}).get("chat_template"))


def _adapter_rank(folder: Path) -> int | None:
    return number(_json_or_none(folder / "adapter_config.json") or {}, "r")
