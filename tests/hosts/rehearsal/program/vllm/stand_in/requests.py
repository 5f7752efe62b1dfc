"""A request for tokens, vectors or scores: what is wrong with it, and what it is answered."""

from __future__ import annotations

import json
import typing as t

from . import answers

if t.TYPE_CHECKING:
    from .answers import Body
    from .server import App

MOST_TOKENS = 16  # where the client says nothing


class RefusedError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str, param: str | None = None, kind: str | None = None) -> None:
        """As vLLM's own error, or of another kind."""
        super().__init__(message)
        self.status = status
        self.body = answers.error(status, message, param)
        if kind:
            self.body["error"]["type"] = kind


class Request:
    """One POST."""

    def __init__(self, app: App, path: str, data: bytes) -> None:
        """Read it, or refuse it."""
        self._app = app
        self._path = path
        self._asked = _read(data)
        self.model = str(self._asked.get("model") or app.names[0])
        known = [*app.names, *(each["name"] for each in app.options.adapters)]
        self._generates = path in ("/v1/chat/completions", "/v1/completions")
        if self.model not in known:
            raise _no_such_model(self.model, known if self._generates or path == "/tokenize" else ())
        self._texts = self._find_texts()
        self.prompt_tokens = max(1, sum(len(text.split()) for text in self._texts))
        self.stream = bool(self._asked.get("stream")) and self._generates
        self._head: Body = {}

    def _find_texts(self) -> list[str]:
        """What the model is to read, by the path."""
        if self._path == "/v1/chat/completions":
            return [str(message.get("content")) for message in self._needed("messages")]
        if self._path == "/v1/completions" and not self._asked.get("prompt"):
            message = "Either prompt or prompt_embeds must be provided and non-empty. (parameter=prompt)"
            raise RefusedError(400, message, "prompt")
        keys = {"/v1/embeddings": "input", "/pooling": "input", "/detokenize": "tokens"}
        if self._path.endswith("/rerank"):
            return [str(self._needed("query")), *map(str, self._needed("documents"))]
        if self._path.endswith("/score"):
            return [*_list(self._one_of("text_1", "queries")), *_list(self._one_of("text_2", "documents"))]
        return _list(self._needed(keys.get(self._path, "prompt")))

    def _needed(self, key: str) -> t.Any:
        if key not in self._asked:
            where = f"body.{key}"
            problem = {
                "type": "missing",
                "loc": where,
                "msg": "Field required",
                "input": f"<dict of {len(self._asked)} items>",
            }
            raise RefusedError(400, f"1 validation error:\n  {problem}", where, "Bad Request")
        return self._asked[key]

    def _one_of(self, first: str, second: str) -> t.Any:
        return self._asked[second] if second in self._asked else self._needed(first)

    def tokens(self) -> list[str]:
        """The tokens to make, after a look at how many are allowed; one for what is no text."""
        if not self._generates:
            return [""]
        key = "max_completion_tokens" if "max_completion_tokens" in self._asked else "max_tokens"
        wanted, context = self._asked.get(key), self._app.options.context
        count = MOST_TOKENS if wanted is None else int(wanted)
        if count < 1:
            raise RefusedError(
                400, f"{key} must be at least 1, got {count}. (parameter={key}, value={count})", key
            )
        if count > context:
            raise RefusedError(
                400,
                f"{key}={count} cannot be greater than max_model_len={context}. Please request fewer output tokens."
                f" (parameter={key}, value={count})",
                key,
            )
        return answers.words(count)

    def body(self, tokens: list[str], reason: str) -> Body:
        """The whole answer."""
        texts, cost = len(self._texts), self.prompt_tokens
        if self._path == "/v1/chat/completions":
            return answers.chat(self.model, cost, tokens, reason)
        if self._path == "/v1/completions":
            return answers.completion(self.model, texts, cost, tokens, reason)
        if self._path == "/v1/embeddings":
            return answers.vectors("embd", "embedding", self.model, texts, cost)
        if self._path == "/pooling":
            return answers.vectors("pooling", "pooling", self.model, texts, cost)
        if self._path.endswith("/rerank"):
            return answers.rerank(self.model, self._texts[1:], cost)
        return answers.scores(self.model, len(_list(self._one_of("text_2", "documents"))), cost)

    def event(self, token: str, made: int, reason: str | None) -> str:
        """What goes out with a token, in the form of server-sent events; with a reason it is the last one."""
        kind = "chat" if "chat" in self._path else "text"
        head = self._head = self._head or answers.stream_head(kind, self.model)
        told = [answers.stream_role(head)] if kind == "chat" and made == 1 else []
        told.append(answers.stream_token(kind, head, token, reason))
        costs = (self._asked.get("stream_options") or {}).get("include_usage")
        if reason and costs:
            told.append(answers.stream_usage(head, self.prompt_tokens, made))
        elif reason:
            told[-1]["system_fingerprint"] = answers.FINGERPRINT
        lines = [json.dumps(event, separators=(",", ":")) for event in told] + (["[DONE]"] if reason else [])
        return "".join(f"data: {line}\n\n" for line in lines)

    def tokenized(self) -> Body:
        """POST /tokenize and /detokenize."""
        if self._path == "/detokenize":
            return {"prompt": "".join(answers.words(len(self._texts)))}
        tokens = list(range(265, 265 + self.prompt_tokens))
        context = self._app.options.context
        return {"count": len(tokens), "max_model_len": context, "tokens": tokens, "token_strs": None}


def _no_such_model(model: str, aliases: t.Collection[str]) -> RefusedError:
    """Where tokens are made it names the models that there are."""
    message = f"The model `{model}` does not exist."
    return (
        RefusedError(404, f"{message} Valid aliases: {', '.join(aliases)}.", "model")
        if aliases
        else RefusedError(404, message)
    )


def _read(data: bytes) -> Body:
    try:
        asked = json.loads(data)
    except ValueError as error:
        place = f"body.{getattr(error, 'pos', 0)}"
        told = {"error": getattr(error, "msg", "")}
        empty = "<dict of 0 items>"
        problem = {
            "type": "json_invalid",
            "loc": place,
            "msg": "JSON decode error",
            "input": empty,
            "ctx": told,
        }
        raise RefusedError(400, f"1 validation error:\n  {problem}", place, "Bad Request") from error
    if not isinstance(asked, dict):
        raise RefusedError(400, "1 validation error:\n  the body is no object", "body", "Bad Request")
    return asked


def _list(value: t.Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]
