"""What the headers of a model's safetensors files say: how many bytes of which kind, by name pattern."""

from __future__ import annotations

import dataclasses
import re
import typing as t

Part = t.Literal["expert", "layer", "embedding", "head", "vision", "mtp", "other"]

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.)")
_LAYER = re.compile(r"\b(?:layers|h|blocks)\.(\d+)\.")
_VISION = ("visual", "vision_tower", "vision_model", "vision_embed_tokens", "multi_modal_projector", "mm_projector",
           "audio_tower", "audio_model", "embed_vision", "embed_audio", "patch_embed", "vision_encoder")  # fmt: skip
_EMBEDDINGS = ("embed_tokens", "wte", "word_embeddings", "embeddings")


@dataclasses.dataclass(frozen=True)
class TensorGroup:
    """Tensors whose names differ only in numbers."""

    name: str  # numbers are *
    dtype: str
    bytes: int
    count: int
    part: Part


@dataclasses.dataclass(frozen=True)
class Tensors:
    """The weights of a model, as far as they are on disk."""

    groups: tuple[TensorGroup, ...]
    complete: bool = True

    def bytes_of(self, *parts: Part) -> int:
        """Bytes of the groups of these parts; of all without parts."""
        return sum(group.bytes for group in self.groups if not parts or group.part in parts)

    @property
    def has_mtp(self) -> bool:
        """Whether the layers that MTP drafts with are really there."""
        return any(group.part == "mtp" for group in self.groups)

    def segments(self) -> frozenset[str]:
        """Every dotted part of every name."""
        return frozenset(segment for group in self.groups for segment in group.name.split("."))


def part_of(name: str, layers: int | None) -> Part:
    """What a tensor belongs to; layers behind the model's last one are those of MTP (DeepSeek, GLM)."""
    segments = name.split(".")
    index = _LAYER.search(name)
    if "mtp" in segments or (index and layers and int(index.group(1)) >= layers and not _is_vision(segments)):
        return "mtp"
    if _is_vision(segments):
        return "vision"
    if "experts" in segments:
        return "expert"
    if any(word in segments for word in _EMBEDDINGS):
        return "embedding"
    if "lm_head" in segments:
        return "head"
    return "layer" if index else "other"


def _is_vision(segments: t.Sequence[str]) -> bool:
    return any(segment in _VISION for segment in segments)


def group_tensors(tensors: t.Iterable[tuple[str, str, int]], layers: int | None) -> tuple[TensorGroup, ...]:
    """Fold (name, dtype, bytes) of every tensor into groups, in the order of their first names."""
    found: dict[tuple[str, str, Part], list[int]] = {}
    for name, dtype, size in tensors:
        part = part_of(name, layers)
        key = (_NUMBER.sub("*", name), dtype, part)
        held = found.setdefault(key, [0, 0])
        held[0] += size
        held[1] += 1
    return tuple(
        TensorGroup(name, dtype, size, count, part) for (name, dtype, part), (size, count) in found.items()
    )


def read_tensors(given: t.Mapping[str, t.Any] | None) -> Tensors | None:
    """The ``tensors`` that vllm_model_info returned or an inventory holds; None where there are none to reckon with."""
    if not isinstance(given, t.Mapping):
        return None
    rows = given.get("groups")
    rows = rows if isinstance(rows, (list, tuple)) else ()
    groups = tuple(group for row in rows if (group := _group(row)) is not None)
    if not groups:
        total = given.get("total_bytes")
        if not isinstance(total, int) or isinstance(total, bool) or total <= 0:
            return None
        groups = _from_totals(given, total)
    return Tensors(groups, given.get("complete") is not False)


def _group(row: t.Any) -> TensorGroup | None:
    if not isinstance(row, t.Mapping) or not isinstance(row.get("bytes"), int) or not row.get("name"):
        return None
    name = str(row["name"])
    part = row.get("part") if row.get("part") in t.get_args(Part) else part_of(name, None)
    count = row["count"] if isinstance(row.get("count"), int) else 1
    return TensorGroup(name, str(row.get("dtype") or ""), row["bytes"], count, t.cast("Part", part))


def _from_totals(given: t.Mapping[str, t.Any], total: int) -> tuple[TensorGroup, ...]:
    """An inventory may give sums alone: total_bytes, and of it expert_bytes, vision_bytes and mtp_bytes."""
    parts: list[TensorGroup] = []
    told: tuple[Part, ...] = ("expert", "vision", "mtp")
    for part in told:
        held = given.get(f"{part}_bytes")
        if isinstance(held, int) and 0 < held <= total:
            name = "experts" if part == "expert" else part
            parts.append(TensorGroup(name, "", held, 1, part))
            total -= held
    return (*parts, TensorGroup("*", "", total, 1, "layer"))
