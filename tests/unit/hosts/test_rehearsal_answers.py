"""The server that rehearses answers in the shape in which a real vLLM 0.32.0 was recorded to answer."""

from __future__ import annotations

import contextlib
import http.client
import json
import lzma
import re
import threading
import typing as t
from pathlib import Path
from types import ModuleType

import pytest

RECORDED = json.loads(
    lzma.decompress(
        (Path(__file__).parents[2] / "fixtures/rehearsal/vllm-0.32.0-answers.json.xz").read_bytes()
    )
)
WORDS = (
    "serve",
    "/tiny",
    "--port=0",
    "--host=127.0.0.1",
    "--max-model-len=256",
    "--served-model-name",
    "tiny",
    "small",
)
KEY = {"Authorization": "Bearer secret"}
Ask = t.Callable[..., tuple[int, t.Mapping[str, str], str]]


@contextlib.contextmanager
def serving(
    stand_in: t.Callable[[str], ModuleType], *words: str, scenario: str = "", **control: t.Any
) -> t.Iterator[tuple[Ask, t.Any]]:
    """A server in this process: how to ask it, and what its requests share."""
    cli, server_module = stand_in("cli"), stand_in("server")
    args = stand_in("parser").serve_parser().parse_args([*WORDS, *words])
    options = cli.read(args, {"VLLM_API_KEY": "secret"})
    source = stand_in("scenario").Source({"REHEARSAL": scenario, "REHEARSAL_CONTROL": "/nowhere", **control})
    app = server_module.App(options, source, stand_in("metrics").Metrics("tiny", 2), 2)
    server = cli.listen(args, type("_Handler", (server_module.Handler,), {"app": app}))
    server.server_activate()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()

    def ask(method: str, path: str, body: str | None = None, headers: t.Mapping[str, str] = KEY) -> t.Any:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    try:
        yield ask, app
    finally:
        app.aborting.set()
        server.shutdown()
        thread.join()
        server.server_close()


def shape(value: t.Any) -> t.Any:
    """Keys in their order, and types; a number is a number, and of a long list the first will do."""
    if isinstance(value, dict):
        return [(key, shape(each)) for key, each in value.items()]
    if isinstance(value, list):
        return [shape(each) for each in value[:2]]
    return float if type(value) in (int, float) else type(value)


def events(text: str) -> list[t.Any]:
    """What a stream of server-sent events holds."""
    found = [line[len("data: ") :] for line in text.splitlines() if line]
    return [each if each == "[DONE]" else json.loads(each) for each in found]


def name(case: t.Mapping[str, t.Any]) -> str:
    return f"{case['task']} {case['method']} {case['path']} {case['asked'] or ''}"[:120]


@pytest.mark.parametrize("case", RECORDED["answers"], ids=name)
def test_status_type_and_body_are_those_of_the_real_server(
    case: dict[str, t.Any], stand_in: t.Callable[[str], ModuleType]
) -> None:
    words = ("--runner=pooling", "--convert=embed") if case["task"] == "embed" else ()
    with serving(stand_in, *words) as (ask, _app):
        headers = KEY if case["with_key"] else {}
        status, told, text = ask(case["method"], case["path"], case["asked"], headers)
    assert (status, told.get("Content-Type")) == (case["status"], case["content_type"])
    if isinstance(case["told"], list):
        assert shape(events(text)[:-1]) == shape(case["told"][:-1])
        assert len(events(text)) == len(case["told"])
    elif case["told"] is not None:
        assert shape(json.loads(text)) == shape(case["told"])


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in RECORDED["answers"]
        if case["status"] >= 400 and "7 validation errors" not in json.dumps(case["told"])
    ],
    ids=name,
)
def test_errors_say_what_the_real_server_says(
    case: dict[str, t.Any], stand_in: t.Callable[[str], ModuleType]
) -> None:
    words = ("--runner=pooling", "--convert=embed") if case["task"] == "embed" else ()
    with serving(stand_in, *words) as (ask, _app):
        _status, _told, text = ask(
            case["method"], case["path"], case["asked"], KEY if case["with_key"] else {}
        )
    said, wanted = json.loads(text), case["told"]
    if "JSON decode error" in json.dumps(wanted):  # where in the text it stands, the two count differently
        said, wanted = (json.loads(re.sub(r"body\.\d+", "body", json.dumps(each))) for each in (said, wanted))
    assert said == wanted


