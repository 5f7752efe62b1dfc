"""What goes wrong in a release is told, undone by the host itself, and touches nobody else."""

from __future__ import annotations

import re
import typing as t

import pytest
from fleet import CHECKOUT, Load

if t.TYPE_CHECKING:
    from conftest import Fleet
    from fleet import Done
    from table import Row

# What is wrong with the new release, how the rehearsal server is told to do it, what the operator must read, and what
# more of the instance differs.
SHUT: dict[str, tuple[str, str, str, dict[str, t.Any]]] = {
    "oom": ("out of memory while it loads", "fail=oom_generic", r"Cause: GPU memory ran out", {}),
    "bad_setting": (
        "a setting that the parser takes and the engine refuses",
        "fail=kv_cache_too_small_for_max_model_len",
        r"Cause: .*(KV cache|max_model_len)",
        {},
    ),
    "crash_after_healthy": (
        "a crash after it had answered",
        "load_seconds=1,fail=cuda_illegal_memory_access,fail_after=2",
        r"it served and then did not any more",
        {},
    ),
    "hang": (
        "it hangs: /health is good, no tokens come",
        "load_seconds=1,hang=tokens",
        r"no_tokens: /health is good, but a request for tokens brings no answer",
        {"gate": {"timeout": 30}},
    ),
    "wrong_model": (
        "another model is served",
        "load_seconds=1,serve_as=other",
        r"wrong_model: it serves other, planned is tiny",
        {},
    ),
    "loop": (
        "it ends and is started again, over and over",
        "load_seconds=0,fail=removed_or_unknown_argument",
        r"(looping|failed): the server (ends and is started again|has ended)",
        {},
    ),
}
QUICK = ("oom", "hang")


def broken(fleet: Fleet, how: str, further: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
    """A release that nobody had before, whose server does as it is told."""
    return {**fleet.something_new(), "env": {"REHEARSAL": how}, **(further or {})}


def told(output: str, pattern: str) -> str:
    """The line of the output that says it."""
    line = next((line for line in output.splitlines() if re.search(pattern, line)), None)
    assert line is not None, f"{pattern!r} is not in\n{output[-6000:]}"
    return line.strip()


def next_run_is_good(fleet: Fleet) -> Done:
    """Whatever was left behind, a good release goes through after it."""
    done = fleet.release(fleet.something_new())
    assert done.rc == 0, done.output[-6000:]
    assert done.changed == {"gpu-01": 1}
    assert fleet.first.answer() == "token"
    return done


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.quick if name in QUICK else ()) for name in SHUT]
)
def test_the_old_release_serves_again(fleet: Fleet, row: Row, name: str) -> None:
    fault, how, pattern, further = SHUT[name]
    neighbour = fleet.first.started("neighbour")
    with Load(fleet.first.url()) as load:
        done = fleet.release(broken(fleet, how, further))
        assert fleet.first.answer() == "token", "the old release does not serve right after the run"
    assert done.rc != 0
    row.told = told(done.output, pattern)
    told(done.output, r"Undone: release \d+ serves again")
    assert fleet.first.started("neighbour") == neighbour
    next_run_is_good(fleet)
    row.fault, row.after, row.gap = fault, "the old release serves again", load.gap


@pytest.mark.quick
def test_a_first_release_that_fails_is_stopped_and_not_started_at_boot(fleet: Fleet, row: Row) -> None:
    new = {"port": 8002, "gpus": [], "env": {"REHEARSAL": "fail=oom_generic"}}
    new["settings"] = {"served_model_name": "fresh"}
    done = fleet.begin_on({"gpu-01": {"vllm_instances__fresh": {"fresh": new}}}, "--limit", "gpu-01").wait()
    assert done.rc != 0
    row.told = told(done.output, "There was nothing to go back to")
    state = "systemctl show -p ActiveState,NRestarts --value vllm-fresh.service"
    assert "active" not in fleet.first.run(state).split()
    assert fleet.first.run("ls /etc/containers/systemd/vllm-fresh.container 2>&1 || true").startswith("ls:")
    row.fault, row.after = (
        "the first release of an instance fails",
        "stopped, not looping, not started at boot",
    )
    fleet.first.run("rm -rf /var/lib/vllm-fleet/fresh")


