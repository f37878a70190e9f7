"""What happens while a decision is fetched, for whoever watches: the person's screen and the journal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class RequestSent:
    """A request goes out: its exact JSON body. Keys travel in headers and are not part of it."""

    body: dict[str, Any]


@dataclass(frozen=True)
class AnswerDelta:
    """A piece of the text for the person (`final_answer.answer`, `ask_user.question`) arrived, unescaped."""

    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    """A piece of what the model thinks arrived."""

    text: str


@dataclass(frozen=True)
class Restarted:
    """What arrived so far does not count: the attempt was lost or malformed and another one begins."""

    reason: str


ClientEvent: TypeAlias = RequestSent | AnswerDelta | ReasoningDelta | Restarted
Watch: TypeAlias = Callable[[ClientEvent], None]


def ignore(event: ClientEvent) -> None:
    """Watch nothing."""
