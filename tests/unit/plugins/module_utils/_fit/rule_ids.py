"""Every rule of this package by its id, with the cases in which it fires, stays silent, and meets its boundary."""

RULE_IDS = {
    "image_is_built_for_the_gpu": ("V100 on CUDA 13", "no capability known", "V100 on the last CUDA 12"),
    "driver_serves_the_image": ("CUDA 13 on driver 570", "no driver known", "CUDA 13 on driver 580"),
    "driver_knows_the_images_cuda": ("12.9 on driver 550", "CUDA 13 is another rule's", "12.9 on driver 575"),
    "visible_devices_are_numbers": ("a UUID on 0.23", "a number on 0.23", "a UUID on 0.24"),
    "harmony_finds_its_vocabulary": ("gpt-oss offline", "another model offline", "before gpt-oss"),
    "tensor_parallelism_divides_kv_heads": ("10 KV heads on 4", "latent attention", "10 KV heads on 5"),
    "tensor_parallelism_divides_state_heads": (
        "48 value heads on 32",
        "no linear attention",
        "48 value heads on 16",
    ),
    "expert_parallelism_divides_experts": (
        "256 experts on 3",
        "without expert parallelism",
        "two experts more",
    ),
    "fp8_blocks_are_not_cut": ("768 in blocks of 128 on 4", "not quantized", "768 in blocks of 128 on 2"),
    "marlin_tiles_are_not_cut": ("27648 in tiles on 16", "another kernel asked for", "27648 in tiles on 8"),
    "e5m2_needs_a_plain_checkpoint": (
        "e5m2 with an FP8 checkpoint",
        "e5m2 with AWQ",
        "e5m2 with weight-only, 0.24",
    ),
    "triton_has_e4m3": ("e4m3 in Triton on 8.6", "e4m3 in FlashInfer on 8.6", "e4m3 in Triton on 8.9"),
    "turboquant_knows_hybrid_models": (
        "TurboQuant of a hybrid, 0.25",
        "TurboQuant of a hybrid, 0.24",
        "TurboQuant of a hybrid, 0.27",
    ),
    "turboquant_has_a_backend": ("TurboQuant of Gemma 4", "fp8 of Gemma 4", "TurboQuant of a hybrid, 0.24"),
    "the_scheme_runs_on_the_gpu": (
        "4-bit weights on 7.5, 0.11",
        "a checkpoint that names no scheme",
        "4-bit weights on 7.5, 0.12",
    ),
    "the_backend_serves_the_model": (
        "sinks in FlashInfer on 12.0, 0.27",
        "a backend of nobody's",
        "sinks in FlashInfer on 12.0, 0.28",
    ),
    "some_backend_serves_the_model": (
        "sparse attention on 12.0, 0.23",
        "a GPU that nobody asked of",
        "sparse attention on 12.0, 0.24",
    ),
    "triton_is_not_all_that_is_left": (
        "e4m3, heads of 96, on 8.6",
        "e4m3 by FlashInfer on 8.6, 0.11.0",
        "e4m3, heads of 96, on 8.9",
    ),
    "flash_attention_reads_e4m3_only": (
        "e5m2 on 9.0, 0.21",
        "e5m2 by FlashInfer on 9.0",
        "e5m2 on 9.0, 0.22",
    ),
    "states_keep_their_manager": (
        "any connector with a hybrid, 0.21",
        "a connector with attention alone",
        "Nixl with a hybrid, 0.22",
    ),
    "memory_that_moves_is_not_shared": (
        "expandable segments on two GPUs",
        "another allocator setting",
        "expandable segments on one GPU",
    ),
    "release_knows_the_architecture": ("Qwen3.5 on 0.16", "asked of Transformers", "Qwen3.5 on 0.17"),
    "release_knows_the_draft": ("DFlash 2 on 0.27", "a draft that is not used", "DFlash 2 on 0.28"),
    "mtp_layers_are_there": ("MTP without its layers", "MTP, nothing known", "MTP with its layers"),
    "offload_names_are_of_this_model": (
        "offload of a foreign name",
        "offload of a fused name",
        "offload before its option",
    ),
    "eagle3_knows_the_target": (
        "EAGLE-3 of Gemma 3",
        "EAGLE-3 of Llama",
        "EAGLE-3 of Gemma 3 since 0.22",
    ),
    "plain_awq_is_half": ("AWQ in bfloat16, 0.23", "AWQ by Marlin", "AWQ in bfloat16, 0.24"),
    "gguf_has_a_plain_config": (
        "GGUF with an FP8 config, 0.23",
        "GGUF with a plain config",
        "GGUF with an FP8 config, 0.24",
    ),
    "adapters_of_experts_are_small": (
        "rank 256 for experts",
        "rank 256 for a dense model",
        "rank 128 for experts",
    ),
    "adapters_are_within_the_rank": (
        "an adapter of rank 17, by default",
        "an adapter that nothing is known of",
        "an adapter of rank 16, by default",
    ),
    "deep_gemm_suits_the_gpu": ("FP8 blocks on an RTX 5090", "FP8 blocks since 0.28", "without DeepGEMM"),
    "sparse_attention_takes_the_sequences": (
        "1024 sparse sequences",
        "1024 sparse sequences later",
        "256 sparse sequences",
    ),
    "forced_context_has_positions": (
        "forced beyond the model",
        "not forced: another rule's",
        "forced, at the limit",
    ),
    "its_driver_leaves_that_much": ("95 % of an MI355X", "95 % of another GPU", "94 % of an MI355X"),
    "blocks_hold_whole_sparse_blocks": (
        "MiniMax M3 on AMD by default",
        "MiniMax M3 elsewhere by default",
        "MiniMax M3 in blocks of 256",
    ),
    "early_sinks_have_their_format": (
        "gpt-oss on a B200, 0.10.1",
        "gpt-oss on an H100, 0.10.1",
        "gpt-oss on a B200, 0.10.2",
    ),
    "its_router_speaks_the_kernels_format": (
        "Step 3.5 on a B200, 0.16",
        "Step 3.5 without FlashInfer",
        "Step 3.5 on a B200, 0.17",
    ),
    "the_model_can_be_split": (
        "MiniMax M3 in a pipeline, 0.24",
        "Llama in a pipeline",
        "MiniMax M3 in a pipeline, 0.25",
    ),
    "the_draft_can_be_split": (
        "MTP in a pipeline, 0.29",
        "MTP without a pipeline",
        "MTP in a pipeline, 0.30",
    ),
    "eagle3_reads_the_targets_layers": (
        "EAGLE-3 of Qwen3-Next, 0.19",
        "EAGLE-3 of Qwen3 30B",
        "EAGLE-3 of Qwen3-Next, 0.20",
    ),
    "early_experts_are_not_bitsandbytes": (
        "gpt-oss in bitsandbytes, 0.10.2",
        "gpt-oss as it is published, 0.10.2",
        "gpt-oss in bitsandbytes, 0.11",
    ),
    "awq_groups_are_not_cut": (
        "AWQ groups of 128 in parts of 14784",
        "the same without a quantization",
        "AWQ groups of 128 in parts of 13824",
    ),
    "variables_can_be_read": (
        "a word for a number",
        "a variable that takes any text",
        "a number for a number",
    ),
    "the_backend_of_the_variable_is_known": (
        "a backend of nobody's, 0.14",
        "a word for a number",
        "a backend that exists, 0.14",
    ),
    "tensor_parallelism_divides_the_width": (
        "an inner width of 14336 on 6",
        "a width that other code cuts",
        "an inner width of 14336 on 8",
    ),
    "groups_of_dense_layers_are_not_cut": (
        "14336 in groups of 128 on 32",
        "groups that one layer is not in",
        "14336 in groups of 128 on 16",
    ),
    "groups_of_experts_are_not_cut": (
        "experts of 768 in groups on 4, 0.24",
        "14336 in groups of 128 on 32",
        "experts of 768 in groups on 2",
    ),
    "groups_of_experts_were_not_cut_either": (
        "experts of 768 in groups on 4, 0.23",
        "14336 in groups of 128 on 32",
        "experts of 768 in groups on 2, 0.23",
    ),
    "some_release_knows_the_class": (
        "a class that nobody registers",
        "a class of the repository",
        "a class that Transformers names so",
    ),
    "a_classifier_was_trained": (
        "a classifier of a model that writes",
        "a classifier of its words",
        "a classifier that was trained",
    ),
    "the_draft_is_no_ordinary_model": (
        "an ordinary draft without a method, 0.14",
        "an EAGLE draft without a method",
        "an ordinary draft without a method, 0.15",
    ),
    "tensor_parallelism_divides_the_encoder": (
        "an encoder of 3420 on 8",
        "an encoder of its own on each",
        "an encoder of 3420 on 4",
    ),
    "a_step_holds_a_video": ("a video in 2048 tokens, 0.21", "no video", "a video in 2496 tokens"),
    "tensor_parallelism_divides_mamba": (
        "8 state groups on 16",
        "one state group on 2",
        "8 state groups on 8",
    ),
    "offloading_keeps_its_blocks": (
        "offloading a hybrid, 0.19",
        "offloading Llama, 0.19",
        "offloading a hybrid, 0.20",
    ),
    "bitsandbytes_is_whole": (
        "bitsandbytes on two GPUs",
        "another checkpoint on two GPUs",
        "bitsandbytes on one GPU",
    ),
    "its_cache_is_fp8": (
        "DeepSeek V4 in bfloat16 on 9.0",
        "Llama in bfloat16",
        "DeepSeek V4 in bfloat16 on 10.0",
    ),
    "gguf_has_a_loader": ("a GGUF file, 0.24", "a directory, 0.24", "a GGUF file, 0.23"),
    "its_code_may_run": (
        "code that must be trusted",
        "code that Transformers has, too",
        "code that is trusted",
    ),
    "the_model_takes_adapters": (
        "adapters of Whisper, 0.17",
        "adapters by other code",
        "adapters of Whisper, 0.18",
    ),
    "the_kernel_reads_the_format": ("triton for NVFP4", "marlin for a dense model", "marlin for NVFP4"),
    "the_kernel_runs_on_the_gpu": (
        "TensorRT's kernels on 12.0",
        "CUTLASS for FP8 on 9.0",
        "TensorRT's kernels on 10.0",
    ),
    "a_step_holds_the_drafts": (
        "15 tokens of DFlash for 256 sequences",
        "EAGLE-3, which adds none",
        "15 tokens of DFlash for 146 sequences",
    ),
    "modelopts_scheme_is_known": ("mixed schemes, 0.16", "NVFP4, 0.16", "mixed schemes, 0.17"),
    "awq_without_marlin_is_half": (
        "no zero points in bfloat16, 0.23",
        "zero points in bfloat16, 0.23",
        "no zero points in float16, 0.23",
    ),
    "the_text_class_has_no_encoder": (
        "the text class for a checkpoint with an encoder",
        "the checkpoint's own class",
        "the text class for a checkpoint of text",
    ),
    "marlin_takes_the_experts_width": (
        "704 on two GPUs by Marlin, 0.23",
        "704 on two GPUs by another kernel, 0.23",
        "704 on one GPU by Marlin, 0.23",
    ),
    "experts_without_a_gate_have_a_kernel": (
        "experts without a gate on 12.0, 0.15",
        "experts with a gate on 12.0, 0.15",
        "experts without a gate on 10.0, 0.15",
    ),
    "clamped_experts_have_a_kernel": (
        "clamped experts on 12.0, 0.23",
        "experts that are not clamped on 12.0, 0.23",
        "clamped experts on 10.0, 0.23",
    ),
    "nvfp4_experts_run_on_consumer_blackwell": (
        "NVFP4 experts on 12.0, 0.12",
        "FP8 experts on 12.0, 0.12",
        "NVFP4 experts on 10.0, 0.12",
    ),
    "fp8_experts_run_on_the_radeon": (
        "FP8 experts on an older Radeon, 0.27",
        "FP8 experts on an Instinct, 0.27",
        "FP8 experts on a Radeon with FP8, 0.20",
    ),
    "adapters_know_the_experts": (
        "adapters of Gemma 4's experts, 0.24",
        "adapters of Gemma 4 without experts, 0.24",
        "adapters of Gemma 4's experts, 0.25",
    ),
    "wide_heads_fit_the_shared_memory": (
        "heads of 512 on 7.5",
        "heads of 128 on 7.5",
        "heads of 512 on 8.0",
    ),
    "the_backend_sums_over_contexts": (
        "Triton over several contexts",
        "Triton over one context",
        "FlashInfer over several contexts, 0.11.1",
    ),
    "release_knows_the_assistant": (
        "Gemma 4's assistant, 0.20",
        "a draft of an ordinary kind, 0.20",
        "Gemma 4's assistant, 0.21",
    ),
}
