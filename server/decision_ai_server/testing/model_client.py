"""A model client that plays a script."""

from collections import deque
from collections.abc import Sequence

from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision
from decision_ai_server.model_client.events import AnswerDelta, RequestSent, Watch

PIECE = 7
"""Characters of one piece of an answer; small, so that a test sees several."""


class ScriptedModelClient(ModelClient):
    """Plays decisions in order, raising those that are errors, and remembers what it was asked.

    Args:
        decisions: one entry per call; an exception is raised instead of returned.

    Attributes:
        packets: the context packets of all calls so far, oldest first.
    """

    def __init__(self, decisions: Sequence[ModelDecision | Exception]) -> None:
        self._left = deque(decisions)
        self.packets: list[ContextPacket] = []

    def decide(self, context: ContextPacket) -> ModelDecision:
        """The next decision of the script.

        Raises:
            AssertionError: if the script is used up: the test asked for more than it expected.
        """
        self.packets.append(context)
        if not self._left:
            raise AssertionError(f"the script of {len(self.packets) - 1} decisions is used up")
        due = self._left.popleft()
        if isinstance(due, Exception):
            raise due
        return due

    async def adecide(self, context: ContextPacket) -> ModelDecision:
        """The next decision of the script, without a thread."""
        return self.decide(context)

    async def adecide_watched(self, context: ContextPacket, watch: Watch) -> ModelDecision:
        """The next decision; what the person will read is told in pieces first, as a stream would."""
        watch(RequestSent(context.model_dump(mode="json")))
        decision = self.decide(context)
        text = _words_for_the_person(decision)
        for start in range(0, len(text), PIECE):
            watch(AnswerDelta(text[start : start + PIECE]))
        return decision


def _words_for_the_person(decision: ModelDecision) -> str:
    match decision.action:
        case FinalAnswer(answer=text) | AskUser(question=text):
            return text
        case _:
            return ""
