from __future__ import annotations

import collections
import json
import typing as t

import pytest
from ansible.parsing import vault
from ansible.parsing.dataloader import DataLoader
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.plain import VAULTED, is_vaulted, to_plain

SECRET = vault.VaultSecret(b"password")
SECRETS = [("default", SECRET)]


def types_in(value: t.Any) -> set[type]:
    if isinstance(value, dict):
        return {dict}.union(*(types_in(key) | types_in(each) for key, each in value.items()))
    if isinstance(value, list):
        return {list}.union(*(types_in(each) for each in value))
    return {type(value)}


def vaulted(text: str) -> t.Any:
    """A value as a YAML file with !vault gives it, with a loader that knows the password."""
    cipher = vault.VaultLib(SECRETS).encrypt(text, SECRET).decode()
    loader = DataLoader()
    loader.set_vault_secrets(SECRETS)
    body = "".join(f"    {line}\n" for line in cipher.splitlines())
    return loader.load(f"token: !vault |\n{body}")["token"]


def test_what_ansible_reads_from_yaml_becomes_builtins() -> None:
    read = DataLoader().load("a: text\nb: [1, 1.5, true, null, {c: d}]\n")
    plain = to_plain(read)
    assert plain == {"a": "text", "b": [1, 1.5, True, None, {"c": "d"}]}
    assert types_in(plain) <= {dict, list, str, int, float, bool, type(None)}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (wrap_var("x"), "x"),
        (wrap_var({"a": ["b"]}), {"a": ["b"]}),
        (collections.OrderedDict(a=(1, 2)), {"a": [1, 2]}),
        ({"s": {3}}, {"s": [3]}),
        (b"bytes", "bytes"),
        (True, True),
        (None, None),
    ],
)
def test_containers_and_unsafe_text_become_builtins(value: t.Any, plain: t.Any) -> None:
    found = to_plain(value)
    assert found == plain
    assert types_in(found) <= {dict, list, str, int, bool, type(None)}
    json.dumps(found)


def test_a_vaulted_value_is_decrypted_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    if hasattr(vault, "VaultSecretsContext"):  # from ansible-core 2.19 on; set by the command line tools
        monkeypatch.setattr(vault.VaultSecretsContext, "_current", vault.VaultSecretsContext(SECRETS))
    value = vaulted("hf_token")
    assert is_vaulted(value)
    plain = to_plain({"token": value})
    assert plain == {"token": "hf_token"}
    assert type(plain["token"]) is str


def test_a_vaulted_value_that_nobody_needs_is_not_decrypted() -> None:
    unreadable = DataLoader().load("token: !vault |\n    $ANSIBLE_VAULT;1.1;AES256\n    00\n")
    assert to_plain(unreadable, reveal=False) == {"token": VAULTED}
