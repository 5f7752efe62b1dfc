"""What the official image of a release was built for, against the GPU, the driver and the container's environment."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..families import capability
from .known import driver_of, family_of

_CUDA_13 = (0, 20, 0)
_DRIVER_OF_CUDA_13 = 580
_DRIVER_OF_CUDA_12 = 525
# Compute capabilities that the images are built for (docker/Dockerfile, torch_cuda_arch_list). Code of one serves the
# later ones of the same major number.
_BUILT_BEFORE_CUDA_13 = ((7, 0), (7, 5), (8, 0), (8, 9), (9, 0), (10, 0), (12, 0))
_BUILT_SINCE_CUDA_13 = ((7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (11, 0), (12, 0))
_ON = ("1", "true", "yes", "on")


@rule(
    "image_lacks_gpu_arch",
    "",
    "docker/Dockerfile torch_cuda_arch_list (0.10.2 to 0.33.0)",
    needs=("gpu",),
    severity="warning",
    stage="fit",
)
def image_is_built_for_the_gpu(view: View) -> t.Iterator[Breach]:
    """The official image holds code for some GPUs only; another image may hold more, so this is a warning."""
    built = _BUILT_SINCE_CUDA_13 if view.release >= _CUDA_13 else _BUILT_BEFORE_CUDA_13
    for gpu in view.gpus:
        found = capability(gpu)
        if found is None or any(each[0] == found[0] and each <= found for each in built):
            continue
        listed = ", ".join(f"{major}.{minor}" for major, minor in built)
        yield Breach(
            "image",
            f"The official image of this release has no code for {gpu.name or 'this GPU'} (compute capability"
            f" {gpu.compute_capability}); it is built for {listed}: no kernel image is available for execution.",
            "the image of a release before 0.20.0"
            if found == (7, 0)
            else "an image that is built for this GPU",
            gpu.compute_capability,
        )
        return


@rule(
    "driver_older_than_image_cuda",
    "",
    "docker/Dockerfile CUDA_VERSION (12.8.1 to 12.9.1 before 0.20.0, 13.0 since)",
    severity="warning",
    stage="fit",
)
def driver_serves_the_image(view: View) -> t.Iterator[Breach]:
    """CDI does not check what an image asks of the driver, as the older hook did: it would show after the start."""
    driver = driver_of(view)
    wanted = _DRIVER_OF_CUDA_13 if view.release >= _CUDA_13 else _DRIVER_OF_CUDA_12
    compatible = view.env.get("VLLM_ENABLE_CUDA_COMPATIBILITY", "0").lower() in _ON
    if driver is None or driver >= wanted or compatible:
        return
    cuda = "13.0" if wanted == _DRIVER_OF_CUDA_13 else "12.8 or 12.9"
    variant = ", or the image's variant for CUDA 12 (such as -cu129)" if wanted == _DRIVER_OF_CUDA_13 else ""
    yield Breach(
        "image",
        f"The official image of this release holds CUDA {cuda}, which needs driver {wanted} or newer; the host has"
        f" {driver}: the server would end with a CUDA error such as 803, or PTX of an unsupported toolchain.",
        f"a driver of branch {wanted} or newer{variant}",
        driver,
    )


@rule(
    "image_cuda_newer_than_driver",
    "",
    "docker/Dockerfile CUDA_VERSION (12.8.1 to 12.9.1 before 0.20.0)",
    "0.10.0",
    "0.19.1",
    severity="info",
    stage="fit",
)
def driver_knows_the_images_cuda(view: View) -> t.Iterator[Breach]:
    """Within CUDA 12 an older driver runs the image, except for code that the driver itself must translate."""
    driver = driver_of(view)
    wanted = 575 if view.release >= (0, 11, 1) else 570
    if driver is not None and _DRIVER_OF_CUDA_12 <= driver < wanted:
        yield Breach(
            "image",
            f"The official image of this release holds a newer CUDA than driver {driver} knows (it comes with {wanted}):"
            ' most runs, but some kernels end with "the provided PTX was compiled with an unsupported toolchain".',
            f"a driver of branch {wanted} or newer",
            driver,
        )


@rule(
    "env_invalid",
    "",
    "platforms/interface.py device_id_to_physical_device_id (0.10.2 to 0.23.0)",
    "0.10.0",
    "0.23.0",
    stage="fit",
)
def visible_devices_are_numbers(view: View) -> t.Iterator[Breach]:
    """Until 0.23 every entry of CUDA_VISIBLE_DEVICES goes through int()."""
    named = [each.strip() for each in view.env.get("CUDA_VISIBLE_DEVICES", "").split(",")]
    bad = next((each for each in named if each.upper().startswith(("GPU-", "MIG-"))), None)
    if bad:
        yield Breach(
            "env.CUDA_VISIBLE_DEVICES",
            f"CUDA_VISIBLE_DEVICES holds {bad}, and this release only reads numbers there (since 0.24.0 it does).",
            "select GPUs by the instance's `gpus` and leave CUDA_VISIBLE_DEVICES out",
            bad,
        )


@rule(
    "model_access",
    "",
    "openai_harmony, which gpt-oss is served with since 0.10.1",
    "0.10.1",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def harmony_finds_its_vocabulary(view: View) -> t.Iterator[Breach]:
    """gpt-oss loads a vocabulary from the internet at its start, unless it is told where one is."""
    offline = any(
        view.env.get(name, "0").lower() in _ON for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )
    if offline and family_of(view) == "gpt_oss" and not view.env.get("TIKTOKEN_ENCODINGS_BASE"):
        yield Breach(
            "env.TIKTOKEN_ENCODINGS_BASE",
            "gpt-oss loads the vocabulary o200k_base from the internet at its start, and this server is offline.",
            "fetch o200k_base.tiktoken and cl100k_base.tiktoken into a volume, TIKTOKEN_ENCODINGS_BASE: that directory",
        )


RULES = rules_of(globals())
