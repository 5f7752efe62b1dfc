"""The bodies of answers, with the fields of vLLM 0.32.0."""

from __future__ import annotations

import itertools
import time
import typing as t
import uuid

from .release import VERSION

SENTENCE = "The quick brown fox jumps over the lazy dog, and the dog does not mind."
WIDTH = 16  # of a vector
FINGERPRINT = f"vllm-{VERSION}-rehearsal"
Body = dict[str, t.Any]


def now() -> int:
    """Seconds of the clock."""
    return int(time.time())


def new_id(prefix: str) -> str:
    """An id as vLLM makes them."""
    return f"{prefix}-{uuid.uuid4().hex[:16]}"


def words(count: int) -> list[str]:
    """That many tokens: words of one sentence, over and over."""
    return [" " + word for word in itertools.islice(itertools.cycle(SENTENCE.split()), count)]


def models(names: t.Sequence[str], adapters: t.Sequence[Body], root: str, context: int) -> Body:
    """GET /v1/models."""
    own = [_model(name, root, None, context) for name in names]
    more = [_model(each["name"], each["path"], names[0], None) for each in adapters]
    return {"object": "list", "data": [*own, *more]}


def _model(name: str, root: str, parent: str | None, context: int | None) -> Body:
    allowed = {
        "create_engine": False,
        "sampling": True,
        "logprobs": True,
        "search_indices": False,
        "view": True,
    }
    permission = {"id": new_id("modelperm"), "object": "model_permission", "created": now()}
    permission |= {f"allow_{key}": value for key, value in {**allowed, "fine_tuning": False}.items()}
    permission |= {"organization": "*", "group": None, "is_blocking": False}
    head = {
        "id": name,
        "object": "model",
        "created": now(),
        "owned_by": "vllm",
        "root": root,
        "parent": parent,
    }
    return {**head, "max_model_len": context, "permission": [permission]}


def usage(prompt: int, completion: int) -> Body:
    """What a request cost."""
    return {"prompt_tokens": prompt, "total_tokens": prompt + completion, "completion_tokens": completion}


_NO_DETAILS = {"prompt_tokens_details": None, "completion_tokens_details": None}


def completion(model: str, prompts: int, prompt_tokens: int, tokens: list[str], reason: str) -> Body:
    """POST /v1/completions."""
    nothing = dict.fromkeys(("token_ids", "prompt_logprobs", "prompt_token_ids", "routed_experts"))
    choice = {
        "text": "".join(tokens),
        "logprobs": None,
        "finish_reason": reason,
        "stop_reason": None,
        **nothing,
    }
    return {
        **_head("cmpl", "text_completion", model),
        "choices": [{"index": index, **choice} for index in range(prompts)],
        "service_tier": None,
        "system_fingerprint": FINGERPRINT,
        "usage": {**usage(prompt_tokens, prompts * len(tokens)), **_NO_DETAILS},
        **dict.fromkeys(("kv_transfer_params", "ec_transfer_params", "metrics")),
    }


def chat(model: str, prompt_tokens: int, tokens: list[str], reason: str) -> Body:
    """POST /v1/chat/completions."""
    message: Body = {"role": "assistant", "content": "".join(tokens).strip()}
    message |= dict.fromkeys(("refusal", "annotations", "audio", "function_call", "reasoning"))
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason, "stop_reason": None}
    return {
        **_head("chatcmpl", "chat.completion", model),
        "choices": [{**choice, "token_ids": None, "routed_experts": None}],
        "service_tier": None,
        "system_fingerprint": FINGERPRINT,
        "usage": {**usage(prompt_tokens, len(tokens)), **_NO_DETAILS},
        **dict.fromkeys(("prompt_logprobs", "prompt_token_ids", "prompt_text")),
        **dict.fromkeys(("kv_transfer_params", "ec_transfer_params", "metrics")),
    }


def _head(prefix: str, kind: str, model: str) -> Body:
    return {"id": new_id(prefix), "object": kind, "created": now(), "model": model}


def stream_head(kind: str, model: str) -> Body:
    """What all events of a stream have in common."""
    return (
        _head("chatcmpl", "chat.completion.chunk", model)
        if kind == "chat"
        else _head("cmpl", "text_completion", model)
    )


def stream_role(head: Body) -> Body:
    """The first event of a chat."""
    first = {
        "index": 0,
        "delta": {"role": "assistant", "content": ""},
        "logprobs": None,
        "finish_reason": None,
    }
    return {**head, "choices": [first], "prompt_token_ids": None, "prompt_text": None}


def stream_token(kind: str, head: Body, token: str, reason: str | None) -> Body:
    """The event of one token; the last one has a reason."""
    said: Body = {"delta": {"content": token}} if kind == "chat" else {"text": token}
    choice = {"index": 0, **said, "logprobs": None, "finish_reason": reason}
    if kind == "chat":
        more: Body = {"stop_reason": None, "token_ids": None} if reason else {"token_ids": None}
    else:
        more = dict.fromkeys(("stop_reason", "prompt_token_ids", "token_ids"))
    return {**head, "choices": [{**choice, **more}]}


def stream_usage(head: Body, prompt: int, completion_tokens: int) -> Body:
    """The last event, where the client asked for the costs."""
    return {
        **head,
        "choices": [],
        "usage": usage(prompt, completion_tokens),
        "system_fingerprint": FINGERPRINT,
    }


def vectors(prefix: str, kind: str, model: str, texts: int, prompt_tokens: int) -> Body:
    """POST /v1/embeddings and /pooling."""
    value = [round(0.25 - 0.01 * place, 2) for place in range(WIDTH)]
    key = "embedding" if kind == "embedding" else "data"
    data = [{"index": index, "object": kind, key: value} for index in range(texts)]
    return {**_list(prefix, model), "data": data, "usage": {**usage(prompt_tokens, 0), **_NO_DETAILS}}


def scores(model: str, pairs: int, prompt_tokens: int) -> Body:
    """POST /score."""
    data = [
        {"index": index, "object": "score", "score": round(0.9 - 0.1 * index, 2)} for index in range(pairs)
    ]
    return {**_list("score", model), "data": data, "usage": {**usage(prompt_tokens, 0), **_NO_DETAILS}}


def _list(prefix: str, model: str) -> Body:
    return {"id": new_id(prefix), "object": "list", "created": now(), "model": model}


def rerank(model: str, documents: t.Sequence[t.Any], prompt_tokens: int) -> Body:
    """POST /rerank."""
    results = [
        {
            "index": index,
            "document": {"text": text, "multi_modal": None},
            "relevance_score": round(0.9 - 0.1 * index, 2),
        }
        for index, text in enumerate(documents)
    ]
    return {
        "id": new_id("score"),
        "model": model,
        "usage": {"prompt_tokens": prompt_tokens, "total_tokens": prompt_tokens},
        "results": results,
    }


def error(status: int, message: str, param: str | None = None) -> Body:
    """An error of vLLM's own."""
    kinds = {
        400: "BadRequestError",
        404: "NotFoundError",
        500: "InternalServerError",
        503: "ServiceUnavailableError",
    }
    return {"error": {"message": message, "type": kinds[status], "param": param, "code": status}}
