"""Model classes that cannot be split into a pipeline, from release to release; made by tools/pipelines.py."""

from __future__ import annotations

from .._settings.version import Release

# First, last, names: the releases that were looked at. What no release registers, or all can split, is left out.
_ROWS: tuple[tuple[Release, Release, str], ...] = (
    ((0, 10, 2), (0, 10, 2), """
    BartForConditionalGeneration BartModel DonutForConditionalGeneration Florence2ForConditionalGeneration
    MBartForConditionalGeneration MllamaForConditionalGeneration NemotronH_Nano_VL Phi4FlashForCausalLM
    """),
    ((0, 10, 2), (0, 12, 0), """
    Phi4MultimodalForCausalLM
    """),
    ((0, 10, 2), (0, 23, 0), """
    MiniMaxForCausalLM MiniMaxM1ForCausalLM MiniMaxText01ForCausalLM
    """),
    ((0, 10, 2), (0, 28, 0), """
    PrithviGeoSpatialMAE
    """),
    ((0, 10, 2), (0, 32, 0), """
    MedusaModel
    """),
    ((0, 10, 2), (0, 33, 0), """
    AriaForConditionalGeneration BertForSequenceClassification BertModel GPT2ForSequenceClassification
    Gemma3TextModel Gemma3nForCausalLM Gemma3nForConditionalGeneration GteModel GteNewForSequenceClassification
    GteNewModel Idefics3ForConditionalGeneration Mamba2ForCausalLM MiMoMTPModel
    ModernBertForSequenceClassification ModernBertModel NomicBertModel Phi4MMForCausalLM RobertaForMaskedLM
    RobertaForSequenceClassification RobertaModel SmolVLMForConditionalGeneration Terratorch
    WhisperForConditionalGeneration XLMRobertaForSequenceClassification XLMRobertaModel Zamba2ForCausalLM
    """),
    ((0, 11, 2), (0, 26, 0), """
    OuroForCausalLM
    """),
    ((0, 11, 2), (0, 33, 0), """
    BertForTokenClassification BertSpladeSparseEmbeddingModel CLIPModel ModernBertForTokenClassification
    NemotronH_Nano_VL_V2 PaddleOCRVLForConditionalGeneration SiglipModel
    """),
    ((0, 14, 1), (0, 29, 0), """
    DeepSeekMTPModel
    """),
    ((0, 14, 1), (0, 33, 0), """
    ErnieMTPModel ExaoneMoeMTP Glm4MoeMTPModel IQuestLoopCoderForCausalLM LongCatFlashMTPModel
    NemotronParseForConditionalGeneration OpenPanguMTPModel Qwen3NextMTP
    """),
    ((0, 15, 1), (0, 33, 0), """
    BgeM3EmbeddingModel Step3p5MTP
    """),
    ((0, 16, 0), (0, 33, 0), """
    HF_ColBERT VoyageQwen3BidirectionalEmbedModel
    """),
    ((0, 17, 1), (0, 29, 0), """
    Qwen3_5MTP Qwen3_5MoeMTP
    """),
    ((0, 17, 1), (0, 33, 0), """
    ColBERTJinaRobertaModel ColBERTModernBertModel ColModernVBertForRetrieval ExtractHiddenStatesModel
    FireRedASR2ForConditionalGeneration FunASRForConditionalGeneration
    """),
    ((0, 18, 1), (0, 23, 0), """
    ErnieForSequenceClassification ErnieForTokenClassification ErnieModel
    """),
    ((0, 19, 1), (0, 33, 0), """
    CohereAsrForConditionalGeneration ColBERTLfm2Model
    """),
    ((0, 20, 2), (0, 20, 2), """
    DeepseekV4ForCausalLM
    """),
    ((0, 20, 2), (0, 28, 0), """
    FireRedLIDForConditionalGeneration
    """),
    ((0, 20, 2), (0, 33, 0), """
    DeepSeekV4MTPModel Exaone4_5_MTP HYV3MTPModel JinaForRanking NemotronH_Nano_Omni_Reasoning_V3
    NemotronH_Super_Omni_Reasoning_V3
    """),
    ((0, 21, 0), (0, 33, 0), """
    Gemma4MTPModel MiMoV2MTPModel MiMoV2OmniMTPModel
    """),
    ((0, 24, 0), (0, 24, 0), """
    MiniMaxM3SparseForCausalLM MiniMaxM3SparseForConditionalGeneration
    """),
    ((0, 24, 0), (0, 33, 0), """
    HrmTextForCausalLM MiniMaxM3MTP
    """),
    ((0, 25, 1), (0, 33, 0), """
    BailingMoeV25MTPModel DFlashLagunaForCausalLM DSparkDraftModel OpenAIPrivacyFilterForTokenClassification
    """),
    ((0, 26, 0), (0, 33, 0), """
    BertForMaskedLM InklingMTPModel RobertaForTokenClassification XLMRobertaForTokenClassification
    """),
    ((0, 27, 1), (0, 33, 0), """
    DiffusionGemmaForBlockDiffusion K3DSparkModel KimiK3MTPModel
    """),
    ((0, 28, 0), (0, 29, 0), """
    Dots3NoteMTPModel InternS2MobiusMTP
    """),
    ((0, 29, 0), (0, 29, 0), """
    DeepseekV32MTPModel
    """),
    ((0, 29, 0), (0, 33, 0), """
    HYV4MTPModel NemotronH_Omni_Reasoning_V3
    """),
    ((0, 30, 0), (0, 33, 0), """
    DSparkV41DraftModel Glm5NextMTPModel
    """),
    ((0, 32, 0), (0, 33, 0), """
    EmbeddingGemma2Model
    """),
    ((0, 33, 0), (0, 33, 0), """
    AliceAIForCausalLM ColUltraVBertForRetrieval DFlash2BeamDraftModel DomynEdgeForCausalLM DoryForCausalLM
    Lfm2BidirectionalModel ModernVBertModel ParseAuxMTPModel RadioMBartPrefixForCausalLM Step5MTP
    """),
)  # fmt: skip

SPANS: dict[str, list[tuple[Release, Release]]] = {}
for _first, _last, _names in _ROWS:
    for _name in _names.split():
        SPANS.setdefault(_name, []).append((_first, _last))
