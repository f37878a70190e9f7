"""A real store with one session on the knapsack example, and a hub whose modeller plays a script."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.examples import example
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai_server.agent.loop import Agent
from decision_ai_server.agent.ports import Modeller
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.sessions.hub import SessionHub
from decision_ai_server.sessions.runner import Parts
from decision_ai_server.storage.records import Append, DataRecord, ModelRecord, SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store

SESSION = "s"


class NoExecutor:
    """Scripted modellers never look at the built model."""

    async def run(self, job: Job, **kwargs: object) -> JobResult:
        raise AssertionError(job)

    async def aclose(self) -> None:
        return


async def _fill(store: Store) -> None:
    source, json_data = example("knapsack")
    data = data_id(json_data)
    await store.add_model(ModelRecord(id="m", created_at=1, name="knapsack", source=source))
    await store.put_data(DataRecord(id=data, created_at=1, json_data=json_data))
    session = SessionRecord(
        id=SESSION, created_at=1, updated_at=1, model_id="m", data_id=data, head="v0", revision=0
    )
    base = VersionRecord(
        id="v0",
        session_id=SESSION,
        parent=None,
        created_at=1,
        author="owner",
        approver="owner",
        sentence="",
        changes=[],
        source=source,
        data_id=data,
        hash=program_hash(Program.parse(source).composed(), data, None),
    )
    await store.create_session(session, base, Append())


OpenHub = Callable[[Modeller], AbstractAsyncContextManager[tuple[SessionHub, Store]]]


@pytest.fixture
def open_hub(tmp_path: Path) -> OpenHub:
    """Opens a hub on the same database each time, so that opening twice is a restart."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    ids, clock = count(1), count(1000)

    @asynccontextmanager
    async def opened(modeller: Modeller) -> AsyncIterator[tuple[SessionHub, Store]]:
        fresh = not (tmp_path / "test.db").exists()
        async with Store.open(url) as store:
            if fresh:
                await _fill(store)
            agent = Agent(
                modeller=modeller,
                toolbox=standard_toolbox(),
                system_prompt="You help.",
                new_id=lambda: f"call-{next(ids)}",
            )
            parts = Parts(
                store=store,
                agent=agent,
                executor=NoExecutor(),
                now=lambda: next(clock),
                new_id=lambda: f"id-{next(ids)}",
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
