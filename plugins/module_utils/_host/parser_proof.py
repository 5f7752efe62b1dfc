"""Asking the parser inside an image about planned command lines, and remembering what it said."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from pathlib import Path

from .._settings.image_program import START, Answered, Verdict, program, question_hash, read
from .._settings.image_verdict import veiled
from . import podman, release_files
from .command import HostError
from .image_memory import find, read_memory
from .proof_container import lacks_python, run_python, timed_out
from .release_files import PROOF

if t.TYPE_CHECKING:
    from .command import Completed, Run

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Line:
    """A planned command line: what follows ``vllm serve``."""

    instance: str
    image: str
    argv: tuple[str, ...]
    env: t.Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the image said of a line; ``known_after_fetch`` is only said in check mode."""

    instance: str
    verdict: Verdict | t.Literal["known_after_fetch"]
    message: str = ""
    vllm_version: str = ""
    remembered: bool = False


@dataclasses.dataclass(frozen=True)
class _Question:
    line: Line
    image_id: str
    state: str


def lines_of(instances: t.Mapping[str, t.Mapping[str, t.Any]]) -> list[Line]:
    """What can be asked about of a plan; one with errors holds less, and says so itself."""
    return [
        Line(name, each["image"], tuple(map(str, each["argv"])), _env(each))
        for name, each in instances.items()
        if each.get("state") == "present" and each.get("image") and each.get("argv")
    ]


def _env(instance: t.Mapping[str, t.Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in (instance.get("env") or {}).items()}


def prove(run: Run, lines: t.Sequence[Line], state: str, timeout: int, check: bool = False) -> list[Answer]:
    """The verdict on each line, in their order; an image is asked once for all its lines with one environment."""
    questions = _questions(run, lines, state, check)
    answers = {line.instance: _later(line) for line in lines}
    kept = {each.line.instance: _remembered(each) for each in questions}
    answers.update({name: known for name, known in kept.items() if known})
    for group in _groups([each for each in questions if not answers[each.line.instance].remembered]):
        for question, answer in zip(group, _ask(run, group, timeout)):
            answers[answer.instance] = answer
            if not check:
                _remember(question, answer)
    return list(answers.values())


def _questions(run: Run, lines: t.Sequence[Line], state: str, check: bool) -> list[_Question]:
    """What can be asked now; only in check mode may an image not be there."""
    here = bool(lines) and podman.version(run) is not None
    if lines and not (here or check):
        raise HostError("there is no Podman on this host: install it first (role podman)")
    memory = read_memory(state)
    names = dict.fromkeys(line.image for line in lines)
    images = {name: find(run, name, memory) if here else None for name in names}
    lost = [name for name, image in images.items() if image is None]
    if lost and not check:
        raise HostError(f"{lost[0]} is not on this host: fetch it first (role vllm_image)")
    found = [(line, images[line.image]) for line in lines]
    return [_Question(line, image.image_id, state) for line, image in found if image]


def _groups(questions: t.Sequence[_Question]) -> list[list[_Question]]:
    """The environment works on the whole program, so only lines that share it are asked together."""
    groups: dict[tuple[str, str], list[_Question]] = {}
    for each in questions:
        groups.setdefault((each.image_id, json.dumps(dict(each.line.env), sort_keys=True)), []).append(each)
    return list(groups.values())


def _later(line: Line) -> Answer:
    return Answer(line.instance, "known_after_fetch", f"{line.image} is not here yet")


# asking --------------------------------------------------------------------------------------------------------------
def _ask(run: Run, questions: t.Sequence[_Question], timeout: int) -> list[Answer]:
    first = questions[0]
    text = program({each.line.instance: each.line.argv for each in questions}, first.line.env)
    done = run_python(
        run, first.image_id, f"parser_{first.line.instance}", ["-c", START], timeout=timeout, stdin=text
    )
    answered = read(done.stdout) or Answered(_why_not(done, timeout))
    return [_answer(each.line, answered) for each in questions]


def _answer(line: Line, answered: Answered) -> Answer:
    verdict, message = answered.verdicts.get(line.instance, ("not_asked", answered.problem))
    return Answer(line.instance, verdict, veiled(message, line.argv), answered.version)


def _why_not(done: Completed, timeout: int) -> str:
    if lacks_python(done):
        return "the image has no Python where images of vLLM have it"
    if timed_out(done):
        return f"no answer within {timeout} seconds (vllm_image_prove_timeout)"
    last = (done.said.splitlines() or [""])[-1].strip()
    return f"the program in the container ended with {done.rc}: {last}"


# remembering ---------------------------------------------------------------------------------------------------------
def memory_of(state: str, instance: str) -> t.Any:
    """What an image once said of an instance, as it was kept; None where nothing can be read."""
    try:
        return json.loads(release_files.read(Path(state) / instance / PROOF) or "null")
    except ValueError:
        return None


def known_answer(line: Line, image_id: str, known: t.Any) -> Answer | None:
    """The answer that was kept, where it is one of this image to this line."""
    wanted = {"schema": SCHEMA, "image_id": image_id, "argv_hash": question_hash(line.argv, line.env)}
    if not isinstance(known, dict) or any(known.get(key) != value for key, value in wanted.items()):
        return None
    verdict, message, version = (known.get(key) for key in ("verdict", "message", "vllm_version"))
    if verdict not in ("accepted", "refused") or not isinstance(message, str) or not isinstance(version, str):
        return None
    return Answer(line.instance, verdict, message, version, remembered=True)


def _remembered(question: _Question) -> Answer | None:
    kept = memory_of(question.state, question.line.instance)
    return known_answer(question.line, question.image_id, kept)


def _remember(question: _Question, answer: Answer) -> None:
    """Only what an image says of a line stays true; why it could not be asked may be another thing next time."""
    if answer.verdict == "not_asked":
        return
    known = {
        "schema": SCHEMA,
        "image_id": question.image_id,
        "argv_hash": question_hash(question.line.argv, question.line.env),
        "verdict": answer.verdict,
        "message": answer.message,
        "vllm_version": answer.vllm_version,
    }
    release_files.write(
        Path(question.state) / question.line.instance / PROOF, json.dumps(known, indent=1) + "\n", mode=0o600
    )
