"""What went to the language model, as its owner looks at it."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.protocol import AskForFeedback, AskForPrompt

_SILENT_ERRORS = {"CancelledError": "stopped before it was answered"}


class JournalEntry(BaseModel):
    """An entry of a session's journal: a request's `body`, or what is known of what it led to."""

    model_config = ConfigDict(frozen=True)

    at: int
    """How many messages the session had."""
    kind: Literal["request", "decision", "loss", "result"]
    payload: dict[str, Any]
    created_at: int


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Note(BaseModel):
    """What is known of an attempt, or of the decision that ended several."""

    usage: _Usage | None = None
    seconds: float | None = None
    cost: float | None = None
    currency: str | None = None
    retry_trace: list[dict[str, Any]] = Field(default_factory=list)
    transport_trace: list[str] = Field(default_factory=list)
    streaming_fallback: str = ""
    error: str = ""


@dataclass(frozen=True)
class RequestPart:
    """One message of a request, its tools, or its settings.

    Attributes:
        name: the role of a message; `tools`; `settings`.
        characters: size of the part.
        text: the message, the names of the tools, or the settings.
    """

    name: str
    characters: int
    text: str


@dataclass(frozen=True, kw_only=True)
class SentRequest:
    """One request to the language model, exactly as it went out. Keys travel beside it and are no part of it.

    Attributes:
        turn: which turn it belongs to, counted from 0.
        body: the JSON body.
        at: how many messages the session had.
        created_at: milliseconds since 1970 (UTC).
        prompt_tokens: tokens read, lost attempts included; None as all that follows, where another request
            brought the decision, or none did yet.
        completion_tokens: tokens written, likewise.
        seconds: how long the decision took.
        cost: what it cost; None where the server knows no prices.
        currency: of the cost.
        traces: what went wrong on the way to the decision.
        lost: whether no decision came of it.
    """

    turn: int
    body: dict[str, Any]
    at: int
    created_at: int
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    currency: str | None = None
    traces: tuple[str, ...] = ()
    lost: bool = False

    @property
    def parts(self) -> list[RequestPart]:
        """The messages in order, then the tools and the settings."""
        settings = {name: value for name, value in self.body.items() if name not in {"messages", "tools"}}
        parts = [_message_part(message) for message in _dictionaries(self.body.get("messages"))]
        tools = _dictionaries(self.body.get("tools"))
        if tools:
            parts.append(RequestPart("tools", len(_json(tools)), ", ".join(map(_tool_name, tools))))
        return [*parts, RequestPart("settings", len(_json(settings)), _json(settings))]

    @property
    def summary(self) -> str:
        """Model, size, tokens, time and cost in one line."""
        words = [f"model {self.body.get('model', '?')}", f"{len(_json(self.body)):,} characters"]
        if self.prompt_tokens is not None:
            words.append(f"{self.prompt_tokens:,} tokens read, {self.completion_tokens or 0:,} written")
        words += [] if self.seconds is None else [f"{self.seconds:.1f} s"]
        words += [] if self.cost is None else [money(self.cost, self.currency)]
        return " · ".join([*words, *(["no decision came of it"] if self.lost else [])])

    def text(self) -> str:
        """The request to read: what went wrong, every message in full, and the tools by their names."""
        lines = [f"Turn {self.turn} · {self.summary}", *(f"  {trace}" for trace in self.traces)]
        for part in self.parts:
            lines += ["", f"--- {part.name} ({part.characters:,} characters)", part.text]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"SentRequest(turn {self.turn} · {self.summary})"


def money(amount: float, currency: str | None) -> str:
    """An amount that may be a small part of a cent."""
    return f"{amount:.4g} {currency or 'in money'}"


def turn_starts(messages: Sequence[ChatMessage]) -> list[int]:
    """Position of the prompt that each turn begins with; one over an open ask begins none."""
    return [
        position
        for position in range(1, len(messages))
        if isinstance(messages[position], Prompt)
        and isinstance(messages[position - 1], AskForPrompt | AskForFeedback)
    ]


def sent_requests(entries: Iterable[JournalEntry], starts: Sequence[int]) -> list[SentRequest]:
    """The requests of a journal, each with the decision or the loss that ended it.

    Args:
        entries: of kind `request`, `decision` and `loss`, oldest first.
        starts: where the turns begin.
    """
    sent: list[SentRequest] = []
    waiting = False
    for entry in entries:
        if entry.kind == "request":
            turn = max(bisect_left(starts, entry.at) - 1, 0)
            body = entry.payload["body"]
            sent.append(SentRequest(turn=turn, body=body, at=entry.at, created_at=entry.created_at))
            waiting = True
        elif waiting:
            sent[-1] = _ended(sent[-1], entry)
            waiting = False
    return sent


def _ended(request: SentRequest, entry: JournalEntry) -> SentRequest:
    note = _Note.model_validate(entry.payload)
    traces = [f"sent back: {retry.get('error', '')}" for retry in note.retry_trace]
    traces += [f"tried again: {reason}" for reason in note.transport_trace]
    traces += [f"not streamed: {note.streaming_fallback}"] if note.streaming_fallback else []
    traces += [_words(note.error)] if note.error else []
    return replace(
        request,
        prompt_tokens=None if note.usage is None else note.usage.prompt_tokens,
        completion_tokens=None if note.usage is None else note.usage.completion_tokens,
        seconds=note.seconds,
        cost=note.cost,
        currency=note.currency,
        traces=tuple(traces),
        lost=entry.kind == "loss",
    )


def _words(error: str) -> str:
    """An error as people read it; the journal has the name of its class before its text, if it has one."""
    name, _, text = error.partition(": ")
    return text or _SILENT_ERRORS.get(name, name)


def _message_part(message: dict[str, Any]) -> RequestPart:
    content, calls = message.get("content"), message.get("tool_calls")
    text = content if isinstance(content, str) else "" if content is None else _json(content)
    text = "\n".join(filter(None, [text, _json(calls) if calls else ""]))
    return RequestPart(str(message.get("role", "?")), len(text), text)


def _tool_name(tool: dict[str, Any]) -> str:
    function = tool.get("function")
    return str(function.get("name", "?") if isinstance(function, dict) else tool.get("name", "?"))


def _dictionaries(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
