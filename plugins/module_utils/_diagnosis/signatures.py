"""All signatures, the specific before the general. Data."""

from __future__ import annotations

from .of_cuda import CUDA
from .of_engine import ENGINE
from .of_files import FILES
from .of_host import HOST
from .of_memory import MEMORY
from .of_model import MODEL
from .of_podman import PODMAN
from .of_refusals import REFUSALS
from .of_settings import SETTINGS

SIGNATURES = (*SETTINGS, *HOST, *PODMAN, *MEMORY, *MODEL, *ENGINE, *FILES, *CUDA, *REFUSALS)

# What vLLM and systemd say when something else has already failed. A server that says so will not come up.
WRAPPERS = (
    r"EngineCore (?:failed to start|hit an exception)|Engine (?:process failed to start)|Engine core initialization failed|Failed core proc\(s\)",
    r"WorkerProc (?:failed to start|initialization failed)|Worker proc \S+ died unexpectedly|Worker failed with error",
    r"ProcessRaisedException|EngineGenerateError|RayTaskError|ActorDiedError|RuntimeError: cancelled",
    r"Executor failed\.|One or more workers failed|workers have not started|API server process .* died|DP Coordinator process failed",
    r"ApiServer \S+ failed|EngineCore encountered (?:a fatal error|an issue)|EngineDeadError",
    r"Model architectures .* failed to be inspected|vllm\.model_executor\.models\.registry'\]?'? (?:returned|died)",
    r"Engine loop is not running|Background loop (?:has errored|is stopped)|Task finished unexpectedly",
)

# How far the start had come; the last marker above a line counts. Frames of a traceback tell it as well.
PHASES = (
    (r"Loading drafter model", "drafting"),
    (
        r"Starting to load model|Loading safetensors|Loading weights|\bin (?:load_model|load_weights|create_weights|"
        r"process_weights_after_loading|initialize_model|make_layers)$",
        "loading",
    ),
    (
        r"Model loading took|Loading model weights took|\bin (?:profile_run|determine_available_memory|"
        r"profile_cudagraph_memory)$",
        "profiling",
    ),
    (
        r"KV cache size:|Available KV cache memory|Capturing (?:CUDA ?|cuda)?graph|# \w+ blocks:|"
        r"\bin (?:capture_model|_capture_cudagraphs|compile_or_warm_up_model|capture_end)$",
        "warming",
    ),
    (r"Application startup complete", "serving"),
)