def test_metrics_are_some_of_the_real_ones_with_their_types_and_labels(
    stand_in: t.Callable[[str], ModuleType],
) -> None:
    with serving(stand_in) as (ask, _app):
        ask("POST", "/v1/completions", '{"model":"tiny","prompt":"Hi","max_tokens":3}')
        _status, _told, text = ask("GET", "/metrics")
    types = set(re.findall(r"^# TYPE (vllm:\S+ \S+)$", text, re.MULTILINE))
    assert types <= set(RECORDED["metrics"])
    assert {"vllm:num_requests_running gauge", "vllm:num_requests_waiting gauge"} <= types
    for metric, labels in re.findall(r"^(vllm:\w+)\{(.*)\} ", text, re.MULTILINE):
        if metric != "vllm:cache_config_info":
            assert sorted(re.findall(r'(\w+)="', labels)) == RECORDED["labels"][metric]
    assert 'vllm:generation_tokens_total{engine="0",model_name="tiny"} 3.0' in text
    assert 'vllm:request_success_total{engine="0",finished_reason="length",model_name="tiny"} 1.0' in text


def test_requests_beyond_the_batch_wait_and_are_counted_as_waiting(
    stand_in: t.Callable[[str], ModuleType],
) -> None:
    with serving(stand_in, scenario="hang=tokens") as (ask, app):
        body = '{"model":"tiny","prompt":"Hi"}'
        clients = [threading.Thread(target=ask, args=("POST", "/v1/completions", body)) for _ in range(3)]
        for client in clients:
            client.start()
        until(lambda: app.metrics.open_requests == 3)
        assert ask("GET", "/health")[0] == 200
        text = ask("GET", "/metrics")[2]
        app.aborting.set()
        for client in clients:
            client.join()
    assert 'vllm:num_requests_running{engine="0",model_name="tiny"} 2.0' in text
    assert 'vllm:num_requests_waiting{engine="0",model_name="tiny"} 1.0' in text


def test_a_request_under_way_when_the_server_stops_comes_back_as_aborted(
    stand_in: t.Callable[[str], ModuleType],
) -> None:
    with serving(stand_in, scenario="hang=tokens") as (ask, app):
        found: list[t.Any] = []
        body = '{"model":"tiny","prompt":"Hi"}'
        client = threading.Thread(target=lambda: found.append(ask("POST", "/v1/completions", body)))
        client.start()
        until(lambda: app.metrics.open_requests == 1)
        app.draining.set()
        assert ask("POST", "/v1/completions", body)[0] == 500
        assert ask("GET", "/health")[0] == ask("GET", "/v1/models")[0] == 200
        app.aborting.set()
        client.join()
    assert (found[0][0], json.loads(found[0][2])["choices"][0]["finish_reason"]) == (200, "abort")


def test_the_scenario_makes_another_model_and_another_health_of_it(
    stand_in: t.Callable[[str], ModuleType],
) -> None:
    with serving(stand_in, scenario="serve_as=other two,health=503") as (ask, _app):
        assert ask("GET", "/health")[0] == 503
        served = [model["id"] for model in json.loads(ask("GET", "/v1/models")[2])["data"]]
    assert served == ["other", "two"]


def test_adapters_are_served_beside_the_model(stand_in: t.Callable[[str], ModuleType]) -> None:
    with serving(stand_in, "--lora-modules", "sql=/adapters/sql") as (ask, _app):
        models = json.loads(ask("GET", "/v1/models")[2])["data"]
        status = ask("POST", "/v1/completions", '{"model":"sql","prompt":"Hi"}')[0]
    assert [(model["id"], model["parent"]) for model in models][-1] == ("sql", "tiny")
    assert status == 200


def until(seen: t.Callable[[], bool]) -> None:
    """Look again and again, for ten seconds at most."""
    event = threading.Event()
    for _ in range(1000):
        if seen():
            return
        event.wait(0.01)
    pytest.fail("it did not come about in ten seconds")
