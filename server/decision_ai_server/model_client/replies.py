"""What came back for a request, as values: a raw reply, or why there is none. Foreign objects end here."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.retrying import is_retryable, looks_blank
from decision_ai_server.model_client.tool_schemas import readable

FailureKind: TypeAlias = Literal[
    "timeout", "unreachable", "lost", "status", "empty", "unreadable", "cut", "unstreamable"
]


@dataclass(frozen=True)
class RawCall:
    """A tool call as the model wrote it; `arguments` may be anything."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class RawReply:
    """A reply that arrived whole.

    Attributes:
        content: its text, or what the model said instead (`refusal`).
        calls: its tool calls, in order.
        finish_reason: why it ended, in the endpoint's word.
        usage: tokens, where the endpoint reports them.
    """

    content: str = ""
    calls: tuple[RawCall, ...] = ()
    finish_reason: str | None = None
    usage: DecisionUsage | None = None

    @property
    def is_cut_off(self) -> bool:
        """Whether the model ran into the limit of tokens."""
        return self.finish_reason == "length"


@dataclass(frozen=True)
class Failure:
    """Why an attempt brought no reply.

    Attributes:
        text: what the other side or the library said: foreign text, not yet fit for a person.
        status: HTTP status, where there is one.
        headers: of the answer, names in lower case.
        usage: tokens that were spent all the same.
    """

    kind: FailureKind
    text: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    usage: DecisionUsage | None = None

    @property
    def is_passing(self) -> bool:
        """Whether the same request may well succeed a little later."""
        return is_retryable(self.status) if self.status is not None else self.kind != "unstreamable"


def part(value: Any, name: str) -> Any:
    """A field of an SDK object or of a mapping; None where it is missing."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def text(value: Any) -> str:
    """Text as it is; anything else is no text."""
    return value if isinstance(value, str) else ""


def parts(value: Any) -> Iterable[Any]:
    """A list as it is; anything else is empty."""
    return value if isinstance(value, list | tuple) else ()


def usage_in(answer: Any) -> DecisionUsage | None:
    """The tokens an answer or a chunk reports, if it does."""
    usage = part(answer, "usage")
    counts = [part(usage, name) for name in ("prompt_tokens", "completion_tokens")]
    if not any(isinstance(count, int) for count in counts):
        return None
    prompt, completion = (count if isinstance(count, int) else 0 for count in counts)
    return DecisionUsage(prompt_tokens=prompt, completion_tokens=completion)


def read_reply(answer: Any) -> RawReply | Failure:
    """The reply in the answer to an unstreamed request, whatever that answer is."""
    if isinstance(answer, str):
        kind: FailureKind = "empty" if looks_blank(answer) else "unreadable"
        return Failure(kind, answer)
    if (error := part(answer, "error")) is not None:
        return failure_in_body(error)
    choice = next(iter(parts(part(answer, "choices"))), None)
    message = part(choice, "message")
    reply = RawReply(
        content=text(part(message, "content")) or text(part(message, "refusal")),
        calls=tuple(_call(call) for call in parts(part(message, "tool_calls"))),
        finish_reason=text(part(choice, "finish_reason")) or None,
        usage=usage_in(answer),
    )
    return checked(reply)


def checked(reply: RawReply) -> RawReply | Failure:
    """The reply, made fit to be sent and stored, or a failure if nothing is in it.

    A blank reply that ran into the limit of tokens is the model's doing: the same request would bring the
    same again.
    """
    if not reply.calls and not reply.is_cut_off and looks_blank(reply.content):
        return Failure("empty", "", usage=reply.usage)
    calls = tuple(RawCall(call.id, readable(call.name), readable(call.arguments)) for call in reply.calls)
    return replace(reply, content=readable(reply.content), calls=calls)


def failure_in_body(error: Any) -> Failure:
    """An error told inside an answer or a stream whose HTTP status said success."""
    message = text(error) or text(part(error, "message")) or json.dumps(error, default=str)
    code = str(part(error, "code"))
    status = int(code) if code.isdecimal() and 400 <= int(code) <= 599 else None
    return Failure("lost" if status is None else "status", message, status=status)


def arguments_text(value: Any) -> str:
    """The arguments of a call as JSON text; some servers send the object itself."""
    return value if isinstance(value, str) else json.dumps(value, default=str) if value else ""


def _call(call: Any) -> RawCall:
    function = part(call, "function")
    return RawCall(
        id=text(part(call, "id")),
        name=text(part(function, "name")),
        arguments=arguments_text(part(function, "arguments")),
    )
