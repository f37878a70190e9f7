"""Looking at what went to the language model from Python."""

from typing import Literal

from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.sent_requests import SentRequest, sent_requests, turn_starts
from decision_ai.errors import DecisionAIError

_KINDS = ("request", "decision", "loss")


class SentMethods:
    """What a session can tell about its requests to a language model."""

    id: str
    _requests: RequestHandler

    def sent_to_model(self, turn: int | Literal["all"] | None = None) -> list[SentRequest]:
        """The exact requests that went to the language model, oldest first; none if none was asked.

        A key is never part of them: it travels in a header.

        Args:
            turn: 0 is the turn of the first prompt, -1 the newest, as is None; `all` for every turn.

        Raises:
            DecisionAIError: if there is no such turn.
        """
        starts = turn_starts([container.message for container in self._requests.messages(self.id)])
        if not starts and turn is None:
            return []
        number = None if turn == "all" else _turn_number(-1 if turn is None else turn, len(starts))
        since = 0 if number is None else starts[number] + 1
        sent = sent_requests(self._requests.journal(self.id, _KINDS, since), starts)
        return [request for request in sent if number in (None, request.turn)]


def _turn_number(turn: int, turns: int) -> int:
    """The turn counted from 0, of so many."""
    if not -turns <= turn < turns:
        there = f"there are {turns}, from 0 to {turns - 1}" if turns else "nothing was said yet"
        raise DecisionAIError(f"there is no turn {turn}: {there}")
    return turn % turns
