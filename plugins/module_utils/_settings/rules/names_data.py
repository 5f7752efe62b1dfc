"""Lists of names that rules compare with. Data only."""

from __future__ import annotations

# What vLLM and Transformers read from a generation config; another key is carried along and never looked at.
# fmt: off
GENERATION_KEYS = frozenset((
    "repetition_penalty", "temperature", "top_k", "top_p", "min_p", "max_new_tokens", "max_length",
    "min_length", "min_new_tokens", "do_sample", "num_beams", "eos_token_id", "bos_token_id",
    "pad_token_id", "decoder_start_token_id", "suppress_tokens", "begin_suppress_tokens",
    "forced_bos_token_id", "forced_eos_token_id", "stop_strings", "typical_p", "epsilon_cutoff",
    "eta_cutoff", "no_repeat_ngram_size", "presence_penalty", "frequency_penalty", "length_penalty",
    "early_stopping", "num_return_sequences", "return_timestamps", "no_timestamps_token_id", "lang_to_id",
    "task_to_id", "is_multilingual", "max_initial_timestamp_index", "prev_sot_token_id",
    "transformers_version", "seed",
))
# fmt: on

# Families that ship no layers to predict several tokens with; others may, in some release.
# fmt: off
FAMILIES_WITHOUT_MTP = frozenset((
    "llama", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "gemma", "gemma2", "gemma3",
    "gemma3_text", "phi", "phi3", "gpt_oss", "granite", "granitemoe", "olmo", "olmo2", "olmoe", "falcon",
    "gpt2", "opt", "bloom", "mpt", "starcoder2", "stablelm", "cohere", "cohere2", "mamba", "mamba2", "bert",
    "roberta",
))
# fmt: on

# Encoders: they return vectors and cannot write text.
# fmt: off
ENCODERS = frozenset((
    "BertModel", "BertForSequenceClassification", "BertForTokenClassification", "RobertaModel",
    "RobertaForMaskedLM", "RobertaForSequenceClassification", "XLMRobertaModel",
    "XLMRobertaForSequenceClassification", "ModernBertModel", "ModernBertForSequenceClassification",
    "NomicBertModel", "GteModel", "GteNewModel", "SnowflakeGteNewModel",
))
# fmt: on
