"""What somebody ran is what the unit of the adopted instance runs, whatever characters are in it."""

from __future__ import annotations

import shlex

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.adopt import adopt
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.quadlet_unit import read_unit
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.script import read_run_lines
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.binding import bind
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.unit import Site
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import parse_unit

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"
TEXTS = (
    "plain", "a b", " outer ", "50%h", "100%%", "$HOME", "${PATH}", "$$", "it's", '"quoted"', "back\\slash", "\\x41",
    "line\nbreak", "tab\t", "ü", ";", "#", "a=b=c", "{json: [1]}", "`x`", "!", "*",
)  # fmt: skip


def unit_of(line: str, version: tuple[int, int, int]) -> str:
    adopted = adopt(read_run_lines(line, "run.sh"))
    assert adopted.valid, adopted.findings
    plan = plan_host({"vllm_instances": adopted.instances}, [], HostFacts(), None)
    (instance,) = plan.instances.values()
    bound = bind(
        instance, HostFacts(podman_version=version, image_digests={IMAGE: "sha256:" + 64 * "0"}), Site()
    )
    assert bound.unit_text is not None, bound.finding
    return bound.unit_text


def again(text: str) -> Found:
    (found,) = read_unit(text, "vllm-x.container")
    return found


@pytest.mark.parametrize("version", [(4, 4, 0), (4, 9, 3), (5, 4, 2)])
@pytest.mark.parametrize("text", TEXTS)
def test_a_label_an_annotation_and_a_variable_arrive_as_they_were(
    text: str, version: tuple[int, int, int]
) -> None:
    asked = ["--label", f"a={text}", "--annotation", f"b={text}", "--env", f"C={text}"]
    line = shlex.join(
        ["podman", "run", "--device", "nvidia.com/gpu=all", "--name", "x", *asked, IMAGE, "some/model"]
    )
    found = again(unit_of(line, version))
    assert f"a={text}" in found.values("--label")
    assert f"b={text}" in found.values("--annotation")
    assert found.env["C"] == text


@pytest.mark.parametrize("text", ["/a b", "/50%h", "/$HOME", '/"a"', "/a\\b"])
@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("--workdir", "WorkingDir"),
        ("--hostname", "HostName"),
        ("--sysctl", "Sysctl"),
        ("--device-cgroup-rule", None),
    ],
)
def test_other_keys_say_the_same_or_podmans_own_words_do(option: str, key: str | None, text: str) -> None:
    line = shlex.join(
        ["podman", "run", "--device", "nvidia.com/gpu=all", "--name", "x", option, text, IMAGE, "m/m"]
    )
    unit = unit_of(line, (5, 4, 2))
    found = again(unit)
    by_key = parse_unit(unit).section("Container").last(key or "")
    plain = (by_key or "").replace("%%", "%").replace("$$", "$")
    assert text in (found.values(option) or [plain])


UNIT = f"""
[Container]
Image={IMAGE}
ContainerName=%p-server
AddDevice=nvidia.com/gpu=all
Volume=%h/models:/models
Volume=/srv/100%%:/full
WorkingDir=%h/50%%
Label="a=b c" d=%N-$${{X}}
Environment=A=%i "B=${{SIZE}} %%"
Exec=m/m --served-model-name ${{NAME}} $MORE "x $$y" --chat-template $${{raw}} --seed %m
[Service]
Environment=NAME=n SIZE=3 "MORE=--max-model-len 4096"
"""


def test_what_systemd_would_put_into_a_unit_is_put_in() -> None:
    (found,) = read_unit(UNIT, "llm@two.container", variables={"HOME": "/home/me"})
    assert found.name == "llm-server"
    assert found.values("--volume") == ["/home/me/models:/models", "/srv/100%:/full"]
    assert found.values("quadlet:WorkingDir") == ["/home/me/50%%"]
    assert found.values("--label") == ["a=b c", "d=llm@two-${X}"]
    assert found.env == {"A": "two", "B": "3 %"}
    assert found.command == (
        "m/m", "--served-model-name", "n", "--max-model-len", "4096", "x $y", "--chat-template", "${raw}", "--seed", "%m",
    )  # fmt: skip
    assert found.unresolved == ("%m",)


def test_a_home_that_is_not_known_is_told_where_it_is_needed() -> None:
    (found,) = read_unit(UNIT, "llm.container")
    assert found.values("--volume")[0] == "~/models:/models"
    (adopted,) = adopt([found]).instances.values()
    assert adopted["volumes"][0] == "/root/models:/models"
    assert "~/models is taken as /root/models" in [each.message for each in adopt([found]).findings]


def test_files_of_variables_are_asked_for_by_the_names_that_count() -> None:
    files = {"prod.env": "A=1", "/etc/llm/two.env": "B=2"}.get
    (found,) = read_run_lines(f"docker run --env-file ${{EF:-prod.env}} {IMAGE} m", "run.sh", files=files)
    assert found.env == {"A": "1"}
    service = f"[Service]\nExecStart=/usr/bin/podman run --env-file /etc/llm/%i.env {IMAGE} m\n"
    (found,) = read_unit(service, "llm@two.service", files)
    assert found.env == {"B": "2"}
