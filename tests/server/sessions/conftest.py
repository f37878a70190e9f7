"""A real store with one session on the knapsack example, and a hub whose modeller plays a script."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.solving.executors.base import Executor
from decision_ai_server.agent.ports import Modeller, Tool
from decision_ai_server.sessions.hub import SessionHub
from decision_ai_server.sessions.ports import Meter
from decision_ai_server.storage.store import Store

sys.path.append(str(Path(__file__).parent))  # for `opening.py`
from opening import SESSION, fill, make_parts

OpenHub = Callable[..., AbstractAsyncContextManager[tuple[SessionHub, Store]]]


@pytest.fixture
def open_hub(tmp_path: Path) -> OpenHub:
    """Opens a hub on the same database each time, so that opening twice is a restart."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    ids, clock = count(1), count(1000)

    @asynccontextmanager
    async def opened(
        modeller: Modeller,
        executor: Executor | None = None,
        tools: Mapping[str, Tool] | None = None,
        meter: Meter | None = None,
    ) -> AsyncIterator[tuple[SessionHub, Store]]:
        fresh = not (tmp_path / "test.db").exists()
        async with Store.open(url) as store:
            if fresh:
                await fill(store)
            parts = make_parts(
                store, modeller, ids=ids, clock=clock, executor=executor, tools=tools, meter=meter
            )
            async with SessionHub(parts) as hub:
                yield hub, store

    return opened


@pytest.fixture
def envelope() -> Callable[..., MessageContainer]:
    def make(message: ChatMessage, message_id: str | None = None) -> MessageContainer:
        named = {} if message_id is None else {"message_id": message_id}
        return MessageContainer(chat_session_id=SESSION, message=message, **named)

    return make


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], object]:
    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not condition():  # noqa: ASYNC110 - there is no event for what was sent
                await asyncio.sleep(0.005)

    return wait
