"""What the history says about the present turn. Nothing about a turn is remembered anywhere else."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.solving import SolveSucceeded
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai_server.agent.journal import Entry, figures_of
from decision_ai_server.agent.ports import CallRecord, CallState

FAILED = "Not done: "
"""How the output of a call that could not be carried out begins."""
CANCELLED = "Cancelled"
"""How the output of a call that the person stopped begins."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn: from a prompt to the next ask for a prompt or for feedback.

    Attributes:
        sentence: what the person typed last.
        question: the clarifying question the turn's first prompt answers, or None.
        calls: its tool calls, oldest first.
        calls_since_prompt: those after the newest prompt; a prompt over an open ask starts counting anew.
        start: how many messages there were before it.
        prompted: how many there were before its newest prompt.
    """

    sentence: str
    question: str | None
    calls: tuple[CallRecord, ...]
    calls_since_prompt: tuple[CallRecord, ...]
    start: int
    prompted: int

    @property
    def open_call(self) -> CallRecord | None:
        """The call that has no output yet."""
        return next((record for record in self.calls if record.state == "open"), None)


def read_turn(messages: Sequence[ChatMessage], journal: Sequence[Entry] = ()) -> Turn:
    """The turn that the newest prompt belongs to; empty before the first prompt.

    Args:
        messages: every message of the session.
        journal: where the figures of its results are.
    """
    start = _start_of_turn(messages)
    records: dict[str, CallRecord] = {}
    sentence, since, prompted = "", 0, start
    for position, message in enumerate(messages[start:], start):
        if isinstance(message, Prompt):
            sentence, since, prompted = message.prompt, len(records), position
        _note(records, message)
    figures = figures_of(journal)
    calls = tuple(replace(record, figures=figures.get(id, {})) for id, record in records.items())
    return Turn(
        sentence=sentence,
        question=open_question(messages[:start]),
        calls=calls,
        calls_since_prompt=calls[since:],
        start=start,
        prompted=prompted,
    )


def last_solve(messages: Sequence[ChatMessage]) -> tuple[str, ToolData] | None:
    """Text of the newest plan that a solve of this session brought, and the ask it answered."""
    for message in reversed(messages):
        if isinstance(message, SolveResponse) and isinstance(message.solving, SolveSucceeded):
            return message.solving.solution_str, message.tool_origin
    return None


def open_question(before: Sequence[ChatMessage]) -> str | None:
    """The question that the last messages ask, if they ask one."""
    match list(before[-2:]):
        case [ChatResponse(response=text), AskForFeedback()]:
            return text
    return None


def _start_of_turn(messages: Sequence[ChatMessage]) -> int:
    for position in range(len(messages) - 1, 0, -1):
        if isinstance(messages[position], Prompt) and isinstance(
            messages[position - 1], AskForPrompt | AskForFeedback
        ):
            return position
    return len(messages)


def _note(records: dict[str, CallRecord], message: ChatMessage) -> None:
    """Enter one message of the turn into the records of its calls."""
    match message:
        case ToolCall(tool_data=calls):
            records |= {str(call.id): CallRecord(call=call, state="open", output=None) for call in calls}
        case AskForValidation() | AskForSolve():
            record = records[str(message.tool_origin.id)]
            # An ask over an unanswered one is the same ask on a model that changed in between.
            answered = record.asks[: len(record.answers)]
            anew = record.asked_anew or _is_anew(record, message)
            records[str(message.tool_origin.id)] = replace(record, asks=(*answered, message), asked_anew=anew)
        case ValidationResponse() | SolveResponse():
            record = records[str(message.tool_origin.id)]
            rejection = (message.rejection_message or "") if message.rejected else None
            records[str(message.tool_origin.id)] = replace(
                record, answers=(*record.answers, message), rejection=rejection
            )
        case Prompt(prompt=text):
            for id, record in records.items():
                if record.state == "open":
                    records[id] = replace(record, rejection=text)
        case ToolOutput(tool_id=id, tool_output=text):
            records[id] = replace(records[id], output=text, state=_end(records[id], text))


def _is_anew(record: CallRecord, ask: AskForValidation | AskForSolve) -> bool:
    """Whether an ask is about what was asked before, on a model that changed in between."""
    if len(record.asks) > len(record.answers):
        return True
    if not record.asks or not isinstance(ask, AskForValidation):
        return False
    before, answer = record.asks[-1], record.answers[-1]
    if not isinstance(before, AskForValidation) or not isinstance(answer, ValidationResponse):
        return False
    edited = answer.changes not in (None, before.changes)
    return before.tool_origin.args.get("part") == ask.tool_origin.args.get("part") and not edited


def _end(record: CallRecord, output: str) -> CallState:
    """How a call ended, from its answers and its output."""
    if output.startswith(CANCELLED):
        return "cancelled"
    if record.rejection is not None:
        return "rejected"
    if output.startswith(FAILED):
        return "failed"
    match record.answers:
        case (*_, ValidationResponse(validation=ValidationSucceeded())):
            return "approved"
        case (*_, SolveResponse(validation=ValidationSucceeded())):
            return "solved"
        case ():
            return "done"
    return "failed"
