"""Model classes by the first and the last release that registers them; made by tools/architectures.py."""

from __future__ import annotations

from .._settings.version import Release

# Since, until, names. What every release from 0.10.2 to 0.33.0 registers is left out, and so is what a release dropped
# without listing it as dropped: the Transformers backend may serve it.
_ROWS: tuple[tuple[Release | None, Release | None, str], ...] = (
    (None, (0, 10, 2), """
    BartForConditionalGeneration BartModel DonutForConditionalGeneration Florence2ForConditionalGeneration
    MBartForConditionalGeneration MllamaForConditionalGeneration MotifForCausalLM Phi4FlashForCausalLM
    """),
    (None, (0, 12, 0), """
    Phi4MultimodalForCausalLM
    """),
    (None, (0, 22, 1), """
    JAISLMHeadModel
    """),
    (None, (0, 23, 0), """
    BambaForCausalLM Dots1ForCausalLM InternLM2VEForCausalLM InternLMForCausalLM MiniMaxForCausalLM
    MiniMaxM1ForCausalLM MiniMaxText01ForCausalLM MiniMaxVL01ForConditionalGeneration QWenLMHeadModel
    QwenVLForConditionalGeneration XverseForCausalLM
    """),
    (None, (0, 24, 0), """
    AquilaForCausalLM AquilaModel AyaVisionForConditionalGeneration BaiChuanForCausalLM BaichuanForCausalLM
    Grok1ModelForCausalLM MantisForConditionalGeneration Tarsier2ForConditionalGeneration
    TarsierForConditionalGeneration
    """),
    (None, (0, 25, 1), """
    FuyuForCausalLM PersimmonForCausalLM
    """),
    (None, (0, 26, 0), """
    Plamo2ForCausalLM
    """),
    (None, (0, 28, 0), """
    ArcticForCausalLM ChameleonForConditionalGeneration Fairseq2LlamaForCausalLM GritLM HCXVisionForCausalLM
    MPTForCausalLM MptForCausalLM PrithviGeoSpatialMAE RWForCausalLM StableLMEpochForCausalLM
    """),
    ((0, 11, 0), (0, 26, 0), """
    OuroForCausalLM
    """),
    ((0, 11, 0), None, """
    AfmoeForCausalLM BailingMoeV2ForCausalLM BeeForConditionalGeneration BertForTokenClassification
    BertSpladeSparseEmbeddingModel CLIPModel CwmForCausalLM DeepseekOCRForCausalLM DeepseekV32ForCausalLM
    DotsOCRForCausalLM Eagle3Qwen2_5vlForCausalLM FlexOlmoForCausalLM KimiLinearForCausalLM Lfm2MoeForCausalLM
    LightOnOCRForConditionalGeneration LongCatFlashMTPModel LongcatFlashForCausalLM MiniMaxM2ForCausalLM
    ModernBertForTokenClassification NemotronH_Nano_VL_V2 Olmo3ForCausalLM OpenPanguMTPModel
    PaddleOCRVLForConditionalGeneration PanguEmbeddedForCausalLM PanguUltraMoEForCausalLM
    Qwen3OmniMoeForConditionalGeneration Qwen3VLForConditionalGeneration Qwen3VLMoeForConditionalGeneration
    SiglipModel TransformersEmbeddingModel TransformersForSequenceClassification TransformersMoEEmbeddingModel
    TransformersMoEForCausalLM TransformersMoEForSequenceClassification TransformersMultiModalEmbeddingModel
    TransformersMultiModalForCausalLM TransformersMultiModalForSequenceClassification
    TransformersMultiModalMoEForCausalLM
    """),
    ((0, 12, 0), (0, 25, 1), """
    TeleChatForCausalLM
    """),
    ((0, 12, 0), None, """
    Eagle3Qwen3vlForCausalLM EagleMistralLarge3ForCausalLM HunYuanVLForConditionalGeneration
    MistralLarge3ForCausalLM OpenCUAForConditionalGeneration Plamo3ForCausalLM
    """),
    ((0, 13, 0), None, """
    AudioFlamingo3ForConditionalGeneration BagelForConditionalGeneration Jais2ForCausalLM
    """),
    ((0, 14, 0), (0, 24, 0), """
    Grok1ForCausalLM
    """),
    ((0, 14, 0), None, """
    ExaoneMoEForCausalLM ExaoneMoeMTP GlmAsrForConditionalGeneration IQuestCoderForCausalLM
    IQuestLoopCoderForCausalLM IsaacForConditionalGeneration KananaVForConditionalGeneration
    Lfm2VlForConditionalGeneration LlamaBidirectionalForSequenceClassification LlamaBidirectionalModel
    MiMoV2FlashForCausalLM NemotronParseForConditionalGeneration PanguProMoEV2ForCausalLM
    VoxtralStreamingGeneration
    """),
    ((0, 15, 0), (0, 24, 0), """
    MusicFlamingoForConditionalGeneration
    """),
    ((0, 15, 0), None, """
    BgeM3EmbeddingModel DeepseekOCR2ForCausalLM Eagle2_5_VLForConditionalGeneration
    FunAudioChatForConditionalGeneration Glm4MoeLiteForCausalLM Glm4MoeLiteMTPModel GlmMoeDsaForCausalLM
    GlmOcrForConditionalGeneration GlmOcrMTPModel HF_ColBERT InternS1ProForConditionalGeneration
    KimiK25ForConditionalGeneration Molmo2ForConditionalGeneration NemotronHPuzzleForCausalLM
    OpenPanguVLForConditionalGeneration Qwen3ASRForConditionalGeneration Step1ForCausalLM Step3p5ForCausalLM
    Step3p5MTP StepVLForConditionalGeneration VoxtralRealtimeGeneration VoyageQwen3BidirectionalEmbedModel
    """),
    ((0, 17, 0), None, """
    AXK1ForCausalLM BailingMoeV2_5ForCausalLM ColBERTJinaRobertaModel ColBERTModernBertModel
    ColModernVBertForRetrieval ColQwen3 ExtractHiddenStatesModel FireRedASR2ForConditionalGeneration
    FunASRForConditionalGeneration LlamaNemotronVLForSequenceClassification LlamaNemotronVLModel
    NemotronHMTPModel OpsColQwen3Model Ovis2_6ForCausalLM Ovis2_6_MoeForCausalLM Qwen3ASRRealtimeGeneration
    Qwen3VLNemotronEmbedModel Qwen3_5ForConditionalGeneration Qwen3_5MTP Qwen3_5MoeForConditionalGeneration
    Qwen3_5MoeMTP
    """),
    ((0, 18, 0), (0, 23, 0), """
    ErnieForSequenceClassification ErnieForTokenClassification ErnieModel
    """),
    ((0, 18, 0), None, """
    ColPaliForRetrieval Eagle3DeepseekV2ForCausalLM Eagle3DeepseekV3ForCausalLM HCXVisionV2ForCausalLM
    HyperCLOVAXForCausalLM MoonshotKimiaForCausalLM OlmoHybridForCausalLM SarvamMLAForCausalLM
    SarvamMoEForCausalLM
    """),
    ((0, 19, 0), None, """
    CohereAsrForConditionalGeneration ColBERTLfm2Model ColQwen3_5 Gemma4ForCausalLM
    Gemma4ForConditionalGeneration Qwen3ASRForcedAlignerForTokenClassification
    """),
    ((0, 20, 0), (0, 28, 0), """
    Cheers CheersForConditionalGeneration FireRedLIDForConditionalGeneration
    """),
    ((0, 20, 0), None, """
    DFlashDraftModel DeepSeekV4MTPModel DeepseekV4ForCausalLM Eagle3MiniMaxM2ForCausalLM
    Exaone4_5_ForConditionalGeneration Exaone4_5_MTP Granite4VisionForConditionalGeneration HYV3ForCausalLM
    HYV3MTPModel JinaEmbeddingsV5Model JinaForRanking Ministral3ForCausalLM NemotronH_Nano_Omni_Reasoning_V3
    NemotronH_Super_Omni_Reasoning_V3 Param2MoEForCausalLM Phi4ForCausalLMV Rnj1ForCausalLM TeleChat3ForCausalLM
    """),
    ((0, 21, 0), None, """
    Cohere2MoeForCausalLM EagleCohereForCausalLM EagleMistralForCausalLM Gemma4MTPModel HfMoondream
    LagunaForCausalLM MiMoV2ForCausalLM MiMoV2MTPModel MiMoV2OmniForCausalLM MiMoV2OmniMTPModel
    Moondream3ForCausalLM QianfanOCRForConditionalGeneration
    """),
    ((0, 22, 0), None, """
    InternS2PreviewForConditionalGeneration MellumForCausalLM MiniCPMV4_6ForConditionalGeneration
    OpenVLAForActionPrediction PEagleDraftModel PeagleLlamaForCausalLM
    """),
    ((0, 23, 0), None, """
    Cosmos3ForConditionalGeneration Gemma4UnifiedForConditionalGeneration
    GraniteSpeechPlusForConditionalGeneration Step3p7ForConditionalGeneration
    """),
    ((0, 24, 0), None, """
    DiffusionGemmaForBlockDiffusion Eagle3Qwen3ForCausalLM HrmTextForCausalLM MiniMaxM3MTP
    MiniMaxM3SparseForCausalLM MiniMaxM3SparseForConditionalGeneration MossAudioModel PeagleQwen3ForCausalLM
    """),
    ((0, 25, 0), None, """
    BailingMoeV25MTPModel DFlashLagunaForCausalLM DSparkDraftModel LlavaOnevision2ForConditionalGeneration
    MossTranscribeDiarizeForConditionalGeneration OpenAIPrivacyFilterForTokenClassification Qwen3DSparkModel
    UnlimitedOCRForCausalLM
    """),
    ((0, 26, 0), None, """
    BertForMaskedLM Cosmos3EdgeForConditionalGeneration Gemma4DSparkModel InklingForCausalLM
    InklingForConditionalGeneration InklingMTPModel LongcatFlashNgramForCausalLM RobertaForTokenClassification
    XLMRobertaForTokenClassification
    """),
    ((0, 27, 0), None, """
    ExaoneMoeForCausalLM K3DSparkModel KimiK3ForConditionalGeneration KimiK3MTPModel Qwen3_5ForCausalLM
    Qwen3_5MoeForCausalLM VaultGemmaForCausalLM VibeVoiceAsrForConditionalGeneration
    """),
    ((0, 28, 0), None, """
    BailingMoeV3ForCausalLM BailingMoeV3MTPModel DFlash2DraftModel DFlashMuseGlimmerAssistantModel
    Dots3NoteForCausalLM Dots3NoteMTPModel InternS2MobiusForConditionalGeneration InternS2MobiusMTP
    MuseGlimmerAssistantModel MuseGlimmerForCausalLM MuseGlimmerForConditionalGeneration
    """),
    ((0, 29, 0), None, """
    DeepseekV32MTPModel DeepseekV3BidirectionalModel GraniteMoeSWAForCausalLM GraniteSWAForCausalLM
    HYV4ForCausalLM HYV4MTPModel NemotronH_Omni_Reasoning_V3 Qwen3OmniDSparkModel Qwen4ExpForCausalLM
    Qwen4ExpForConditionalGeneration Qwen4ExpMTP
    """),
    ((0, 30, 0), None, """
    BailingMoeV3VLForConditionalGeneration CohereCompassForConditionalGeneration DSparkV41DraftModel
    DeepseekV41ForCausalLM DeepseekV4ForConditionalGeneration Glm5NextForCausalLM
    Glm5NextForConditionalGeneration Glm5NextMTPModel K2HorizonForCausalLM NanbeigeForCausalLM
    """),
    ((0, 31, 0), None, """
    LiLiCorrDraftModel
    """),
    ((0, 32, 0), None, """
    ClefOmniForJointSchema EmbeddingGemma2Model MiniCPMV4_7ForConditionalGeneration
    """),
    ((0, 33, 0), None, """
    AliceAIForCausalLM Alpamayo2Super BeamForCausalLM ClefFlashForJointSchema ColUltraVBertForRetrieval
    D3ForSequenceClassification DFlash2BeamDraftModel DFlashQwen3XPressModel DomynEdgeForCausalLM
    DoryForCausalLM FlintForCausalLM Kolibri1ForCausalLM Lfm2BidirectionalModel
    MiniCPMOcrForConditionalGeneration ModernVBertModel MuseSparkDSparkModel MuseSparkForConditionalGeneration
    ParseAuxMTPModel Qwen3XPressModel RadioMBartPrefixForCausalLM Step5ForCausalLM Step5ForConditionalGeneration
    Step5MTP TransformersForMTP TransformersMoEForMTP
    """),
)  # fmt: skip

