"""The table of confusions teaches nothing that no release has."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.confusions import OPTIONS, VALUES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.options_data import (
    OPTIONS as SETTINGS,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import KNOWN, Table, table_at

REGISTRIES = {
    "quantization": "quantization",
    "attention_backend": "attention_backends",
    "load_format": "load_formats",
}


def test_every_option_to_write_is_one_of_some_release() -> None:
    written = {name for meaning in OPTIONS.values() for name in meaning.write}
    assert written - set(SETTINGS) == set()


def test_every_confusion_says_what_to_write_or_why_not() -> None:
    assert [name for name, meaning in OPTIONS.items() if not meaning.write and not meaning.note] == []


def test_names_are_plain() -> None:
    assert [name for name in OPTIONS if name != name.lower() or "-" in name] == []


def test_no_option_of_the_newest_release_is_called_a_confusion_without_need() -> None:
    newest = table_at(len(KNOWN) - 1)
    assert {name for name in OPTIONS if name in newest.options} == {"ubatch_size"}


def _allowed(setting: str, table: Table) -> set[str]:
    if setting in REGISTRIES:
        return set(table.registry(REGISTRIES[setting]))
    named = {"speculative_config.method": "SpeculativeConfig.method"}.get(setting, setting)
    option = table.options.get(setting)
    return {str(value) for value in (*table.named(named), *((option.choices if option else None) or ()))}


def test_every_value_to_write_is_taken_by_some_release() -> None:
    tables = [table_at(index) for index in range(len(KNOWN))]
    for setting, rows in VALUES.items():
        known = set().union(*(_allowed(setting, table) for table in tables)) | {"auto"}
        written = {value for meaning in rows.values() for value in meaning.write}
        assert written - known == set(), setting


def test_no_value_that_a_setting_takes_is_called_a_confusion() -> None:
    newest = table_at(len(KNOWN) - 1)
    for setting, rows in VALUES.items():
        assert set(rows) & _allowed(setting, newest) == set(), setting
