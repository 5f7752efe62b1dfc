from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.diagnose import diagnose

KV = (
    "ValueError: To serve at least one request with the model's max seq len ({}), ({} GiB KV cache is needed, which is "
    "larger than the available KV cache memory ({} GiB).{}"
)
FITS = " Based on the available memory, the estimated maximum model length is {}."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param(
            KV.format(262144, "24.0", "3.18", FITS.format(34736)), "max_model_len: 33792.", id="estimate"
        ),
        pytest.param(
            KV.format(4096, "1.0", "0.58", FITS.format(2368)), "max_model_len: 2304.", id="small-estimate"
        ),
        pytest.param(
            KV.format(1048576, "24.00", "9.97", " Try increasing"),
            "max_model_len: 391168.",
            id="no-estimate-means-the-ratio-less-a-tenth",
        ),
        pytest.param(
            KV.format(250000, "3.19", "0.01", FITS.format(200)), "No useful context fits", id="nothing-fits"
        ),
        pytest.param(
            "The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (13584).",
            "max_model_len: 13312.",
            id="tokens",
        ),
        pytest.param(
            "Free memory on device cuda:0 (31.44/47.38 GiB) on startup is less than desired GPU memory utilization (0.95, 45.01 GiB).",
            "gpu_memory_utilization: 0.66",
            id="utilization-rounds-down",
        ),
        pytest.param(
            "Free memory on device cuda:0 (2.6/121.63 GiB) on startup",
            "too little to serve beside it",
            id="nothing-left",
        ),
        pytest.param(
            "max_num_seqs (1024) exceeds available Mamba cache blocks (969).",
            "max_num_seqs: 512 ",
            id="blocks",
        ),
        pytest.param(
            "In Mamba cache align mode, block_size (2096) must be <= max_num_batched_tokens (2048).",
            "max_num_batched_tokens: 4096 ",
            id="align",
        ),
        pytest.param(
            "CUDA out of memory occurred when warming up sampler with 256 dummy requests.",
            "max_num_seqs: 128,",
            id="half",
        ),
        pytest.param(
            "Total number of attention heads (64) must be divisible by tensor parallel size (3).",
            "tensor_parallel_size: 2 or 4 ",
            id="heads",
        ),
        pytest.param(
            "Total number of attention heads (40) must be divisible by tensor parallel size (16).",
            "tensor_parallel_size: 10 or 20 ",
            id="odd-heads",
        ),
        pytest.param(
            "AssertionError: n_physical_experts=256 must be divisible by ep_size=3.",
            "= 2 or 4 (it must divide 256 experts), or eplb_config: {num_redundant_experts: 2}",
            id="experts",
        ),
        pytest.param(
            "The output_size of gate's and up's weight = 192 is not divisible by weight quantization block_n = 128.",
            "tensor_parallel_size by 2 ",
            id="fp8-block",
        ),
        pytest.param(
            "Weight input_size_per_partition = 320 is not divisible by min_thread_k = 128.",
            "tensor_parallel_size by 2 ",
            id="marlin-tile",
        ),
        pytest.param("AssertionError: 50 is not divisible by 4", "Use 2 or 5 instead of 4", id="even-split"),
        pytest.param(
            "User-specified max_model_len (131072) is greater than the derived max_model_len (max_position_embeddings=40960 or model_max_length=131072",
            "max_model_len: 40960 ",
            id="context-takes-the-smaller",
        ),
        pytest.param(
            "error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
            "port: 8001 ",
            id="next-port",
        ),
        pytest.param(
            "error while attempting to bind on address ('0.0.0.0', 65535): address already in use",
            "port: 65534 ",
            id="last-port",
        ),
        pytest.param("LoRA rank 64 is greater than max_lora_rank 16.", "max_lora_rank: 64.", id="rank"),
        pytest.param(
            "LoRA rank 40 is greater than max_lora_rank 16.", "max_lora_rank: 64.", id="rank-of-the-list"
        ),
        pytest.param(
            "vllm: error: unrecognized arguments: --swap-space 16",
            "swap_space: removed in 0.18",
            id="removed-flag",
        ),
        pytest.param(
            "error: argument --tool-call-parser: invalid choice: 'qwen3coder' (choose from 'hermes', 'qwen3_coder')",
            "tool_call_parser: qwen3_coder?",
            id="nearest-parser",
        ),
        pytest.param(
            "max_num_batched_tokens (2048) is smaller than max_model_len (5000).",
            "max_num_batched_tokens: 8192, or max_model_len to at most 2048",
            id="batch",
        ),
        pytest.param(
            "World size (4) is larger than the number of available GPUs (2) in this node.",
            "4 gpus",
            id="gpus",
        ),
        pytest.param(
            "num_speculative_tokens:3 must be divisible by n_predict=2",
            "num_speculative_tokens: 2 or 4 ",
            id="draft-steps",
        ),
        pytest.param(
            "Buffer overflow when allocating memory for batch_prefill_tmp_v with size 536346624 and alignment 16",
            "VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE=590348288",
            id="workspace",
        ),
        pytest.param(
            "torch.bfloat16 is not supported for quantization method awq. Supported dtypes: [torch.float16]",
            "one of: torch.float16 ",
            id="dtypes",
        ),
    ],
)
def test_a_remedy_carries_figures_that_work(line: str, said: str) -> None:
    assert said in diagnose(line).remedy


@pytest.mark.parametrize(
    "line",
    [
        "GPTQ_MARLIN_MIN_THREAD_N (64) > out_features",
        "EADDRINUSE",
        "Total number of attention heads (99999999999999) must be divisible by tensor parallel size (3).",
        "Total number of attention heads (0) must be divisible by tensor parallel size (0).",
        "n_physical_experts=0 must be divisible by ep_size=0.",
        "exceeds available Mamba cache blocks (0)",
    ],
)
def test_a_line_without_usable_figures_gets_the_remedy_in_general(line: str) -> None:
    found = diagnose(line)
    assert found.failure_class != "unknown"
    assert len(found.remedy) > 20
    assert "{" not in found.remedy
