"""The wire of an OpenAI-compatible endpoint, for looking at what it really answers."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.failures import quoted
from decision_ai_server.model_client.replies import RawReply, read_reply, text, usage_in
from decision_ai_server.settings import is_loopback

_CONNECT_SECONDS = 10.0
_MOST_BYTES = 4 * 2**20
_MOST_TOKENS = 400
"""Of one probe: enough for a word, and little to wait for where a model does not stop."""


@dataclass(frozen=True)
class Answered:
    """What came back for one request.

    Attributes:
        problem: what went wrong, fit to be shown; "" if nothing did.
        reply: the reply; None with a problem.
        seconds: until all of it was here.
        first_seconds: until the first text of a stream.
    """

    problem: str
    reply: RawReply | None
    seconds: float
    first_seconds: float | None = None


class Endpoint:
    """An endpoint as the settings say; a context manager.

    Args:
        config: address, key, model, time-outs.
        clock: seconds that only ever grow.
    """

    def __init__(self, config: HarnessConfig, clock: Callable[[], float] = time.monotonic) -> None:
        self._config, self._clock = config, clock
        self._key = config.api_key.get_secret_value() if config.api_key else ""
        self._limit_field = "max_tokens"
        self._http = httpx.Client(
            base_url=config.base_url,
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            timeout=httpx.Timeout(config.request_timeout_seconds, connect=_CONNECT_SECONDS),
            trust_env=not is_loopback(httpx.URL(config.base_url).host),
        )

    def __enter__(self) -> "Endpoint":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def models(self) -> tuple[list[str], str, float]:
        """The names of its models, what went wrong, and the seconds it took."""
        started = self._clock()
        names: list[str] = []
        try:
            response = self._http.get("/models")
            if response.status_code == httpx.codes.OK:
                names, problem = [text(model["id"]) for model in response.json()["data"]], ""
            else:
                problem = self._refusal(response.status_code, response.content)
        except httpx.HTTPError as error:
            problem = self._lost(error)
        except (ValueError, KeyError, TypeError):
            problem = "the answer is no list of models"
        return names, problem, self._clock() - started

    def ask(self, **body: Any) -> Answered:
        """Send one request for a completion; the model and a limit of tokens are added."""
        answered = self._once(body)
        if "max_completion_tokens" in answered.problem and self._limit_field == "max_tokens":
            self._limit_field = "max_completion_tokens"  # newer models of OpenAI know this name only
            answered = self._once(body)
        return answered

    def _once(self, body: dict[str, Any]) -> Answered:
        started = self._clock()
        limit = min(self._config.max_tokens or _MOST_TOKENS, _MOST_TOKENS)
        full = {"model": self._config.model, self._limit_field: limit, **body}
        try:
            with self._http.stream("POST", "/chat/completions", json=full) as response:
                if response.status_code != httpx.codes.OK:
                    problem = self._refusal(response.status_code, _limited(response))
                    return Answered(problem, None, self._clock() - started)
                if body.get("stream"):
                    return self._streamed(response, started)
                reply = read_reply(json.loads(_limited(response)))
        except httpx.HTTPError as error:
            return Answered(self._lost(error), None, self._clock() - started)
        except ValueError:
            return Answered("the answer is no chat completion", None, self._clock() - started)
        return self._read(reply, started)

    def _read(self, reply: Any, started: float) -> Answered:
        seconds = self._clock() - started
        if isinstance(reply, RawReply):
            return Answered("", reply, seconds)
        said = quoted(reply.text, self._key)
        return Answered(f"the reply is {reply.kind}{f': {said}' if said else ''}", None, seconds)

    def _streamed(self, response: httpx.Response, started: float) -> Answered:
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind != "text/event-stream":
            return Answered(f"it answers with {kind or 'no type'} instead of a stream", None, 0.0)
        words, usage, first = "", None, None
        deadline = started + self._config.request_timeout_seconds
        for event in _events(response, lambda: self._clock() > deadline):
            usage = usage_in(event) or usage
            if piece := _piece(event):
                first = self._clock() - started if first is None else first
                words += piece
        seconds = self._clock() - started
        if first is None:
            return Answered("the stream has no text in it", None, seconds)
        return Answered("", RawReply(content=words, usage=usage), seconds, first)

    def _refusal(self, status: int, body: bytes) -> str:
        said = body.decode(errors="replace")
        try:
            error = json.loads(said)["error"]
            said = error if isinstance(error, str) else str(error["message"])
        except (ValueError, KeyError, TypeError):
            pass  # not OpenAI's form: all of it is told
        return f"HTTP {status}: {quoted(said, self._key)}"

    def _lost(self, error: httpx.HTTPError) -> str:
        return quoted(str(error) or type(error).__name__, self._key)


def _limited(response: httpx.Response) -> bytes:
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) > _MOST_BYTES:
            raise ValueError("too long")
    return body


def _events(response: httpx.Response, is_late: Callable[[], bool]) -> Iterator[Any]:
    for line in response.iter_lines():
        data = line.removeprefix("data:").strip()
        if data == "[DONE]" or is_late():
            return
        if line.startswith("data:") and data:
            yield json.loads(data)


def _piece(event: Any) -> str:
    try:
        delta = event["choices"][0]["delta"]
    except (KeyError, IndexError, TypeError):
        return ""
    return text(delta.get("content")) if isinstance(delta, dict) else ""
