"""What the cache has to hold: the image of a host, the image of vLLM for the CPU, the tiny model."""

from __future__ import annotations

import concurrent.futures
import functools
import os
import re
import shutil
import typing as t
from pathlib import Path

from . import cache, host_image, machine, root_directory, vllm_image
from .run import say

# Taken once, when the program starts: a build must not get the name of a recipe that was edited meanwhile.
HOST_KEY = cache.key("host", host_image.__file__, root_directory.__file__)
VLLM_KEY = cache.key("vllm", vllm_image.__file__, root_directory.__file__)


def ready() -> None:
    """Make everything that is missing, side by side."""
    if not _missing() and _is_tagged():
        return
    with cache.locked(cache.directory()):
        remove_left_overs()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for future in [pool.submit(_make, name, job) for name, job in _missing().items()]:
                future.result()
        if not _is_tagged():
            cache.tag(vllm_built(), vllm_reference())


def remove_left_overs() -> None:
    """Remove what killed builds left; a child of one may still be busy there, so nothing hangs on its success."""
    for place in cache.directory().glob("making-*"):
        machine.unmount_below(place)
        shutil.rmtree(place, ignore_errors=True)


def _missing() -> dict[str, t.Callable[[Path], None]]:
    """How to make each thing that the cache lacks."""
    jobs: dict[str, t.Callable[[Path], None]] = {}
    if not cache.has_image(host_reference()):
        jobs["host"] = functools.partial(host_image.make, reference=host_reference())
    if not (cache.has_image(vllm_built()) and model_directory().is_dir()):
        more = {"version": vllm_version(), "model": model_directory()}
        jobs["vllm"] = functools.partial(vllm_image.make, reference=vllm_built(), **more)
    return jobs


def _is_tagged() -> bool:
    return cache.image_id(vllm_reference()) == cache.image_id(vllm_built()) != ""


def _make(name: str, job: t.Callable[[Path], None]) -> None:
    place = cache.directory() / f"making-{name}-{os.getpid()}"
    place.mkdir(parents=True)
    say(f"making the image of {name}; its log until it is done: {place / 'log'}")
    job(place)
    shutil.rmtree(place)


def host_reference() -> str:
    """The image of a host, by the hash of its recipe."""
    return f"localhost/vllm-fleet-host:{HOST_KEY}"


def vllm_built() -> str:
    """The image of vLLM, by the hash of its recipe."""
    return f"localhost/vllm-cpu:{VLLM_KEY}"


def vllm_reference() -> str:
    """The image of vLLM, named as upstream names its own: by the version."""
    return f"localhost/vllm-cpu:v{vllm_version()}"


def vllm_version() -> str:
    """The version that the recipe pins."""
    text = (cache.RECIPES / "vllm/requirements.txt").read_text()
    return re.findall(r"^vllm-cpu==(\S+)$", text, re.MULTILINE)[0]


def model_directory() -> Path:
    """The tiny model; it is made by the image of vLLM, and known by the same hash."""
    return cache.directory() / f"model-{VLLM_KEY}"
