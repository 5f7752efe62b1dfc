from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.lines import read_line, read_lines

SAID = "ValueError: No available memory"


@pytest.mark.parametrize(
    "prefix",
    [
        "(EngineCore_DP0 pid=1094) ",
        "(Worker_TP1 pid=530) ERROR 10-06 18:54:30 [v1/executor/multiproc_executor.py:597] ",
        "**(VllmWorker TP0 pid=174579)** ERROR 08-05 07:31:10 [multiproc_executor.py:559] ",
        "(RayWorkerWrapper pid=1463574, ip=192.168.10.60) ",
        "[multiproc_executor.py:492] ",
        "ERROR 04-05 01:12:55 [core.py:390] ",
        "ERROR 08-21 08:30:55 api_server.py:339] ",
        "ERROR:    ",
        "vllm-1  | (EngineCore pid=9) ERROR 09-11 06:39:15 [core.py:1] ",
        "[rank0]: ",
        "2026-03-08 16:44:29,692 - ERROR - autotuner.py:262 - ",
        "2026-03-08T16:44:29.692Z stdout F ",
        "Nov 30 12:24:20 gpu-01 vllm-qwen[311]: (EngineCore pid=9) ERROR 09-11 06:39:15 [core.py:1] ",
        "2026-11-30T12:24:20+0100 gpu-01 podman[311]: ",
        "[  12.345678] gpu-01 podman[311]: ",
        "\x1b[0;36m(EngineCore_DP0 pid=8)\x1b[0;0m ",
        "│ ",
    ],
)
def test_what_loggers_and_collectors_put_in_front_is_taken_off(prefix: str) -> None:
    assert read_line(prefix + SAID).text == SAID


@pytest.mark.parametrize(
    ("raw", "level"),
    [
        ("(APIServer pid=1) INFO 05-03 17:49:44 [model.py:555] Resolved", "INFO"),
        ("INFO:     Application startup complete.", "INFO"),
        ("(EngineCore pid=1) 2026-03-08 16:44:29,692 - INFO - autotuner.py:262 - flashinfer", "INFO"),
        ("WARNING [envs.py:2109] Unknown vLLM environment variable", "WARNING"),
        ("ERROR 04-05 01:12:55 [core.py:390] ValueError: x", "ERROR"),
        ("ValueError: x", None),
        ("INFORMATION about nothing", None),
    ],
)
def test_the_level_of_a_logger_is_kept_and_not_guessed(raw: str, level: str | None) -> None:
    assert read_line(raw).level == level


def test_a_line_keeps_brackets_that_are_its_own() -> None:
    assert read_line("ERROR:    [Errno 98] error").text == "[Errno 98] error"


def test_each_redrawing_of_a_progress_bar_is_a_line() -> None:
    assert [line.text for line in read_lines("Capturing: 88%\rCUDA error: out of memory\n\n")] == [
        "Capturing: 88%",
        "CUDA error: out of memory",
    ]


def test_the_program_that_a_traceback_quotes_is_told_from_what_it_raised() -> None:
    log = '  File "a.py", line 1, in f\n    raise RuntimeError("one "\n                       "two")\nRuntimeError: one two'
    assert [line.is_source for line in read_lines(log)] == [False, True, True, False]