def refused(fleet: Fleet, row: Row, fault: str, pattern: str, tiny: dict[str, t.Any], *further: str) -> None:
    """Refused before anything was stopped: the same container serves on."""
    before = fleet.first.started("tiny")
    with Load(fleet.first.url()) as load:
        done = fleet.release(tiny, *further)
    assert done.rc != 0
    row.told = told(done.output, pattern)
    assert fleet.first.started("tiny") == before
    assert fleet.first.answer() == "token"
    row.fault, row.after, row.gap = fault, "nothing was stopped", load.gap
    assert load.gap == 0


def test_a_port_of_a_stranger_is_left_to_him(fleet: Fleet, row: Row) -> None:
    pid = fleet.first.run("python3 -m http.server 8006 >/dev/null 2>&1 & echo $!")
    try:
        new = {**fleet.something_new(), "port": 8006}
        refused(
            fleet,
            row,
            "the new port is taken by a stranger",
            r"port 8006 is taken by process \d+ \(python3\)",
            new,
        )
        assert fleet.first.run(f"kill -0 {pid} && echo alive") == "alive"
    finally:
        fleet.first.run(f"kill {pid}", check=False)
    next_run_is_good(fleet)


def test_gpu_memory_that_another_process_holds_is_left_to_it(fleet: Fleet, row: Row) -> None:
    pid = fleet.first.run(
        "mkdir -p /run/fake-gpu/holders; sleep 1200 >/dev/null 2>&1 & "
        'echo "gpu=0 mib=20000 name=train" > /run/fake-gpu/holders/$!; echo $!'
    )
    try:
        pattern = rf"gpu_memory_utilization 0\.9\d?\): held by process {pid} \(train"
        refused(fleet, row, "another process holds the GPU's memory", pattern, fleet.something_new())
    finally:
        fleet.first.run(f"kill {pid}", check=False)
    next_run_is_good(fleet)


@pytest.mark.quick
def test_a_device_that_goes_between_plan_and_start_stops_nothing(fleet: Fleet, row: Row) -> None:
    hooks = f"vllm_drain_tasks={CHECKOUT}/tests/reliability/device_gone.yml"
    fault = "the CDI device is gone between plan and start"
    try:
        refused(fleet, row, fault, r"nvidia\.com/gpu=0 does not resolve", fleet.something_new(), "-e", hooks)
    finally:
        fleet.first.run("mv /etc/cdi.gone /etc/cdi", check=False)
    next_run_is_good(fleet)


def test_a_release_whose_image_is_gone_is_not_gone_back_to(fleet: Fleet, row: Row) -> None:
    made = "podman rm -f made 2>/dev/null; podman create --name made localhost/vllm-rehearsal:v0.32.0 && "
    fleet.first.run(made + "podman commit -q made localhost/vllm-rehearsal-copy:v0.32.0 && podman rm made")
    copy = {**fleet.something_new(), "image": "localhost/vllm-rehearsal-copy:v0.32.0"}
    assert fleet.release(copy).rc == 0
    next_run_is_good(fleet)
    fleet.first.run("podman rmi -f $(podman images -q localhost/vllm-rehearsal-copy)")
    before = fleet.first.started("tiny")
    arguments = ("--limit", "gpu-01", "-e", "vllm_roll_back=tiny")
    done = fleet.begin_on({}, *arguments, playbook="playbooks/roll_back.yml").wait()
    assert done.rc != 0
    row.told = told(done.output, "is not on this host any more: fetch it again")
    assert fleet.first.started("tiny") == before
    row.fault, row.after = "roll_back.yml, and the image of that release is gone", "nothing was stopped"
    next_run_is_good(fleet)


def test_a_secret_that_was_rotated_comes_back_with_its_release(fleet: Fleet, row: Row) -> None:
    keyed = {"secrets": {"VLLM_API_KEY": "api"}}
    old = fleet.release({**fleet.something_new(), **keyed}, vllm_secrets={"api": "key-of-before"})
    assert old.rc == 0, old.output[-6000:]
    assert fleet.first.answer(key="key-of-before") == "token"
    assert fleet.first.answer(key="key-of-after") == "HTTP 401"
    new = {**broken(fleet, "fail=oom_generic"), **keyed}
    done = fleet.release(new, vllm_secrets={"api": "key-of-after"})
    assert done.rc != 0
    row.told = told(done.output, r"Undone: release \d+ serves again")
    assert [name for name, text in fleet.kept().items() if "key-of" in text] == []
    assert fleet.first.places_of({"before": "key-of-before", "after": "key-of-after"}) == []
    assert fleet.first.answer(key="key-of-before") == "token"
    row.fault, row.after = (
        "a secret was rotated, and the gate stays shut",
        "the old release serves, with its own secret",
    )
    next_run_is_good(fleet)


