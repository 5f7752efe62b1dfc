"""Texts from elsewhere as values of free keys; what is expected is what Quadlet 5.4.2 hands on byte for byte."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.literal import literal


@pytest.mark.parametrize(
    ("key", "text", "written"),
    [
        ("Label", "a=b", "a=b"),
        ("Label", "a=b c", '"a=b c"'),
        ("Label", "load=50%h", "load=50%%h"),
        ("Label", "price=$9", "price=$$9"),
        ("Label", 'a="b"', r'"a=\"b\""'),
        ("Annotation", "a=b\nc", r'"a=b\nc"'),
        ("PodmanArgs", "--device=/dev/a b", '"--device=/dev/a b"'),
        ("WorkingDir", "/a b/50%h", "/a b/50%%h"),
        ("HostName", r"a\b", r"a\b"),
        ("AddHost", "a:$IP", "a:$$IP"),
        ("Sysctl", "net.core.somaxconn=1024", "net.core.somaxconn=1024"),
    ],
)
def test_a_key_hands_on_what_the_text_says(key: str, text: str, written: str) -> None:
    assert literal(key, text) == written


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        ("Sysctl", "net.ipv4.ip_local_port_range=1024 65535", "split at spaces"),
        ("AddCapability", r"A\B", "knows no escapes"),
        ("WorkingDir", '/a"', "loses the quotes"),
        ("WorkingDir", "/a\n", "cannot be written"),
        ("HostName", "", "it is empty"),
    ],
)
def test_what_a_key_has_no_way_to_write_is_refused(key: str, text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        literal(key, text)
