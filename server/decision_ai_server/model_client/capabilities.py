"""What an endpoint can do, as far as it is known, and how a refusal is told from a fault.

A refused part of a request is lowered and the same request goes out again. What was lowered is kept for
the life of the client only after a lowered request brought a reply.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.replies import Failure

Body: TypeAlias = Mapping[str, Any]
Form: TypeAlias = Literal["json_schema", "json_object", "none"]

_REFUSING = frozenset({400, 404, 422, 500, 501})
_CRASHING = frozenset({500, 501})
_REFUSING_STREAM = frozenset({400, 404, 422})
_REFUSAL_WORDS = ("not support", "unsupported", "not allowed")
_MODELS_FAULT = "does not match the expected"
"""What llama.cpp says, with status 500, of a reply it cannot read back: the model's fault, no refusal."""
_LOWER_FORM: Mapping[Form, Form] = {"json_schema": "json_object", "json_object": "none"}


@dataclass(frozen=True)
class Capabilities:
    """What may be asked of an endpoint.

    Attributes:
        replayed_calls: a malformed call may be shown again as a call.
        temperature: it takes a temperature.
        limit_field: the name of its limit of tokens; newer OpenAI models know the second one only.
    """

    stream: bool
    tools: bool
    tool_choice: Literal["required", "auto"]
    response_format: Form
    stream_options: bool = True
    parallel_tool_calls: bool = True
    replayed_calls: bool = True
    temperature: bool = True
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    @classmethod
    def wanted(cls, config: HarnessConfig) -> "Capabilities":
        """What the settings ask for, before the endpoint had its say."""
        return cls(
            stream=config.stream_model_calls,
            tools=config.native_tool_calls,
            tool_choice=config.tool_choice,
            response_format=config.structured_output,
        )

    def lowered(self, *lowerings: "Lowering") -> "Capabilities":
        """Without what was refused."""
        changes: dict[str, Any] = {lowering.feature: lowering.to for lowering in lowerings}
        return replace(self, **changes)


@dataclass(frozen=True)
class Lowering:
    """A feature to do without.

    Attributes:
        to: its lower value.
        is_guess: the endpoint did not say so, it only broke down; a second breakdown refutes it.
    """

    feature: str
    to: bool | str
    is_guess: bool = False


def refused(body: Body, failure: Failure, present: Capabilities) -> Lowering | None:
    """The feature that an endpoint refused, or None if the failure is about something else.

    Args:
        body: the request that failed.
        failure: how it failed.
        present: what the request was built on.
    """
    if failure.kind == "unstreamable":
        return Lowering("stream", to=False)
    said = failure.text.lower()
    if failure.status not in _REFUSING or _MODELS_FAULT in said:
        return None
    for is_sent, is_meant, lowering in _NAMED:
        if is_sent(body) and is_meant(said, failure.status):
            return lowering
    return _unnamed(body, failure.status, present)


def _unnamed(body: Body, status: int, present: Capabilities) -> Lowering | None:
    """What is likely meant by a refusal that names nothing."""
    crashed = status in _CRASHING
    if any(message["role"] == "tool" for message in body["messages"]):
        return Lowering("replayed_calls", to=False, is_guess=crashed)
    if "response_format" in body:
        return Lowering("response_format", to=_LOWER_FORM[present.response_format], is_guess=crashed)
    if crashed and body.get("tool_choice") == "required":
        return Lowering("tool_choice", to="auto", is_guess=True)
    return None


def _says(*words: str) -> Callable[[str, int], bool]:
    return lambda said, _: any(word in said for word in words)


def _refuses(word: str, *further: str) -> Callable[[str, int], bool]:
    return lambda said, _: word in said and any(each in said for each in (*_REFUSAL_WORDS, *further))


def _has(name: str, *values: object) -> Callable[[Body], bool]:
    return lambda body: name in body and (not values or body[name] in values)


def _refuses_stream(said: str, status: int) -> bool:
    return status in _REFUSING_STREAM and _refuses("stream")(said, status)


_NAMED: tuple[tuple[Callable[[Body], bool], Callable[[str, int], bool], Lowering], ...] = (
    (_has("stream_options"), _says("stream_options"), Lowering("stream_options", to=False)),
    (_has("stream"), _refuses_stream, Lowering("stream", to=False)),
    (
        _has("parallel_tool_calls"),
        _says("parallel_tool_calls", "parallel tool calls"),
        Lowering("parallel_tool_calls", to=False),
    ),
    (
        _has("tool_choice", "required"),
        _says("tool_choice", "tool choice"),
        Lowering("tool_choice", to="auto"),
    ),
    (
        _has("max_tokens"),
        _says("max_completion_tokens"),
        Lowering("limit_field", to="max_completion_tokens"),
    ),
    (_has("temperature"), _refuses("temperature"), Lowering("temperature", to=False)),
    # vLLM and llama.cpp say which option of theirs tools "require"; OpenRouter finds "no endpoints".
    (_has("tools"), _refuses("tool", "requires", "no endpoints"), Lowering("tools", to=False)),
)
"""Refusals in words: whether the part was sent, whether it is meant, what to do. The narrow ones first."""