# Names beside those that some release registers.
_REGISTERED = """
    ApertusForCausalLM ArceeForCausalLM AriaForConditionalGeneration BailingMoeForCausalLM
    BertForSequenceClassification BertModel Blip2ForConditionalGeneration BloomForCausalLM
    ChatGLMForConditionalGeneration ChatGLMModel Cohere2ForCausalLM Cohere2VisionForConditionalGeneration
    CohereForCausalLM DbrxForCausalLM DeciLMForCausalLM DeepSeekMTPModel DeepseekForCausalLM
    DeepseekV2ForCausalLM DeepseekV3ForCausalLM DeepseekVLV2ForCausalLM Eagle3LlamaForCausalLM
    EagleDeepSeekMTPModel EagleLlama4ForCausalLM EagleLlamaForCausalLM EagleMiniCPMForCausalLM
    Emu3ForConditionalGeneration Ernie4_5ForCausalLM Ernie4_5_MoeForCausalLM
    Ernie4_5_VLMoeForConditionalGeneration ErnieMTPModel Exaone4ForCausalLM ExaoneForCausalLM FalconForCausalLM
    FalconH1ForCausalLM FalconMambaForCausalLM GLM4VForCausalLM GPT2ForSequenceClassification GPT2LMHeadModel
    GPTBigCodeForCausalLM GPTJForCausalLM GPTNeoXForCausalLM Gemma2ForCausalLM Gemma2Model Gemma3ForCausalLM
    Gemma3ForConditionalGeneration Gemma3TextModel Gemma3nForCausalLM Gemma3nForConditionalGeneration
    GemmaForCausalLM Glm4ForCausalLM Glm4MoeForCausalLM Glm4MoeMTPModel Glm4vForConditionalGeneration
    Glm4vMoeForConditionalGeneration GlmForCausalLM GptOssForCausalLM GraniteForCausalLM GraniteMoeForCausalLM
    GraniteMoeHybridForCausalLM GraniteMoeSharedForCausalLM GraniteSpeechForConditionalGeneration GteModel
    GteNewForSequenceClassification GteNewModel H2OVLChatModel HunYuanDenseV1ForCausalLM HunYuanMoEV1ForCausalLM
    Idefics3ForConditionalGeneration InternLM2ForCausalLM InternLM2ForRewardModel InternLM3ForCausalLM
    InternS1ForConditionalGeneration InternVLChatModel InternVLForConditionalGeneration JambaForCausalLM
    JambaForSequenceClassification JinaVLForRanking KeyeForConditionalGeneration
    KeyeVL1_5ForConditionalGeneration KimiVLForConditionalGeneration LLaMAForCausalLM Lfm2ForCausalLM
    Llama4ForCausalLM Llama4ForConditionalGeneration LlamaForCausalLM LlamaForCausalLMEagle3 LlamaModel
    Llama_Nemotron_Nano_VL LlavaForConditionalGeneration LlavaNextForConditionalGeneration
    LlavaNextVideoForConditionalGeneration LlavaOnevisionForConditionalGeneration Mamba2ForCausalLM
    MambaForCausalLM MedusaModel MiDashengLMModel MiMoForCausalLM MiMoMTPModel MiniCPM3ForCausalLM
    MiniCPMForCausalLM MiniCPMO MiniCPMV Mistral3ForConditionalGeneration MistralForCausalLM MistralModel
    MixtralForCausalLM ModernBertForSequenceClassification ModernBertModel MolmoForCausalLM NVLM_D
    NemotronForCausalLM NemotronHForCausalLM NemotronH_Nano_VL NomicBertModel OPTForCausalLM Olmo2ForCausalLM
    OlmoForCausalLM OlmoeForCausalLM OrionForCausalLM Ovis Ovis2_5 PaliGemmaForConditionalGeneration
    Phi3ForCausalLM Phi3VForCausalLM Phi4MMForCausalLM PhiForCausalLM PhiMoEForCausalLM
    PixtralForConditionalGeneration Qwen2AudioForConditionalGeneration Qwen2ForCausalLM
    Qwen2ForProcessRewardModel Qwen2ForRewardModel Qwen2Model Qwen2MoeForCausalLM
    Qwen2VLForConditionalGeneration Qwen2_5OmniForConditionalGeneration Qwen2_5OmniModel
    Qwen2_5_VLForConditionalGeneration Qwen3ForCausalLM Qwen3MoeForCausalLM Qwen3NextForCausalLM Qwen3NextMTP
    RForConditionalGeneration RobertaForMaskedLM RobertaForSequenceClassification RobertaModel
    SeedOssForCausalLM SkyworkR1VChatModel SmolLM3ForCausalLM SmolVLMForConditionalGeneration SolarForCausalLM
    StableLmForCausalLM Starcoder2ForCausalLM Step3TextForCausalLM Step3VLForConditionalGeneration
    TeleChat2ForCausalLM TeleFLMForCausalLM Terratorch TransformersForCausalLM TransformersForMultimodalLM
    TransformersModel UltravoxModel VoxtralForConditionalGeneration WhisperForConditionalGeneration
    XLMRobertaForSequenceClassification XLMRobertaModel Zamba2ForCausalLM
"""
REGISTERED = frozenset(_REGISTERED.split())

SINCE_UNTIL: dict[str, tuple[Release | None, Release | None]] = {
    name: (since, until) for since, until, names in _ROWS for name in names.split()
}
