"""What the module says of models on a host: whole ones, broken ones, and those that are not there."""

from __future__ import annotations

import json
import struct
import typing as t
from pathlib import Path

import pytest

from .as_on_a_host import run_module

_SIZES = {"BF16": 2, "F32": 4, "F8_E4M3": 1}
_CONFIG = {
    "architectures": ["Qwen3_5MoeForConditionalGeneration"],
    "model_type": "qwen3_5_moe",
    "text_config": {"model_type": "qwen3_5_moe_text", "num_hidden_layers": 2, "mtp_num_hidden_layers": 1},
}
_TENSORS = {
    "model.language_model.embed_tokens.weight": ("BF16", 1000),
    "model.language_model.layers.0.mlp.experts.0.down_proj.weight": ("F8_E4M3", 600),
    "model.language_model.layers.0.mlp.experts.1.down_proj.weight": ("F8_E4M3", 600),
    "model.language_model.layers.1.self_attn.q_proj.weight": ("BF16", 300),
    "model.visual.blocks.0.attn.qkv.weight": ("BF16", 50),
    "mtp.layers.0.mlp.gate.weight": ("F32", 7),
    "lm_head.weight": ("BF16", 1000),
}


def write_safetensors(path: Path, tensors: t.Mapping[str, tuple[str, int]], lacking: int = 0) -> None:
    """A file of that format, without its last bytes."""
    header: dict[str, t.Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, (dtype, elements) in tensors.items():
        size = elements * _SIZES[dtype]
        header[name] = {"dtype": dtype, "shape": [elements], "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    path.write_bytes((struct.pack("<Q", len(text)) + text + bytes(end))[: -lacking or None])


def write_model(folder: Path, lacking: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(_CONFIG), encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    names = list(_TENSORS)
    first, second = names[:4], names[4:]
    write_safetensors(
        folder / "model-00001-of-00002.safetensors", {name: _TENSORS[name] for name in first}, lacking
    )
    write_safetensors(folder / "model-00002-of-00002.safetensors", {name: _TENSORS[name] for name in second})
    index = {name: f"model-0000{1 if name in first else 2}-of-00002.safetensors" for name in names}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}), encoding="utf-8")
    return folder


def ask(folder: Path, **options: t.Any) -> dict[str, t.Any]:
    return run_module("vllm_model_info", folder, **options)


def test_a_whole_model_is_told_by_its_headers(tmp_path: Path) -> None:
    answer = ask(tmp_path, model=str(write_model(tmp_path / "m")))
    tensors = answer["tensors"]
    assert answer["problem"] is None
    assert answer["config"] == _CONFIG
    assert answer["has_tokenizer"] is True
    assert answer["has_chat_template"] is False
    assert tensors["complete"] is True
    assert tensors["by_dtype"] == {"BF16": 4700, "F8_E4M3": 1200, "F32": 28}
    assert tensors["total_bytes"] == 5928
    assert (tensors["expert_bytes"], tensors["vision_bytes"], tensors["mtp_bytes"]) == (1200, 100, 28)
    assert tensors["has_mtp"] is True


def test_tensors_that_differ_in_numbers_only_are_one_group(tmp_path: Path) -> None:
    groups = ask(tmp_path, model=str(write_model(tmp_path / "m")))["tensors"]["groups"]
    expert = next(group for group in groups if group["part"] == "expert")
    assert expert == {
        "name": "model.language_model.layers.*.mlp.experts.*.down_proj.weight",
        "dtype": "F8_E4M3",
        "bytes": 1200,
        "count": 2,
        "part": "expert",
    }


def test_no_tensor_is_read(tmp_path: Path) -> None:
    """A sparse file of a terabyte takes as long as an empty one."""
    folder = write_model(tmp_path / "m")
    path = folder / "model-00002-of-00002.safetensors"
    huge = {"lm_head.weight": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 1 << 40]}}
    text = json.dumps(huge).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    with path.open("r+b") as file:
        file.truncate(8 + len(text) + (1 << 40))
    answer = ask(tmp_path, model=str(folder))
    assert answer["problem"] is None
    assert answer["tensors"]["total_bytes"] > 1 << 40


def broken_off(folder: Path) -> None:
    write_model(folder, lacking=100)


def without_a_shard(folder: Path) -> None:
    (write_model(folder) / "model-00002-of-00002.safetensors").unlink()


