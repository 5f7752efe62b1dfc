"""The image of vLLM for the CPU, and the tiny model, made with the image's own Python."""

from __future__ import annotations

import shutil
from pathlib import Path

from . import cache
from .root_directory import in_root, make_debian, pip_mounts
from .run import run, step

PIP = "python3 -m pip install --quiet --no-compile --no-cache-dir --break-system-packages --root-user-action=ignore"
SITE = "usr/local/lib/python3.11/dist-packages"
# As upstream's image: it runs `vllm serve` with what comes after.
SHAPE = ('ENTRYPOINT ["vllm", "serve"]', "EXPOSE 8000", "WORKDIR /vllm-workspace")


def make(place: Path, reference: str, version: str, model: Path) -> None:
    """Make both in a directory; the image has its name, and the model its place, only when they are whole."""
    root, log = place / "root", place / "log"
    recipe = {str(cache.RECIPES / "vllm"): "/recipe"}
    with step("vllm: Debian 12 with Python 3.11"):
        make_debian("bookworm", "apt", cache.packages("vllm"), root, log)
    with step("vllm: Python packages"):
        in_root(
            root,
            [*PIP.split(), "--no-deps", "-r", "/recipe/requirements.txt"],
            log,
            mounts=pip_mounts() | recipe,
            network=True,
        )
    if not any((root / SITE).glob("torch-*+cpu.dist-info")):
        # PyPI's own build is for CUDA, and cannot be imported without CUDA's libraries, although nothing asks for a GPU.
        with step("vllm: the libraries that this build of PyTorch wants"):
            wanted = [*PIP.split(), "--constraint", "/recipe/requirements.txt", "torch"]
            in_root(root, wanted, log, mounts=pip_mounts() | recipe, network=True)
    _slim(root / SITE, log)
    _call_it_vllm(root, version)
    with step("vllm: tiny model"):
        in_root(root, ["python3", "/recipe/make_model.py", "/tiny"], log, mounts=recipe)
    with step("vllm: first start"):
        in_root(root, ["python3", "/recipe/first_start.py", "/tiny", version], log, mounts=recipe)
    made = Path(shutil.move(root / "tiny", place / "model"))
    for left_over in root.glob("tmp/*"):
        shutil.rmtree(left_over) if left_over.is_dir() else left_over.unlink()
    (root / "vllm-workspace").mkdir()
    with step("vllm: image"):
        cache.add_image(root, reference, SHAPE, log)
    made.replace(model)


def _call_it_vllm(root: Path, version: str) -> None:
    """The code asks for the metadata of `vllm`, and takes the CPU as its platform when that version says `cpu`."""
    place = root / SITE / f"vllm-{version}+cpu.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}+cpu\n")


def _slim(site: Path, log: Path) -> None:
    """Leave out what only building, debugging or testing needs: half a gigabyte that is copied three times."""
    for place in (site / "torch/include", site / "torch/test"):
        shutil.rmtree(place, ignore_errors=True)
    for file in (*site.rglob("*.a"), *site.glob("torch/bin/*test*")):
        file.unlink()
    run(["strip", "--strip-unneeded", *map(str, site.glob("vllm/*.so"))], log=log)
