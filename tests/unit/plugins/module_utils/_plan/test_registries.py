from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.registries import (
    Archive,
    Registry,
    Source,
    logins_of,
    read_archives,
    read_registries,
    registries_conf,
    sources_of,
)

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"


def read(value: t.Any, keys: t.Any = None) -> list[Registry]:
    registries, findings = read_registries(value, keys)
    assert findings == []
    return registries


def test_an_image_of_no_known_registry_comes_from_where_its_name_says() -> None:
    assert sources_of(IMAGE, []) == [Source("docker.io/vllm/vllm-openai", False)]


def test_mirrors_come_before_the_registry_and_take_the_rest_of_the_name() -> None:
    registries = read(
        {"docker.io": {"mirrors": ["mirror:5000/hub", "other"]}, "mirror:5000": {"insecure": True}}
    )
    assert sources_of(IMAGE, registries) == [
        Source("mirror:5000/hub/vllm/vllm-openai", True),
        Source("other/vllm/vllm-openai", False),
        Source("docker.io/vllm/vllm-openai", False),
    ]


def test_the_longest_entry_that_fits_a_name_holds() -> None:
    registries = read({"r.test": {"mirrors": ["a"]}, "r.test/team": {"mirrors": ["b"]}})
    assert sources_of("r.test/team/x:1", registries)[0].location == "b/x"
    assert sources_of("r.test/teammate/x:1", registries)[0].location == "a/teammate/x"


def test_only_logins_of_the_places_an_image_may_come_from_are_needed() -> None:
    registries = read(
        {
            "docker.io": {"mirrors": ["mirror:5000"]},
            "mirror:5000": {"username": "u", "password": "m"},
            "elsewhere": {"username": "u", "password": "e"},
        }
    )
    assert [each.location for each in logins_of(IMAGE, registries)] == ["mirror:5000"]


def test_the_file_for_podman_marks_what_is_insecure_also_where_it_is_a_mirror() -> None:
    text = registries_conf(read({"docker.io": {"mirrors": ["m:5000"]}, "m:5000": {"insecure": True}}))
    assert text is not None
    assert text.startswith("# Written by gpuops.vllm_fleet")
    assert (
        '[[registry]]\nlocation = "docker.io"\n\n[[registry.mirror]]\nlocation = "m:5000"\ninsecure = true\n'
        in text
    )
    assert '[[registry]]\nlocation = "m:5000"\ninsecure = true\n' in text


def test_podman_needs_no_file_for_logins_alone() -> None:
    assert registries_conf(read({"r.test": {"username": "u", "password": "k"}})) is None


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        pytest.param(["r.test"], "bad_type", "mapping by registry", id="a list"),
        pytest.param({"r.test": "u"}, "bad_type", "mapping of username", id="a text for an entry"),
        pytest.param({"https://r.test/": {}}, "bad_type", "without scheme", id="a URL"),
        pytest.param({"r.test": {"user": "u"}}, "unknown_key", "no key user", id="an unknown key"),
        pytest.param({"r.test": {"insecure": "yes"}}, "bad_type", "true or false", id="a text as boolean"),
        pytest.param({"r.test": {"mirrors": "m"}}, "bad_type", "list of locations", id="one mirror as text"),
        pytest.param(
            {"r.test": {"username": "u"}}, "bad_type", "needs username and one of", id="no password"
        ),
        pytest.param({"r.test": {"password": "k"}}, "bad_type", "needs username and one of", id="no user"),
        pytest.param(
            {"r.test": {"username": "u", "password": "k", "podman_secret": "s"}},
            "bad_type",
            "needs username and one of",
            id="two passwords",
        ),
        pytest.param(
            {"r.test": {"auth_file": "/a", "username": "u", "password": "k"}},
            "bad_type",
            "both auth_file",
            id="two ways to log in",
        ),
        pytest.param(
            {"r.test": {"username": "u", "password": "registrie"}},
            "unknown_secret",
            "it has registry",
            id="a secret",
        ),
    ],
)
def test_a_registry_that_is_written_wrongly_is_told(value: t.Any, code: str, words: str) -> None:
    registries, (finding,) = read_registries(value, ["registry"])
    assert registries == []
    assert finding.code == code
    assert words in finding.message
    assert finding.fix
    assert (finding.origin or "").startswith("vllm_registries")


def test_the_secrets_are_not_held_against_a_registry_where_their_keys_are_not_known() -> None:
    assert read({"r.test": {"username": "u", "password": "k"}}, None)[0].password == "k"


def test_archives_are_on_the_control_node_unless_told_otherwise() -> None:
    archives, findings = read_archives({"a:1": "/x.tar", "b:1": {"path": "/y.tar", "on": "host"}})
    assert findings == []
    assert archives == {"a:1": Archive("/x.tar"), "b:1": Archive("/y.tar", on_host=True)}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        pytest.param(["/x.tar"], "mapping by image", id="a list"),
        pytest.param({"a:1": 5}, "must be a path", id="a number"),
        pytest.param({"a:1": {"path": "/x", "at": "host"}}, "no key at", id="an unknown key"),
        pytest.param({"a:1": {"path": "/x", "on": "moon"}}, "controller or host", id="another place"),
        pytest.param({"a@sha256:" + "0" * 64: "/x.tar"}, "no registry's digest", id="a digest"),
    ],
)
def test_an_archive_that_is_written_wrongly_is_told(value: t.Any, words: str) -> None:
    archives, (finding,) = read_archives(value)
    assert archives == {}
    assert words in finding.message
