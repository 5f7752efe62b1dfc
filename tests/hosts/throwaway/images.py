"""What the cache has to hold: the images of a host, of vLLM for the CPU, of rehearsing servers, and the tiny model."""

from __future__ import annotations

import concurrent.futures
import functools
import os
import re
import shutil
import typing as t
from pathlib import Path

from . import cache, host_image, machine, rehearsal_image, root_directory, vllm_image
from .run import say

# Taken once, when the program starts: a build must not get the name of a recipe that was edited meanwhile.
HOSTS = host_image.references()
VLLM_KEY = cache.key("vllm", vllm_image.__file__, root_directory.__file__)
REHEARSAL_KEY = rehearsal_image.key()


def ready(suites: t.Collection[str] = ("trixie",)) -> None:
    """Make everything that is missing for hosts of these releases of Debian, side by side."""
    if not _missing(suites) and _is_tagged():
        return
    with cache.locked(cache.directory()):
        remove_left_overs()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for future in [pool.submit(_make, name, job) for name, job in _missing(suites).items()]:
                future.result()
        for built, name in _names().items():
            if cache.image_id(built) != cache.image_id(name):
                cache.tag(built, name)


def remove_left_overs() -> None:
    """Remove what killed builds left; a child of one may still be busy there, so nothing hangs on its success."""
    for place in cache.directory().glob("making-*"):
        machine.unmount_below(place)
        shutil.rmtree(place, ignore_errors=True)


def _missing(suites: t.Collection[str]) -> dict[str, t.Callable[[Path], None]]:
    """How to make each thing that the cache lacks."""
    jobs: dict[str, t.Callable[[Path], None]] = {}
    for suite in suites:
        if not cache.has_image(host_reference(suite)):
            more = {"suite": suite, "reference": host_reference(suite)}
            jobs[f"host-{suite}"] = functools.partial(host_image.make, **more)
    if not (cache.has_image(vllm_built()) and model_directory().is_dir()):
        more = {"version": vllm_version(), "model": model_directory()}
        jobs["vllm"] = functools.partial(vllm_image.make, reference=vllm_built(), **more)
    built = {
        tag: rehearsal_built(tag) for tag in rehearsal_image.TAGS if not cache.has_image(rehearsal_built(tag))
    }
    if built:
        base = f"localhost/vllm-rehearsal-base:{rehearsal_image.base_key()}"
        jobs["rehearsal"] = functools.partial(rehearsal_image.make, base=base, references=built)
    return jobs


def _names() -> dict[str, str]:
    """Built image -> the name by which servers are given it."""
    rehearsals = {rehearsal_built(tag): rehearsal_reference(tag) for tag in rehearsal_image.TAGS}
    return {vllm_built(): vllm_reference(), **rehearsals}


def _is_tagged() -> bool:
    return all(cache.image_id(name) == cache.image_id(built) != "" for built, name in _names().items())


def _make(name: str, job: t.Callable[[Path], None]) -> None:
    place = cache.directory() / f"making-{name}-{os.getpid()}"
    place.mkdir(parents=True)
    say(f"making the image of {name}; its log until it is done: {place / 'log'}")
    job(place)
    shutil.rmtree(place)


def host_reference(suite: str) -> str:
    """The image of a host with this release of Debian, by the hash of its recipe."""
    return HOSTS[suite]


def vllm_built() -> str:
    """The image of vLLM, by the hash of its recipe."""
    return f"localhost/vllm-cpu:{VLLM_KEY}"


def vllm_reference() -> str:
    """The image of vLLM, named as upstream names its own: by the version."""
    return f"localhost/vllm-cpu:v{vllm_version()}"


def rehearsal_built(tag: str) -> str:
    """The image of a server that rehearses, by the hash of what it is made from."""
    return f"localhost/vllm-rehearsal:{REHEARSAL_KEY}-{tag}"


def rehearsal_reference(tag: str) -> str:
    """The image of a server that rehearses, named by the version that it plays."""
    return f"localhost/vllm-rehearsal:{tag}"


def vllm_version() -> str:
    """The version that the recipe pins."""
    text = (cache.RECIPES / "vllm/requirements.txt").read_text()
    return re.findall(r"^vllm-cpu==(\S+)$", text, re.MULTILINE)[0]


def model_directory() -> Path:
    """The tiny model; it is made by the image of vLLM, and known by the same hash."""
    return cache.directory() / f"model-{VLLM_KEY}"
