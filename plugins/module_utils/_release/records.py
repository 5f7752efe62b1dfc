"""What a host keeps of a release: what it is, and how it ended."""

from __future__ import annotations

import dataclasses
import json
import typing as t

SCHEMA = 1


class RecordError(ValueError):
    """A record that this version of the collection must not act on; the message says why."""


@dataclasses.dataclass(frozen=True)
class Record:
    """One release of one instance on one host. Holds no secret: ``intent`` names versions of secrets, no values."""

    instance: str
    release: int
    fleet: str
    intent_hash: str
    intent: t.Mapping[str, t.Any]
    model: str | None
    vllm_version: str | None  # as planned; what the server said stands in its outcome
    image: str  # the reference of the inventory
    image_identity: str
    url: str
    listen: str
    port: int
    devices: tuple[str, ...]
    gate: t.Mapping[str, t.Any]  # kind, timeout, hold, url, served_names
    service: str
    collection_version: str
    made_at: str  # ISO 8601, UTC
    image_id: str | None = None
    memory_share: float | None = None  # of each GPU, that the server wants to find free
    rolled_back_to: int | None = None  # the release this one repeats
    schema: int = SCHEMA

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data for JSON."""
        return {**dataclasses.asdict(self), "devices": list(self.devices)}

    def text(self) -> str:
        """The file ``record.json``."""
        return text_of(self.as_dict())


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a release ended: ``accepted``, ``undone``, ``failed`` (and nothing to go back to) or ``interrupted``."""

    state: str
    at: str
    message: str = ""
    seconds_until_ready: float | None = None
    seconds_without_service: float | None = None
    answer: t.Mapping[str, t.Any] | None = None
    vllm_version: str | None = None
    schema: int = SCHEMA

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data for JSON."""
        return dataclasses.asdict(self)

    def text(self) -> str:
        """The file ``outcome.json``."""
        return text_of(self.as_dict())


def parse_record(text: str) -> Record:
    """A record; RecordError where it is none, or of a newer collection."""
    data = _parse(text)
    try:
        return Record(**{**_known(Record, data), "devices": tuple(data["devices"])})
    except (TypeError, KeyError) as error:
        raise RecordError(f"it lacks {error}") from error


def parse_outcome(text: str) -> Outcome:
    """An outcome; RecordError where it is none, or of a newer collection."""
    data = _parse(text)
    try:
        return Outcome(**_known(Outcome, data))
    except TypeError as error:
        raise RecordError(str(error)) from error


def _parse(text: str) -> dict[str, t.Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise RecordError(f"it is no JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
        raise RecordError("it names no schema")
    if data["schema"] > SCHEMA:
        raise RecordError(
            f"it has schema {data['schema']}, and this collection reads {SCHEMA} at most. A newer gpuops.vllm_fleet"
            f" (it says {data.get('collection_version', 'no version')}) wrote it: run that one, or a newer"
        )
    return data


def _known(kind: type, data: dict[str, t.Any]) -> dict[str, t.Any]:
    """A field that a later version of the same schema added is passed over."""
    return {field.name: data[field.name] for field in dataclasses.fields(kind) if field.name in data}


def text_of(data: dict[str, t.Any]) -> str:
    """A file of a release or of a transaction."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
