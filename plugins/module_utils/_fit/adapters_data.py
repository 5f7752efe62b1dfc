"""Model classes that take no LoRA adapters, from release to release; made by tools/pipelines.py."""

from __future__ import annotations

from .._settings.version import Release

# First, last, names: the releases that were looked at. What no release registers, or all can adapt, is left out.
_ROWS: tuple[tuple[Release, Release, str], ...] = (
    ((0, 10, 2), (0, 10, 2), """
    BartForConditionalGeneration BartModel DonutForConditionalGeneration Florence2ForConditionalGeneration
    GptOssForCausalLM Llama4ForConditionalGeneration MBartForConditionalGeneration
    MllamaForConditionalGeneration NemotronH_Nano_VL OPTForCausalLM OlmoeForCausalLM Phi4FlashForCausalLM
    """),
    ((0, 10, 2), (0, 13, 0), """
    Blip2ForConditionalGeneration LlavaForConditionalGeneration MantisForConditionalGeneration
    PaliGemmaForConditionalGeneration PixtralForConditionalGeneration
    """),
    ((0, 10, 2), (0, 17, 1), """
    WhisperForConditionalGeneration
    """),
    ((0, 10, 2), (0, 22, 1), """
    JAISLMHeadModel
    """),
    ((0, 10, 2), (0, 23, 0), """
    MiniMaxForCausalLM MiniMaxM1ForCausalLM MiniMaxText01ForCausalLM MiniMaxVL01ForConditionalGeneration
    """),
    ((0, 10, 2), (0, 24, 0), """
    AyaVisionForConditionalGeneration Starcoder2ForCausalLM TarsierForConditionalGeneration
    """),
    ((0, 10, 2), (0, 25, 1), """
    FuyuForCausalLM LlavaNextVideoForConditionalGeneration PersimmonForCausalLM
    """),
    ((0, 10, 2), (0, 28, 0), """
    ArcticForCausalLM ChameleonForConditionalGeneration HCXVisionForCausalLM LlavaNextForConditionalGeneration
    MPTForCausalLM MptForCausalLM PrithviGeoSpatialMAE RWForCausalLM StableLMEpochForCausalLM
    """),
    ((0, 10, 2), (0, 30, 0), """
    ModernBertModel RobertaForSequenceClassification XLMRobertaForSequenceClassification
    """),
    ((0, 10, 2), (0, 31, 0), """
    BertModel GPTNeoXForCausalLM RobertaForMaskedLM RobertaModel XLMRobertaModel
    """),
    ((0, 10, 2), (0, 32, 0), """
    BertForSequenceClassification MedusaModel
    """),
    ((0, 10, 2), (0, 33, 0), """
    AriaForConditionalGeneration BloomForCausalLM Cohere2VisionForConditionalGeneration DbrxForCausalLM
    DeepSeekMTPModel DeepseekVLV2ForCausalLM ErnieMTPModel FalconForCausalLM FalconMambaForCausalLM
    GPT2ForSequenceClassification GPT2LMHeadModel GPTJForCausalLM Gemma3TextModel Gemma3nForCausalLM
    Gemma3nForConditionalGeneration Glm4MoeMTPModel GteModel GteNewForSequenceClassification GteNewModel
    KimiVLForConditionalGeneration LlavaOnevisionForConditionalGeneration Mamba2ForCausalLM MambaForCausalLM
    MiDashengLMModel MiMoMTPModel ModernBertForSequenceClassification NomicBertModel OrionForCausalLM Ovis
    Ovis2_5 Phi3VForCausalLM Qwen2AudioForConditionalGeneration Qwen3NextMTP RForConditionalGeneration
    SkyworkR1VChatModel StableLmForCausalLM Step3TextForCausalLM Step3VLForConditionalGeneration Terratorch
    Zamba2ForCausalLM
    """),
    ((0, 11, 2), (0, 13, 0), """
    DeepseekOCRForCausalLM
    """),
    ((0, 11, 2), (0, 14, 1), """
    MiniMaxM2ForCausalLM
    """),
    ((0, 11, 2), (0, 28, 0), """
    Qwen3OmniMoeForConditionalGeneration
    """),
    ((0, 11, 2), (0, 30, 0), """
    NemotronH_Nano_VL_V2
    """),
    ((0, 11, 2), (0, 31, 0), """
    BertSpladeSparseEmbeddingModel
    """),
    ((0, 11, 2), (0, 32, 0), """
    BertForTokenClassification
    """),
    ((0, 11, 2), (0, 33, 0), """
    BeeForConditionalGeneration CLIPModel KimiLinearForCausalLM LongCatFlashMTPModel
    ModernBertForTokenClassification OpenPanguMTPModel PaddleOCRVLForConditionalGeneration SiglipModel
    """),
    ((0, 12, 0), (0, 13, 0), """
    Plamo3ForCausalLM
    """),
    ((0, 14, 1), (0, 33, 0), """
    ExaoneMoeMTP IQuestLoopCoderForCausalLM KananaVForConditionalGeneration MiMoV2FlashForCausalLM
    NemotronParseForConditionalGeneration
    """),
    ((0, 15, 1), (0, 31, 0), """
    BgeM3EmbeddingModel
    """),
    ((0, 15, 1), (0, 33, 0), """
    KimiK25ForConditionalGeneration Step1ForCausalLM Step3p5ForCausalLM Step3p5MTP
    StepVLForConditionalGeneration
    """),
    ((0, 16, 0), (0, 19, 1), """
    Qwen3ASRForConditionalGeneration
    """),
    ((0, 16, 0), (0, 30, 0), """
    VoyageQwen3BidirectionalEmbedModel
    """),
    ((0, 16, 0), (0, 31, 0), """
    HF_ColBERT
    """),
    ((0, 16, 0), (0, 33, 0), """
    FunAudioChatForConditionalGeneration GlmOcrMTPModel
    """),
    ((0, 17, 1), (0, 19, 1), """
    Qwen3ASRRealtimeGeneration
    """),
    ((0, 17, 1), (0, 33, 0), """
    BailingMoeV2_5ForCausalLM ColBERTJinaRobertaModel ColBERTModernBertModel ColModernVBertForRetrieval
    ExtractHiddenStatesModel FireRedASR2ForConditionalGeneration FunASRForConditionalGeneration
    NemotronHMTPModel Ovis2_6ForCausalLM Ovis2_6_MoeForCausalLM Qwen3_5MTP Qwen3_5MoeMTP
    """),
    ((0, 18, 1), (0, 23, 0), """
    ErnieForSequenceClassification ErnieForTokenClassification ErnieModel
    """),
    ((0, 18, 1), (0, 33, 0), """
    HCXVisionV2ForCausalLM MoonshotKimiaForCausalLM
    """),
    ((0, 19, 1), (0, 19, 1), """
    Gemma4ForConditionalGeneration Qwen3ASRForcedAlignerForTokenClassification
    """),
    ((0, 19, 1), (0, 33, 0), """
    CohereAsrForConditionalGeneration ColBERTLfm2Model
    """),
    ((0, 20, 2), (0, 28, 0), """
    DeepseekV4ForCausalLM FireRedLIDForConditionalGeneration
    """),
    ((0, 20, 2), (0, 30, 0), """
    NemotronH_Nano_Omni_Reasoning_V3 NemotronH_Super_Omni_Reasoning_V3
    """),
    ((0, 20, 2), (0, 33, 0), """
    DeepSeekV4MTPModel Exaone4_5_MTP HYV3MTPModel JinaForRanking Phi4ForCausalLMV
    """),
    ((0, 21, 0), (0, 33, 0), """
    Cohere2MoeForCausalLM Gemma4MTPModel HfMoondream MiMoV2ForCausalLM MiMoV2MTPModel MiMoV2OmniForCausalLM
    MiMoV2OmniMTPModel Moondream3ForCausalLM
    """),
    ((0, 22, 1), (0, 24, 0), """
    MiniCPMV4_6ForConditionalGeneration
    """),
    ((0, 22, 1), (0, 33, 0), """
    OpenVLAForActionPrediction
    """),
    ((0, 23, 0), (0, 33, 0), """
    Step3p7ForConditionalGeneration
    """),
    ((0, 24, 0), (0, 33, 0), """
    DiffusionGemmaForBlockDiffusion HrmTextForCausalLM MiniMaxM3MTP MiniMaxM3SparseForCausalLM
    MiniMaxM3SparseForConditionalGeneration
    """),
    ((0, 25, 1), (0, 33, 0), """
    BailingMoeV25MTPModel DFlashLagunaForCausalLM DSparkDraftModel LlavaOnevision2ForConditionalGeneration
    MossTranscribeDiarizeForConditionalGeneration OpenAIPrivacyFilterForTokenClassification
    """),
    ((0, 26, 0), (0, 33, 0), """
    BertForMaskedLM Cosmos3EdgeForConditionalGeneration InklingMTPModel RobertaForTokenClassification
    XLMRobertaForTokenClassification
    """),
    ((0, 27, 1), (0, 33, 0), """
    K3DSparkModel KimiK3ForConditionalGeneration KimiK3MTPModel
    """),
    ((0, 28, 0), (0, 33, 0), """
    BailingMoeV3ForCausalLM BailingMoeV3MTPModel Dots3NoteForCausalLM Dots3NoteMTPModel InternS2MobiusMTP
    """),
    ((0, 29, 0), (0, 30, 0), """
    NemotronH_Omni_Reasoning_V3
    """),
    ((0, 29, 0), (0, 33, 0), """
    DeepseekV32MTPModel HYV4MTPModel Qwen4ExpMTP
    """),
    ((0, 30, 0), (0, 33, 0), """
    BailingMoeV3VLForConditionalGeneration DSparkV41DraftModel DeepseekV41ForCausalLM Glm5NextForCausalLM
    Glm5NextMTPModel
    """),
    ((0, 32, 0), (0, 33, 0), """
    EmbeddingGemma2Model
    """),
    ((0, 33, 0), (0, 33, 0), """
    BeamForCausalLM ColUltraVBertForRetrieval DFlash2BeamDraftModel DomynEdgeForCausalLM DoryForCausalLM
    FlintForCausalLM Lfm2BidirectionalModel ModernVBertModel ParseAuxMTPModel RadioMBartPrefixForCausalLM
    Step5MTP
    """),
)  # fmt: skip

SPANS: dict[str, list[tuple[Release, Release]]] = {}
for _first, _last, _names in _ROWS:
    for _name in _names.split():
        SPANS.setdefault(_name, []).append((_first, _last))