SWAP = {
    "tiny": {"port": 8001},
    "neighbour": {"port": 8000},
}


@pytest.mark.quick
def test_two_that_swap_their_ports_go_back_together(fleet: Fleet, row: Row) -> None:
    over = {
        "tiny": {**SWAP["tiny"], "env": {"REHEARSAL": "fail=oom_generic"}},
        "neighbour": SWAP["neighbour"],
    }
    done = fleet.begin_on({"gpu-01": {"vllm_overrides": over}}, "--limit", "gpu-01").wait()
    assert done.rc != 0
    row.told = told(done.output, "undone together with tiny")
    assert fleet.first.answer("tiny", 8000) == "token"
    assert fleet.first.answer("neighbour", 8001) == "token"
    row.fault, row.after = "two instances swap their ports, and one fails", "both serve where they did"


def test_two_can_swap_their_ports(fleet: Fleet, row: Row) -> None:
    done = fleet.begin_on({"gpu-01": {"vllm_overrides": SWAP}}, "--limit", "gpu-01").wait()
    assert done.rc == 0, done.output[-6000:]
    assert fleet.first.answer("tiny", 8001) == "token"
    assert fleet.first.answer("neighbour", 8000) == "token"
    back = fleet.release()
    assert back.rc == 0, back.output[-6000:]
    row.fault, row.told, row.after = "two instances swap their ports", "-", "both serve on the other port"


def renamed(env: str) -> dict[str, t.Any]:
    """What was tiny is called renamed, with its GPU and its port."""
    settings = {"served_model_name": "renamed"}
    new = {"renamed": {"port": 8000, "gpus": ["0"], "env": {"REHEARSAL": env}, "settings": settings}}
    return {"vllm_overrides": {"tiny": None}, "vllm_instances__renamed": new, "vllm_remove_orphans": True}


def test_a_rename_that_fails_leaves_the_old_name_serving(fleet: Fleet, row: Row) -> None:
    done = fleet.begin_on({"gpu-01": renamed("fail=oom_generic")}, "--limit", "gpu-01").wait()
    assert done.rc != 0
    row.told = told(done.output, "undone together with renamed")
    assert fleet.first.answer("tiny", 8000) == "token"
    row.fault, row.after = "a rename, and the new name fails", "the old name serves again"
    next_run_is_good(fleet)


def test_a_rename_leaves_nothing_of_the_old_name(fleet: Fleet, row: Row) -> None:
    done = fleet.begin_on({"gpu-01": renamed("load_seconds=1")}, "--limit", "gpu-01").wait()
    assert done.rc == 0, done.output[-6000:]
    assert fleet.first.answer("renamed", 8000) == "token"
    assert (
        fleet.first.run(
            "ls -d /etc/containers/systemd/vllm-tiny.container /var/lib/vllm-fleet/tiny 2>/dev/null || true"
        )
        == ""
    )
    back = fleet.release(None, vllm_remove_orphans=True)
    assert back.rc == 0, back.output[-6000:]
    assert fleet.first.answer("tiny", 8000) == "token"
    row.fault, row.told, row.after = "a rename", "-", "the new name serves, nothing of the old one is left"


def test_one_over_two_gpus_becomes_two_over_one_each(fleet: Fleet, row: Row) -> None:
    """And back: what shares a GPU, before or after, is stopped and started together."""
    wide = {"gpus": ["0", "1"], "settings": {"tensor_parallel_size": 2}}
    over = {"vllm_overrides": {"tiny": wide, "neighbour": {"state": "absent"}}}
    done = fleet.begin_on({"gpu-01": over}, "--limit", "gpu-01").wait()
    assert done.rc == 0, done.output[-6000:]
    assert fleet.first.answer("tiny") == "token"
    done = fleet.release()
    assert done.rc == 0, done.output[-6000:]
    assert fleet.first.answer("tiny") == "token"
    assert fleet.first.answer("neighbour", 8001) == "token"
    row.fault, row.told, row.after = "one server over two GPUs becomes two over one each", "-", "both serve"