def with_a_pointer(folder: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    (write_model(folder) / "model-00001-of-00002.safetensors").write_text(pointer, encoding="utf-8")


def without_weights(folder: Path) -> None:
    for path in write_model(folder).glob("model*"):
        path.unlink()


def without_config(folder: Path) -> None:
    (write_model(folder) / "config.json").unlink()


def with_half_a_config(folder: Path) -> None:
    (write_model(folder) / "config.json").write_text('{"model_type": ', encoding="utf-8")


def with_a_list_as_config(folder: Path) -> None:
    (write_model(folder) / "config.json").write_text("[]", encoding="utf-8")


def with_noise(folder: Path) -> None:
    (write_model(folder) / "model-00001-of-00002.safetensors").write_bytes(b"\xff" * 64)


def as_an_adapter(folder: Path) -> None:
    folder.mkdir()
    (folder / "adapter_config.json").write_text('{"r": 64}', encoding="utf-8")


@pytest.mark.parametrize(
    ("make", "code", "says"),
    [
        pytest.param(broken_off, "half_downloaded", "lacks 100 bytes", id="broken off"),
        pytest.param(without_a_shard, "half_downloaded", "is not there", id="a shard is missing"),
        pytest.param(with_a_pointer, "git_lfs_pointer", "Git LFS pointer", id="pointer"),
        pytest.param(without_weights, "weights_missing", "no weights", id="config only"),
        pytest.param(without_config, "config_missing", "no config.json", id="no config"),
        pytest.param(with_half_a_config, "half_downloaded", "no whole JSON", id="half a config"),
        pytest.param(with_a_list_as_config, "not_a_config", "no JSON object", id="a list"),
        pytest.param(with_noise, "not_safetensors", "does not begin", id="noise"),
        pytest.param(as_an_adapter, "adapter_only", "LoRA adapter", id="adapter"),
    ],
)
def test_a_model_that_is_not_whole_is_a_clear_answer(
    tmp_path: Path, make: t.Callable[[Path], None], code: str, says: str
) -> None:
    make(tmp_path / "m")
    problem = ask(tmp_path, model=str(tmp_path / "m"))["problem"]
    assert problem["code"] == code
    assert says in problem["message"]
    assert problem["fix"]


def test_a_half_downloaded_model_still_tells_what_is_there(tmp_path: Path) -> None:
    without_a_shard(tmp_path / "m")
    tensors = ask(tmp_path, model=str(tmp_path / "m"))["tensors"]
    assert tensors["complete"] is False
    assert tensors["total_bytes"] == 3800


def test_the_rank_of_an_adapter_is_told(tmp_path: Path) -> None:
    as_an_adapter(tmp_path / "m")
    assert ask(tmp_path, model=str(tmp_path / "m"))["adapter_rank"] == 64


def test_other_formats_are_weighed_by_their_files(tmp_path: Path) -> None:
    without_weights(tmp_path / "m")
    (tmp_path / "m" / "pytorch_model.bin").write_bytes(bytes(1234))
    answer = ask(tmp_path, model=str(tmp_path / "m"))
    assert answer["problem"] is None
    assert answer["tensors"]["total_bytes"] == 1234


def write_repository(cache: Path, commit: str = "c0ffee") -> Path:
    home = cache / "models--acme--tiny"
    (home / "refs").mkdir(parents=True)
    (home / "blobs").mkdir()
    (home / "refs" / "main").write_text(commit, encoding="utf-8")
    write_model(home / "snapshots" / commit)
    return home


def test_a_repository_is_found_in_the_cache_by_its_branch(tmp_path: Path) -> None:
    home = write_repository(tmp_path / "hub")
    answer = ask(tmp_path, model="acme/tiny", cache=str(tmp_path / "hub"))
    assert answer["problem"] is None
    assert answer["revision"] == "c0ffee"
    assert answer["path"] == str(home / "snapshots" / "c0ffee")


def test_a_repository_that_was_never_fetched_may_be_gated(tmp_path: Path) -> None:
    answer = ask(tmp_path, model="acme/tiny", cache=str(tmp_path / "hub"))
    assert answer["found"] is False
    assert answer["problem"]["code"] == "model_not_there"
    assert "gated" in answer["problem"]["fix"]


def test_another_revision_than_the_fetched_one_is_not_there(tmp_path: Path) -> None:
    write_repository(tmp_path / "hub")
    answer = ask(tmp_path, model="acme/tiny", revision="v2", cache=str(tmp_path / "hub"))
    assert answer["problem"]["code"] == "revision_not_there"


def test_broken_off_downloads_are_counted(tmp_path: Path) -> None:
    home = write_repository(tmp_path / "hub")
    (home / "snapshots" / "c0ffee" / "model-00002-of-00002.safetensors").unlink()
    (home / "blobs" / "abc.incomplete").write_bytes(b"x")
    problem = ask(tmp_path, model="acme/tiny", cache=str(tmp_path / "hub"))["problem"]
    assert problem["code"] == "half_downloaded"
    assert "1 of its downloads were broken off" in problem["message"]


def test_a_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert ask(tmp_path, model="/nonexistent")["problem"]["code"] == "model_not_there"


def test_it_fails_with_the_remedy_where_the_model_is_required(tmp_path: Path) -> None:
    without_a_shard(tmp_path / "m")
    answer = ask(tmp_path, model=str(tmp_path / "m"), required=True)
    assert answer["failed"] is True
    assert "fetch the model again" in answer["msg"]
