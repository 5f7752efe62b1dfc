"""CDI specs are read the same without PyYAML as with it, and what is not understood is never guessed."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
import yaml

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.yaml_subset import parse

_SPECS = json.loads(
    lzma.decompress((Path(__file__).parents[4] / "fixtures" / "cdi" / "specs.json.xz").read_bytes())
)


def test_the_samples_are_there() -> None:
    assert len(_SPECS) == 24


@pytest.mark.parametrize("name", sorted(name for name in _SPECS if name.endswith(".yaml")))
def test_a_spec_of_a_real_toolkit_is_read_as_pyyaml_reads_it(name: str) -> None:
    assert parse(_SPECS[name]) == yaml.safe_load(_SPECS[name])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\n# nothing\n",
        "a: 1\n",
        "a: -1\nb: 1.5\nc: .5\n",
        "a: 0777\n",
        "a:\n",
        "a: ~\nb: null\nc: true\nd: False\n",
        "a: yes it is\n",
        'a: "x # y"  # comment\n',
        "a: 'it''s'\nb: \"tab\\t\\x41\\u00e9 \\\"q\\\"\"\n",
        "a: b:c\nd: http://x:1/y\n",
        "a: 0:1\n",
        '"0:1": x\n',
        'a: [1, two, "three: 3", {b: c, d: [e]}]\n',
        "a: {}\nb: []\n",
        "a: {type: c, major: 195, path: /dev/nvidia0}\n",
        "a:\n- b\n- c: d\n  e:\n    f: g\n",
        "a:\n  - b\n  -\n    c: d\n  - - 1\n    - 2\n",
        "- a\n- b\n",
        "a: x#y\n",
        "a: --folder\nb:\n  - --link\n  - -x\n",
        "a:   spaced   \n\n\nb: 2\n",
        "just text\n",
        "env:\n- A=b c\n- X=1,2\n",
        "a: grüße 日本\n",
    ],
)
def test_the_yaml_of_hand_written_specs_is_read_as_pyyaml_reads_it(text: str) -> None:
    assert parse(text) == yaml.safe_load(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  x\n",
        "a: >\n  x\n",
        "a: &b c\n",
        "a: *b\n",
        "a: !t b\n",
        "a: b: c\n",
        "a\nb\n",
        "a: 1\n   b: 2\n",
        'a: "x\n',
        "a: [1\n",
        "a: [1]]\n",
        "{a: 1} b\n",
        "a: 1\na: 2\n",
        "a:\n\t- b\n",
        "a: {b}\n",
        "a: [,]\n",
        "- a\nb: c\n",
        "a: 1\n---\nb: 2\n",
        "1: a\n",
        "%YAML 1.1\n",
    ],
)
def test_what_is_beyond_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"line [0-9]+: "):
        parse(text)
