"""What a session keeps besides what was said: how decisions came about, and the figures of results.

An entry carries the length of the history at which it was made, so that the entries of a turn are known from
the history alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from decision_ai_server.model_client.decisions import DecisionUsage, ModelDecision, ToolCall

NoteKind: TypeAlias = Literal["request", "decision", "result", "loss"]
NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)
Figure: TypeAlias = float | int | str
"""One field of a typed result: a number, or a word such as an outcome."""


@dataclass(frozen=True)
class Note:
    """Something to keep in the journal of a session.

    Attributes:
        kind: `request` (exact body of a request to a language model), `decision` (usage, traces and seconds
            of one decision), `loss` (the same of an attempt that brought none), `result` (the figures and
            seconds of a finished tool call).
        payload: JSON-ready.
    """

    kind: NoteKind
    payload: dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A note as kept; `at` is the number of messages of the session when it was made."""

    at: int
    note: Note


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What decisions have cost.

    Attributes:
        prompt_tokens: tokens read, lost attempts included.
        completion_tokens: tokens written, lost attempts included.
        seconds: wall time of deciding and of tools; waiting for people and their solves not included.
        cost: money in the currency of the price table; None without one.
        decisions: how many were made or lost.
        currency: of the cost.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    decisions: int = 0
    currency: str | None = None

    @property
    def tokens(self) -> int:
        """Tokens in all."""
        return self.prompt_tokens + self.completion_tokens


def checked(note: Note) -> Note:
    """A copy of a note that can be stored and added up.

    Raises:
        TypeError, ValueError, KeyError, AttributeError: if it cannot; the fault of whoever made it.
    """
    copy = Note(note.kind, json.loads(json.dumps(note.payload)))
    entry = Entry(0, copy)
    spent([entry])
    figures_of([entry])
    return copy


def spent(entries: Iterable[Entry], since: int = 0) -> Spent:
    """What the decisions, losses and results of the journal have cost, from the message number `since` on."""
    total = Spent()
    for entry in entries:
        if entry.at >= since and entry.note.kind != "request":
            total = _added(total, entry.note)
    return total


def figures_of(entries: Sequence[Entry]) -> dict[str, dict[str, Figure]]:
    """Tool-call id → the named figures of its result."""
    results = (entry.note.payload for entry in entries if entry.note.kind == "result")
    return {str(payload["tool_id"]): dict(payload["figures"]) for payload in results}


def decision_note(decision: ModelDecision, *, seconds: float) -> Note:
    """A decision as a note: what it is, what it cost and how it came about, not what it says."""
    evidence = decision.model_dump(mode="json", exclude={"thought_summary", "action"})
    action: dict[str, str] = {"type": decision.action.type}
    if isinstance(decision.action, ToolCall):
        action["name"] = decision.action.name
    return Note("decision", {"action": action, "seconds": seconds} | {k: v for k, v in evidence.items() if v})


def loss_note(error: BaseException, *, seconds: float) -> Note:
    """An attempt that brought no decision as a note; some errors know what it cost."""
    usage = getattr(error, "usage", None)
    cost = {"usage": usage.model_dump()} if isinstance(usage, DecisionUsage) else {}
    return Note(
        "loss", {"error": f"{type(error).__name__}: {error}".rstrip(": "), "seconds": seconds, **cost}
    )


def result_note(tool_id: str, figures: Mapping[str, Figure], *, seconds: float = 0.0) -> Note:
    """The figures of a finished call as a note, and how long it took on the server."""
    return Note("result", {"tool_id": tool_id, "figures": dict(figures), "seconds": seconds})


def _added(total: Spent, note: Note) -> Spent:
    payload = note.payload
    usage, cost = payload.get("usage") or {}, payload.get("cost")
    read, written = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    return Spent(
        prompt_tokens=total.prompt_tokens + max(0, read),
        completion_tokens=total.completion_tokens + max(0, written),
        seconds=total.seconds + max(0.0, float(payload.get("seconds", 0.0))),
        cost=total.cost if cost is None else (total.cost or 0.0) + max(0.0, float(cost)),
        decisions=total.decisions + (note.kind != "result"),
        currency=payload.get("currency") or total.currency,
    )
