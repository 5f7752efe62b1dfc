"""Whatever somebody wrote into a command line, its secrets are not shown."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.masked import masked, masked_intent

HIDDEN = "********"


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        pytest.param(["m", "--api-key", "canary", "--port", "1"], ["m", "--api-key", HIDDEN, "--port", "1"], id="key"),
        pytest.param(["--api-key", "one", "two"], ["--api-key", HIDDEN, HIDDEN], id="several keys"),
        pytest.param(["--api-key=canary"], [f"--api-key={HIDDEN}"], id="one word"),
        pytest.param(["--hf-token", "x"], ["--hf-token", HIDDEN], id="a token"),
        pytest.param(["--max-num-batched-tokens", "8"], ["--max-num-batched-tokens", "8"], id="tokens are no token"),
        pytest.param(["hf_abcdefghijklmnopqrst"], [HIDDEN], id="a token by its shape"),
        pytest.param(['{"password": "x", "a": 1}'], [f'{{"password": "{HIDDEN}", "a": 1}}'], id="inside JSON"),
        pytest.param(["--model", "known-secret-in-a-name"], ["--model", f"{HIDDEN}-in-a-name"], id="a known value"),
    ],
)  # fmt: skip
def test_a_secret_is_hidden_wherever_it_stands(argv: list[str], shown: list[str]) -> None:
    assert masked(argv, ["known-secret"]) == shown


def test_the_environment_of_a_release_is_hidden_by_its_names() -> None:
    shown = masked_intent({"argv": [], "env": {"HF_TOKEN": "canary", "HOME": "/root"}})
    assert shown["env"] == {"HF_TOKEN": HIDDEN, "HOME": "/root"}
