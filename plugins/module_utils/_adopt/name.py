"""A name for the instance, under which it can stand beside what runs already."""

from __future__ import annotations

import re
import typing as t

from .._release.names import NAME, RESERVED
from .secrets import looks_secret

# Names that tell nothing about the server.
_PLAIN = (
    "vllm",
    "vllm-openai",
    "vllm-server",
    "server",
    "app",
    "llm",
    "openai",
    "inference",
    "api",
    "model",
    "models",
    "vllm-serve",
    "",
)


def slug(text: str) -> str:
    """The text as a name may be."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")


def instance_name(
    name: str | None, model: str | None, served: t.Any, taken: t.Collection[str], used: t.Collection[str]
) -> str:
    """What it was called, else the name of its model. Its container is called vllm-<name>, and must not be the old one."""
    served = served[0] if isinstance(served, list) and served else served
    name, model, served = (None if looks_secret(str(each)) else each for each in (name, model, served))
    last = (model or "").rstrip("/").rpartition("/")[2]
    own = slug(name or "")
    bare = own.removeprefix("vllm-").removesuffix("-vllm")
    bare = bare if re.search("[a-z]", bare) else own
    wanted = [bare, "" if str(served or "/").startswith("/") else slug(str(served)), slug(last), own]
    for each in wanted:
        if each not in _PLAIN and _is_free(each, taken, used):
            return each
    stem = next((each for each in wanted if each), "vllm-server")[:36]
    stems = (stem, "vllm-server")
    return next(each for stem in stems for each in _numbered(stem) if _is_free(each, taken, used))


def _is_free(name: str, taken: t.Collection[str], used: t.Collection[str]) -> bool:
    fits = NAME.fullmatch(name) is not None and name not in RESERVED and not looks_secret(name)
    fits = fits and name not in used
    return fits and f"vllm-{name}" not in {slug(each) for each in taken}


def _numbered(stem: str) -> t.Iterator[str]:
    yield stem
    yield from (f"{stem}-{number}" for number in range(2, 1000))
