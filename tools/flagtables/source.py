"""vLLM's source from PyPI, and a Python that can import it: no GPU, no compiled kernels."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
TORCH = "torch==2.13.0"  # any build for the CPU does
BUILD = ("setuptools>=78,<81", "setuptools_rust", "wheel", "packaging", "jinja2")
# vLLM's version as its archive says it, in place of what git would say.
VERSION_STUB = """import re


class Version(str):
    def __add__(self, other):
        return self


def get_version(*args, **kwargs):
    return Version(re.search(r"^Version: (\\S+)", open("PKG-INFO").read(), re.M).group(1))
"""


def python_of(home: Path) -> Path:
    """The Python of the virtual environment, made on first use (some minutes, 3.4 GB)."""
    python = home / "venv" / "bin" / "python"
    done = home / "venv" / "complete"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home / "venv"], check=True)
        requirements = TOOLS / "requirements-parser.txt"
        for what in ([TORCH], ["-r", str(requirements)], list(BUILD)):
            subprocess.run([python, "-m", "pip", "install", "--quiet", *what], check=True)
        done.touch()
    return python


def source_of(home: Path, version: str) -> Path:
    """The unpacked Python source of a release, with the metadata that makes vLLM choose its CPU platform."""
    target = home / "src" / version
    if not (target / "vllm" / "__init__.py").exists():
        _unpack(_download(home, version), target)
    metadata = target / f"vllm-{version}+cpu.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}+cpu\n", "utf-8"
    )
    return target


def _download(home: Path, version: str) -> Path:
    stub, folder = home / "stub", home / "sdist"
    stub.mkdir(parents=True, exist_ok=True)
    (stub / "setuptools_scm.py").write_text(VERSION_STUB, encoding="utf-8")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--dest", folder]
    env = {**os.environ, "PYTHONPATH": str(stub), "VLLM_TARGET_DEVICE": "empty"}
    subprocess.run(
        [python_of(home), "-m", "pip", "download", *options, f"vllm=={version}"], check=True, env=env
    )
    return next(folder.glob(f"vllm-{version}*.tar.gz"))


def _unpack(archive: Path, target: Path) -> None:
    """Only Python files of the package, without the top folder of the archive."""
    with tarfile.open(archive) as files:
        for member in files:
            _top, _, path = member.name.partition("/")
            if path.startswith("vllm/") and path.endswith(".py") and ".." not in path and member.isfile():
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("wb") as output:
                    shutil.copyfileobj(files.extractfile(member), output)  # type: ignore[arg-type]
    archive.unlink()


def run(home: Path, version: str, program: Path, *arguments: str, text: str | None = None) -> str:
    """Run a program of ours over a release's source; what it prints."""
    env = {**os.environ, "PYTHONPATH": f"{source_of(home, version)}:{TOOLS}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python_of(home), program, *arguments]
    done = subprocess.run(command, check=True, env=env, input=text, stdout=subprocess.PIPE, text=True)
    return done.stdout
