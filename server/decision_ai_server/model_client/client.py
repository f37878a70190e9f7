"""The port to a language model: a context packet in, one validated decision out."""

import asyncio
from abc import ABC, abstractmethod

from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.events import Watch


class ModelClient(ABC):
    """Anything that turns a context packet into a validated decision."""

    @abstractmethod
    def decide(self, context: ContextPacket) -> ModelDecision:
        """The decision for the present turn.

        Args:
            context: the assembled packet.

        Raises:
            DecisionParseError: if the model's output stayed malformed.
            TransportError: if no usable reply came.
        """

    async def adecide(self, context: ContextPacket) -> ModelDecision:
        """`decide` for an event loop; unless overridden, it runs in a thread and cannot be stopped there."""
        return await asyncio.to_thread(self.decide, context)

    async def adecide_watched(self, context: ContextPacket, watch: Watch) -> ModelDecision:
        """`adecide` that tells what happens on the way; unless overridden, nothing is told.

        Args:
            context: the assembled packet.
            watch: called on the event loop for every event, in order; must not block.
        """
        del watch
        return await self.adecide(context)
