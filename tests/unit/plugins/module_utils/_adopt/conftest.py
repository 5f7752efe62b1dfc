from __future__ import annotations

import json
import lzma
import pathlib
import typing as t

import pytest
import yaml

FIXTURES = pathlib.Path(__file__).resolve().parents[4] / "fixtures" / "settings"


@pytest.fixture(scope="session")
def command_lines() -> list[dict[str, t.Any]]:
    """447 public command lines, what follows `vllm serve` or the image, with the verdicts of the real parsers of 24 releases."""
    content = json.loads(lzma.decompress((FIXTURES / "configs.json.xz").read_bytes()))
    return [
        {"argv": case["argv"], "accepted": {r for r, ok in zip(content["releases"], case["ok"]) if ok == "1"}}
        for case in content["cases"]
    ]


class _Loader(yaml.SafeLoader):
    """Knows Ansible's mark for texts that are no templates."""


_Loader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))


@pytest.fixture(scope="session")
def load() -> t.Callable[[str], t.Any]:
    """Reads YAML as Ansible does."""
    return lambda text: yaml.load(text, _Loader)
