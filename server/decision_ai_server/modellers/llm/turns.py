"""The earlier turns of a session, as a language model reads them again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.protocol import AskForFeedback, AskForPrompt
from decision_ai_server.agent.history import FAILED, read_turn
from decision_ai_server.agent.ports import CallRecord
from decision_ai_server.modellers.llm.fencing import harmless
from decision_ai_server.modellers.llm.masking import Mask

NOTICE = "I now read the oldest part of this conversation as a summary; /sent shows it."
"""Said once, in the answer of the turn in which older turns left the conversation."""
_MOST_SAID, _MOST_OUTCOME = 120, 160


@dataclass(frozen=True)
class PastTurn:
    """One turn that is over.

    Attributes:
        said: what the person typed: the prompt, and what was typed over open questions.
        calls: its tool calls.
        answers: what was answered, asked and reported.
    """

    said: tuple[str, ...]
    calls: tuple[CallRecord, ...]
    answers: tuple[str, ...]

    def prompt(self) -> str:
        """The person's words, as typed."""
        return "\n".join(self.said)

    def answer(self, mask: Mask) -> str:
        """What came of it: the calls by name and end, and the answers."""
        calls = [f"({_call_line(record)})" for record in self.calls]
        answers = [harmless(mask.text(answer)) for answer in self.answers]
        return "\n".join([*calls, *answers]) or "(no answer)"

    def line(self, mask: Mask) -> str:
        """The whole turn in one line, for a summary."""
        outcomes = "; ".join(_outcome(record, mask) for record in self.calls) or "answered"
        return f'- "{_brief(self.prompt(), _MOST_SAID)}" → {outcomes}'

    @property
    def size(self) -> int:
        """Its characters word for word; the same whatever is masked, so that the cut is the same too."""
        return len(self.prompt()) + len(self.answer(Mask()))


def past_turns(history: Sequence[ChatMessage]) -> tuple[PastTurn, ...]:
    """The turns before the present one, oldest first."""
    starts = [
        place
        for place in range(1, len(history))
        if isinstance(history[place], Prompt)
        and isinstance(history[place - 1], AskForPrompt | AskForFeedback)
    ]
    return tuple(_turn(history[start - 1 : end]) for start, end in pairwise(starts))


def _turn(messages: Sequence[ChatMessage]) -> PastTurn:
    said, answers = [], []
    for message in messages:
        match message:
            case Prompt(prompt=text):
                said.append(text)
            case ChatResponse(response=text):
                answers.append(text.removesuffix(NOTICE).rstrip())
            case UncriticalErrorMessage(error=text):
                answers.append(f"Error: {text}")
    return PastTurn(tuple(said), read_turn(messages).calls, tuple(answers))


def _call_line(record: CallRecord) -> str:
    words = f': "{record.rejection}"' if record.rejection else ""
    return f"{record.call.name}: {record.state}{words}"


def _outcome(record: CallRecord, mask: Mask) -> str:
    """How a call ended, with the first line of what it brought or the words it was rejected with."""
    if record.state == "rejected":
        return f'{record.call.name} rejected: "{_brief(record.rejection or "", _MOST_SAID)}"'
    output = (record.output or "").removeprefix(FAILED).strip().partition("\n")[0]
    return f"{record.call.name} {record.state}: {_brief(harmless(mask.text(output)), _MOST_OUTCOME)}"


def _brief(text: str, most: int) -> str:
    line = " ".join(harmless(text).split())
    return line if len(line) <= most else f"{line[:most]}…"
