"""Any walk of prompts, answers, stops, undos and restarts: each decision is paid for once, and it goes on."""

import asyncio
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from opening import SESSION, fill, make_parts

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.live import Cancel, ChatResponseDelta, LiveContainer
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import DecisionAIError
from decision_ai.wire.conversation import Conversation
from decision_ai.wire.moves import Phase
from decision_ai_server.agent import moving
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.model_client.decisions import DecisionUsage, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.sessions.hub import SessionHub
from decision_ai_server.storage.store import Store
from decision_ai_server.testing import RecordingConnection

SENTENCES = ("hang", "fail", "switch", "hi")
OTHERS = ("approve", "reject", "cancel", "undo", "branch", "restart", "wait")


class Counting:
    """Does what the sentence says, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def decide(self, context: TurnContext) -> ModelDecision:
        self.asked += 1
        context.tell(ChatResponseDelta(delta="I thi"))
        usage = DecisionUsage(prompt_tokens=1)
        if context.sentence == "hang":
            await asyncio.sleep(60)
        if context.sentence == "fail":
            raise TransportError("gone", usage)
        if context.sentence == "switch" and not context.calls:
            enabled = context.head.program.constraints["max_items"].enabled
            edit = {"op": "switch", "id": "max_items", "enabled": not enabled}
            call = ToolCall(name="propose_changes", input={"edits": [edit]})
            return ModelDecision(action=call, usage=usage)
        return ModelDecision(action=FinalAnswer(answer="hello"), usage=usage)


class Walker:
    """One session whose server may be restarted, and the client that talks to it."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite+aiosqlite:///{folder}/walk.db"
        self.modeller, self.connection = Counting(), RecordingConnection()
        self._ids, self._clock, self._stack = count(1), count(1000), AsyncExitStack()
        self.store: Store
        self.hub: SessionHub

    async def open(self) -> None:
        """Start the server and connect."""
        self.store = await self._stack.enter_async_context(Store.open(self.url))
        if not await self.store.list_sessions(limit=1):
            await fill(self.store)
        parts = make_parts(self.store, self.modeller, ids=self._ids, clock=self._clock)
        self.hub = await self._stack.enter_async_context(SessionHub(parts))
        self.connection = RecordingConnection()
        runner = await self.hub.runner(SESSION)
        await runner.join(self.connection, after=None, take=True, watch=False)
        await self.rest()

    async def close(self) -> None:
        await self._stack.aclose()

    async def conversation(self) -> Conversation:
        return Conversation(SESSION, await self.store.messages(SESSION))

    async def rest(self) -> None:
        """Wait until somebody else has the word, or the modeller hangs."""
        async with asyncio.timeout(5):
            while (await self.conversation()).phase in {Phase.OPENING, Phase.WORKING}:
                if self._hangs(await self.conversation()):
                    await asyncio.sleep(0.01)
                    return
                await asyncio.sleep(0.002)

    def _hangs(self, conversation: Conversation) -> bool:
        prompts = [message.prompt for message in conversation.messages if isinstance(message, Prompt)]
        return prompts[-1:] == ["hang"]

    async def say(self, message: ChatMessage) -> None:
        runner = await self.hub.runner(SESSION)
        said = MessageContainer(chat_session_id=SESSION, message=message)
        await runner.receive(self.connection, said)

    async def cancel(self) -> None:
        runner = await self.hub.runner(SESSION)
        await runner.receive(self.connection, LiveContainer(chat_session_id=SESSION, message=Cancel()))

    async def do(self, action: str, *, rest: bool) -> None:
        match action:
            case "approve" | "reject":
                await self._answer(rejected=action == "reject")
            case "cancel":
                await self.cancel()
            case "undo":
                await self._moved(lambda tree: moving.undo(tree, 1))
            case "branch":
                await self._moved(lambda tree: moving.branch(tree, f"b{len(tree.branches)}"))
            case "restart":
                await self.close()
                await self.open()
            case "wait":
                await asyncio.sleep(0.01)
            case _:
                await self.say(Prompt(prompt=action))
        if rest:
            await self.rest()

    async def _answer(self, *, rejected: bool) -> None:
        ask = (await self.conversation()).open_ask
        origin = getattr(ask.message, "tool_origin", None) if ask else None
        if origin is not None:
            answer = ValidationResponse(
                rejected=rejected, validation=ValidationSucceeded(), tool_origin=origin
            )
            await self.say(answer)

    async def _moved(self, choose: Any) -> None:
        try:
            await self.hub.move(SESSION, choose)
        except DecisionAIError:
            return


ACTIONS = st.lists(st.tuples(st.sampled_from((*SENTENCES, *OTHERS)), st.booleans()), max_size=12)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(actions=ACTIONS)
def test_any_walk(tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, bool]]) -> None:
    async def run() -> None:
        walker = Walker(tmp_path_factory.mktemp("walk"))
        await walker.open()
        try:
            for action, rest in actions:
                await walker.do(action, rest=rest)
            await walker.rest()
            await walker.cancel()
            await asyncio.sleep(0)
            await walker.rest()
            async with asyncio.timeout(5):
                while (  # noqa: ASYNC110 - there is no event for what is stored
                    await walker.conversation()
                ).phase is not Phase.AWAITING_PROMPT:
                    await asyncio.sleep(0.002)
            await walker.do("hi", rest=True)
            assert [one.kind for one in (await walker.conversation()).messages[-3:]] == [
                "prompt",
                "chat_response",
                "ask_for_prompt",
            ]
            stored = await walker.store.messages(SESSION)
            assert list({one.message_id: one for one in walker.connection.stored}.values()) == stored
            records = await walker.store.journal(SESSION, ["decision", "loss"])
            assert len(records) == walker.modeller.asked, "each decision is paid for once"
            runner = await walker.hub.runner(SESSION)
            held = await walker.store.journal(SESSION, ["decision", "loss", "result"])
            assert runner._ledger.journal == tuple(record.entry for record in held)
        finally:
            await walker.close()

    asyncio.run(run())
