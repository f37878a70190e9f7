"""A scripted endpoint and a client of it, for the tests of the client."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.events import ClientEvent
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.testing.openai_server import Peer, Played, Reply, ScriptedOpenAIServer

SHOW = AllowedTool(
    name="show",
    description="Show a part of the model.",
    input_schema={"type": "object", "properties": {"part": {"type": "string"}}},
)
EDIT = AllowedTool(
    name="edit",
    description="Change a constraint.",
    input_schema={"type": "object", "properties": {"code": {"type": "string"}}},
)
PACKET = ContextPacket(
    instructions="You change models.", goal="show the capacity", allowed_tools=(SHOW, EDIT)
)
ANYTHING = Peer()
SHOWN = Reply.tool_call("show", {"part": "capacity"}, content="I look first.")


@dataclass
class Bench:
    """A client at a scripted endpoint, and everything that can be seen from outside."""

    server: ScriptedOpenAIServer
    client: OpenAIModelClient
    pauses: list[float]
    events: list[ClientEvent] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return self.server.requests

    async def decide(self, packet: ContextPacket = PACKET) -> ModelDecision:
        """A decision on the event loop, watched."""
        return await self.client.adecide_watched(packet, self.events.append)

    async def decide_in_thread(self, packet: ContextPacket = PACKET) -> ModelDecision:
        """A decision of the blocking client."""
        return await asyncio.to_thread(self.client.decide, packet)

    def told(self, kind: type) -> list[str]:
        """The texts of all events of a kind."""
        return [event.text for event in self.events if isinstance(event, kind)]


@asynccontextmanager
async def bench(
    replies: Sequence[Played] = (SHOWN,), peer: Peer = ANYTHING, **settings: Any
) -> AsyncIterator[Bench]:
    """A scripted endpoint with a client; `settings` are fields of its `HarnessConfig`."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async with ScriptedOpenAIServer(replies, peer) as server:
        config = HarnessConfig(**{"base_url": server.base_url, "model": "scripted"} | settings)
        client = OpenAIModelClient(config, sleep=pauses.append, asleep=pause)
        try:
            yield Bench(server, client, pauses)
        finally:
            await client.aclose()
