"""The fingerprint of a key is the one that gpg gives; keys in the fixtures were made for these tests alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._toolkit.openpgp import fingerprints, normal

_KEYS = Path(__file__).parents[4] / "fixtures" / "keys"
ED25519, RSA = "ADAD177E7B137FCFDB24AA765721B703C4558C15", "B3846BBAB2635C9D1964E5BBFCB3F46AECD1F045"


def key(name: str) -> str:
    return (_KEYS / f"{name}.asc").read_text(encoding="ascii")


@pytest.mark.parametrize(("name", "fingerprint"), [("ed25519", ED25519), ("rsa2048", RSA)])
def test_the_fingerprint_of_a_key_is_what_gpg_says(name: str, fingerprint: str) -> None:
    assert fingerprints(key(name)) == [fingerprint]


def test_a_file_with_two_keys_tells_both() -> None:
    assert fingerprints(key("ed25519") + "\n" + key("rsa2048")) == [ED25519, RSA]


def test_line_ends_and_headers_of_other_programs_do_not_matter() -> None:
    text = key("ed25519").replace("BLOCK-----\n", "BLOCK-----\nVersion: Other 1.0\nComment: x\n", 1)
    assert fingerprints(text.replace("\n", "\r\n")) == [ED25519]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<html>404</html>", "no armored OpenPGP public key"),
        ("", "no armored OpenPGP public key"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!!\n-----END PGP PUBLIC KEY BLOCK-----\n", "armor of the key is damaged"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n", "damaged: a packet"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDM=\n-----END PGP PUBLIC KEY BLOCK-----\n", "cut off"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----\n", "no public key in it"),
    ],
)  # fmt: skip
def test_what_is_no_key_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        fingerprints(text)


@pytest.mark.parametrize("written", ["C95B 321B 61E8", "c95b321b61e8", "0xC95B321B61E8", "C9:5B:32:1B:61:E8"])
def test_fingerprints_may_be_written_as_people_do(written: str) -> None:
    assert normal(written) == "C95B321B61E8"
