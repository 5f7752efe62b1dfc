"""Why weights cannot be brought: every reason names who needs them and what to do."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.weight_needs import (
    CODES,
    missing_paths,
    missing_weights,
    weights_finding,
)

ENTRY: dict[str, t.Any] = {
    "key": "acme/tiny",
    "repo": "acme/tiny",
    "revision": None,
    "setting": "model",
    "origin": "vllm_instances.qwen.model",
    "instances": ["one", "qwen"],
    "image": "vllm:v1",
}


@pytest.mark.parametrize(
    ("problem", "has_token", "code", "says"),
    [
        ({"code": "gated"}, False, "weights_gated", "gives no token"),
        ({"code": "gated"}, True, "weights_gated", "has no access"),
        (
            {"code": "token_refused", "message": "Invalid"},
            True,
            "weights_token_refused",
            "does not know the token",
        ),
        ({"code": "not_found_or_private"}, False, "weights_not_found", "no token is given"),
        ({"code": "forbidden"}, True, "weights_not_found", "the token may not see it"),
        ({"code": "revision_unknown"}, False, "weights_revision_unknown", "no revision main"),
        (
            {"code": "too_many_requests", "message": "HTTP 429", "tries": 6},
            False,
            "weights_hub_busy",
            "away 6 times: HTTP 429",
        ),
        ({"code": "hub_out_of_reach", "message": "refused"}, False, "weights_hub_unreachable", "refused"),
        ({"code": "hub_failed", "message": "HTTP 500"}, False, "weights_hub_failed", "HTTP 500"),
        (
            {"code": "disk_too_small", "missing": 4 << 30, "free": 1 << 30, "keep_free": 1 << 30},
            False,
            "weights_disk_too_small",
            "4.0 GiB of acme/tiny are missing, and 1.0 GiB are free",
        ),
        ({"code": "disk_full", "message": "No space"}, False, "weights_disk_too_small", "in the middle of"),
        ({"code": "incomplete", "message": "x is not there"}, False, "weights_incomplete", "x is not there"),
        (
            {"code": "tool_failed", "message": "no module"},
            False,
            "weights_tool_failed",
            "the tool in vllm:v1",
        ),
    ],
)
def test_each_problem_has_a_code_a_cause_and_a_remedy(
    problem: dict[str, t.Any], has_token: bool, code: str, says: str
) -> None:
    finding = weights_finding({**ENTRY, "has_token": has_token}, problem)
    assert finding.code == code
    assert code in CODES
    assert says in finding.message
    assert finding.fix
    assert "{{" not in finding.fix
    assert (finding.instance, finding.origin) == ("one, qwen", "vllm_instances.qwen.model")


def test_whose_question_it_was_is_told_where_another_host_asked() -> None:
    assert "(asked by gpu-01)" in weights_finding(ENTRY, {"code": "gated"}, "gpu-01").message


def test_only_what_is_missing_is_told() -> None:
    other = {**ENTRY, "key": "acme/draft", "repo": "acme/draft"}
    assert [each.value for each in missing_weights([ENTRY, other], {"acme/draft": "gone"})] == ["acme/draft"]
    path = {**ENTRY, "path": "/srv/t.jinja", "setting": "chat_template"}
    (finding,) = missing_paths([path], {"/srv/t.jinja": "it is not on this host"})
    assert (finding.setting, finding.code) == ("chat_template", "weights_not_there")
