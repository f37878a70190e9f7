"""What a session does when the store fails, or a connection ends, in the middle of a step."""

import asyncio
import contextlib

import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.wire.conversation import Conversation
from decision_ai_server.agent import moving
from decision_ai_server.agent.loop import Agent
from decision_ai_server.storage.errors import NotFound, StoreFailed
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

MODELLER = ScriptedModeller({}, silence="hello")
TURN = ["system_prompt", "ask_for_prompt", "prompt", "chat_response", "ask_for_prompt"]


class Fault:
    """Makes one call of `append` fail, before or after it wrote."""

    def __init__(self, monkeypatch, store, *, call, after):
        self.calls, self._call, self._after, self._append = 0, call, after, store.append
        monkeypatch.setattr(store, "append", self.append)

    async def append(self, *arguments, **named):
        self.calls += 1
        if self.calls == self._call and not self._after:
            raise StoreFailed("disk full")
        record = await self._append(*arguments, **named)
        if self.calls == self._call:
            raise StoreFailed("disk full")
        return record


def kinds(containers):
    return [container.message.kind for container in containers]


async def listen(runner, connection, until, wanted):
    """Watch until a kind comes, and connect again, like a client, when the connection is closed."""
    while True:
        await until(lambda: connection.closed is not None or kinds(connection.stored)[-1:] == [wanted])
        if connection.closed is None:
            return
        connection.closed = None
        await runner.leave(connection)
        last = connection.stored[-1].message_id if connection.stored else None
        await runner.join(connection, after=last, take=False, watch=False)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", [1, 2, 3])
async def test_a_store_that_fails_once_costs_nothing(open_hub, envelope, until, monkeypatch, call, after):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await hub.runner("s")
        fault = Fault(monkeypatch, store, call=call, after=after)
        await runner.join(connection, after=None, take=False, watch=False)
        await listen(runner, connection, until, "ask_for_prompt")
        for _ in range(3):  # a client sends again what is not acknowledged
            if "p1" not in [container.message_id for container in connection.stored]:
                with contextlib.suppress(StoreFailed):
                    await runner.receive(connection, envelope(Prompt(prompt="hi"), "p1"))
        await until(lambda: fault.calls >= call)
        await listen(runner, connection, until, "ask_for_prompt")

        said = await store.messages("s")
        ids = [container.message_id for container in said]
        assert len(set(ids)) == len(ids)
        assert ids.count("p1") == 1
        assert list(dict.fromkeys(one.message_id for one in connection.stored)) == ids
        assert Conversation("s", said).messages == tuple(one.message for one in said)
        errors = [one.message.error for one in said if hasattr(one.message, "error")]
        assert all("disk full" in error for error in errors)


async def test_an_error_outside_of_a_turn_stores_nothing(open_hub, envelope, until, monkeypatch):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await hub.runner("s")
        await runner.join(connection, after=None, take=False, watch=False)
        await listen(runner, connection, until, "ask_for_prompt")
        calls = []

        async def broken(_self, view):
            calls.append(view)
            raise RuntimeError("a fault of ours")

        monkeypatch.setattr(Agent, "next_step", broken)
        await runner.join(RecordingConnection(), after=None, take=False, watch=False)
        await until(lambda: calls)
        monkeypatch.undo()
        await runner.receive(connection, envelope(Prompt(prompt="hi"), "p1"))
        await until(lambda: len(connection.stored) == len(TURN))
        assert connection.closed is None
        assert await store.messages("s") == connection.stored


async def test_a_store_that_stays_broken_is_said_and_survived(open_hub, envelope, until, monkeypatch):
    connection, later = RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await hub.runner("s")
        append = store.append

        async def broken(*_arguments, **_named):
            raise StoreFailed("disk full")

        monkeypatch.setattr(store, "append", broken)
        await runner.join(connection, after=None, take=False, watch=False)
        await until(lambda: connection.closed is not None)
        assert connection.closed[0] == 1013
        assert "database does not work" in connection.closed[1]

        monkeypatch.setattr(store, "append", append)
        await runner.leave(connection)
        await runner.join(later, after=None, take=False, watch=False)
        await until(lambda: kinds(later.stored)[-1:] == ["ask_for_prompt"])
        assert kinds(await store.messages("s")) == TURN[:2]


@pytest.mark.parametrize("pauses", range(6))
async def test_a_connection_that_ends_while_its_message_is_stored(open_hub, envelope, until, pauses):
    first, second = RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await hub.runner("s")
        await runner.join(first, after=None, take=False, watch=False)
        await until(lambda: kinds(first.stored)[-1:] == ["ask_for_prompt"])
        receiving = asyncio.ensure_future(runner.receive(first, envelope(Prompt(prompt="hi"), "p1")))
        for _ in range(pauses):
            await asyncio.sleep(0)
        receiving.cancel()
        await asyncio.wait([receiving])
        await runner.leave(first)

        await runner.join(second, after=None, take=False, watch=False)
        await runner.receive(second, envelope(Prompt(prompt="hi"), "p1"))
        await until(lambda: len(second.stored) >= len(TURN) and second.stored[-1].message.kind == TURN[-1])
        assert kinds(await store.messages("s")) == TURN


async def test_a_runner_that_is_over_takes_in_nothing_more(open_hub, envelope):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        old = await hub.runner("s")
        await old.join(connection, after=None, take=False, watch=False)
        await hub.close("s")
        said = await store.messages("s")

        with pytest.raises(NotFound):
            await old.receive(connection, envelope(Prompt(prompt="hi"), "p1"))
        with pytest.raises(NotFound):
            await old.join(connection, after=None, take=False, watch=False)
        with pytest.raises(NotFound):
            await old.move(lambda tree: moving.undo(tree, 1))
        assert await store.messages("s") == said


async def test_closing_while_a_runner_comes_up_leaves_none(open_hub):
    async with open_hub(MODELLER) as (hub, store):
        coming = asyncio.ensure_future(hub.runner("s"))
        await asyncio.sleep(0)
        await hub.close("s")
        await store.delete_session("s")

        with pytest.raises(NotFound):
            await (await coming).move(lambda tree: moving.undo(tree, 1))
        with pytest.raises(NotFound):
            await hub.runner("s")
