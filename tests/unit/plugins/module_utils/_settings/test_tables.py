from __future__ import annotations

import hashlib
import importlib
import json
import pathlib
import sys
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import (
    KNOWN,
    RELEASES,
    Table,
    choose,
    table_at,
)

ROOT = pathlib.Path(__file__).resolve().parents[5]


def as_data(table: Table) -> dict[str, t.Any]:
    """The table in the form in which the checksum was made from the real parser."""
    return {
        "options": {
            dest: {
                "names": list(option.names),
                "off": sorted(option.off),
                "action": option.action,
                "choices": None if option.choices is None else sorted(option.choices, key=repr),
                "type": option.type,
                "nargs": option.nargs,
                "const": option.const,
                "default": option.default,
                "field": option.field,
                "bounds": dict(option.bounds),
                "deprecated": option.deprecated,
            }
            for dest, option in table.options.items()
        },
        "classes": {name: class_data(table, name) for name in class_names() if table.json_class(name)},
        "registries": {kind: sorted(table.registry(kind)) for kind in registries() if table.registry(kind)},
    }


def class_names() -> t.Iterable[str]:
    return importlib.import_module(Table.__module__).CLASSES


def registries() -> t.Iterable[str]:
    return importlib.import_module(Table.__module__).REGISTRIES


def class_data(table: Table, name: str) -> dict[str, t.Any]:
    found = table.json_class(name)
    assert found is not None
    fields = {key: type_data(table, field.type) for key, field in found.fields.items()}
    return {"forbids_unknown": found.forbids_unknown, "fields": fields}


def type_data(table: Table, kind: t.Any) -> t.Any:
    if isinstance(kind, str):
        return kind
    if kind[0] == "lit":
        return ["lit", sorted(table.named(kind[1]), key=repr)]
    if kind[0] == "enum":
        return ["enum", kind[1].partition(" ")[2], sorted(map(list, table.named(kind[1])), key=repr)]
    if kind[0] == "cls":
        return list(kind)
    return [kind[0], *(type_data(table, part) for part in kind[1:])]


@pytest.mark.parametrize("index", range(len(RELEASES)), ids=RELEASES)
def test_a_table_expands_to_what_the_real_parser_of_its_release_has(
    index: int, checksums: dict[str, str]
) -> None:
    table = table_at(index)
    text = json.dumps(as_data(table), sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == checksums[table.version]


def test_every_release_has_a_checksum_and_every_checksum_a_release(checksums: dict[str, str]) -> None:
    assert tuple(checksums) == RELEASES


def test_the_data_modules_are_what_the_generator_makes_of_the_dumps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    archive, render = (importlib.import_module(f"flagtables.{name}") for name in ("archive", "render"))
    for name, text in render.modules(archive.read()).items():
        assert (render.TARGET / name).read_text(encoding="utf-8") == text, name
    for name in [name for name in sys.modules if name.startswith("flagtables")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("written", "table", "exact", "newer", "older"),
    [
        pytest.param("0.26.0", "0.26.0", True, False, False, id="a release"),
        pytest.param("v0.26.0-cu129-ubuntu2404", "0.26.0", True, False, False, id="a tag"),
        pytest.param("0.10.1.1", "0.10.1", True, False, False, id="a release of four numbers"),
        pytest.param("0.26.7", "0.26.0", False, False, False, id="a patch that is not listed"),
        pytest.param("0.34.0", "0.33.0", False, True, False, id="newer than the tables"),
        pytest.param("1.0", "0.33.0", False, True, False, id="a new major"),
        pytest.param("latest", "0.33.0", False, True, False, id="latest"),
        pytest.param("nightly-5af64f", "0.33.0", False, True, False, id="nightly"),
        pytest.param("0.9.2", "0.10.0", False, False, True, id="older than the tables"),
    ],
)
def test_the_table_for_a_version_as_written(
    written: str, table: str, exact: bool, newer: bool, older: bool
) -> None:
    chosen = choose(written)
    assert (chosen.table.version, chosen.exact, chosen.newer, chosen.older) == (table, exact, newer, older)


@pytest.mark.parametrize(
    ("setting", "value", "since", "before"),
    [
        ("kv_cache_dtype", "nvfp4_4over6", "0.28.0", "0.27.1"),
        ("mm_processor_device", "cuda", "0.28.0", "0.27.1"),
        ("moe_backend", "b12x", "0.29.0", "0.28.0"),
    ],
)
def test_a_value_is_there_from_its_first_release_on(
    setting: str, value: str, since: str, before: str
) -> None:
    earlier = choose(before).table.options.get(setting)
    assert value in (choose(since).table.options[setting].choices or ())
    assert earlier is None or value not in (earlier.choices or ())


def test_the_minimum_gpu_of_a_quantization_method_is_known() -> None:
    assert choose("0.26.0").table.quantization_capability("awq") == 75


def test_releases_are_in_order() -> None:
    assert list(KNOWN) == sorted(KNOWN)
