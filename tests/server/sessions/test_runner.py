"""A running session stores before it acts, tells everybody, and goes on after a restart."""

import asyncio

import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.live import Cancel, Cancelled, LiveContainer, SolveProgressed
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.modeling.program import Program
from decision_ai.solving.outcome import SolveProgress
from decision_ai_server.agent import moving
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.storage.errors import NotFound, StaleRevision
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

NO_CAP = ModelDecision(
    action=ToolCall(
        name="propose_changes", input={"edits": [{"op": "switch", "id": "max_items", "enabled": False}]}
    )
)
MODELLER = ScriptedModeller({"no cap": [NO_CAP], "hi": [ModelDecision(action=FinalAnswer(answer="hello"))]})
OPENING = ["system_prompt", "ask_for_prompt"]


def stored(connection: RecordingConnection) -> list[str]:
    return [container.message.kind for container in connection.stored]


async def joined(hub, connection, until, **how):
    runner = await hub.runner("s")
    await runner.join(connection, after=None, take=False, watch=False, **how)
    await until(lambda: stored(connection)[-1:] not in ([], ["system_prompt"]))
    return runner


async def test_a_turn_is_stored_and_sent_in_order_the_prompt_included(open_hub, envelope, until):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await joined(hub, connection, until)

        await runner.receive(connection, envelope(Prompt(prompt="hi"), "p1"))
        await until(lambda: stored(connection)[-2:] == ["chat_response", "ask_for_prompt"])

        assert stored(connection) == [*OPENING, "prompt", "chat_response", "ask_for_prompt"]
        assert await store.messages("s") == connection.stored
        assert all(container.timestamp for container in connection.stored)


async def test_a_message_that_arrives_twice_is_acknowledged_and_answered_once(open_hub, envelope, until):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hi"), "p1"))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt" and len(stored(connection)) == 5)

        await runner.receive(connection, envelope(Prompt(prompt="hi"), "p1"))

        assert stored(connection)[-1] == "prompt"
        assert connection.sent[-1].message_id == "p1"
        assert stored(connection).count("chat_response") == 1


async def test_what_is_not_allowed_now_is_refused_and_not_stored(open_hub, envelope, until):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="no cap")))
        await until(lambda: stored(connection)[-1] == "ask_for_validation")
        ask = connection.stored[-1].message
        wrong = ask.tool_origin.model_copy(update={"args": ask.tool_origin.args | {"hash": "another"}})
        answer = ValidationResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=wrong)

        await runner.receive(connection, envelope(answer, "a1"))

        assert connection.sent[-1].message_id == "refused:a1"
        assert "is not the one asked" in connection.sent[-1].message.error
        assert "a1" not in [container.message_id for container in await store.messages("s")]


async def test_approval_becomes_a_version_that_names_its_approver(open_hub, envelope, until):
    connection = RecordingConnection(principal="bea")
    async with open_hub(MODELLER) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="no cap")))
        await until(lambda: stored(connection)[-1] == "ask_for_validation")
        origin = connection.stored[-1].message.tool_origin

        answer = ValidationResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=origin)
        await runner.receive(connection, envelope(answer))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt")

        base, version = await store.versions("s")
        assert (version.parent, version.approver, version.author) == (base.id, "bea", "assistant")
        assert not Program.parse(version.source).constraints["max_items"].enabled
        assert (await store.get_session("s")).head == version.id


async def test_only_the_floor_speaks_and_it_is_taken_explicitly(open_hub, envelope, until):
    first, second = RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, first, until)
        await runner.join(second, after=None, take=False, watch=False)

        await runner.receive(second, envelope(Prompt(prompt="hi"), "p2"))
        assert second.sent[-1].message_id == "refused:p2"
        assert "has the floor" in second.sent[-1].message.error

        await runner.leave(second)
        await runner.join(second, after=None, take=True, watch=False)
        assert second.sent[-1].message.you_have_the_floor
        assert not first.sent[-1].message.you_have_the_floor
        await runner.receive(first, envelope(Prompt(prompt="hi"), "p1"))
        assert first.sent[-1].message_id == "refused:p1"


async def test_a_client_that_lost_its_connection_unnoticed_gets_its_floor_back(open_hub, envelope, until):
    lost, back = RecordingConnection(client="c"), RecordingConnection(client="c")
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, lost, until)

        await runner.join(back, after=None, take=False, watch=False)
        await runner.leave(lost)

        assert lost.closed == (1001, "the same client has connected again")
        await runner.receive(back, envelope(Prompt(prompt="hi")))
        await until(lambda: stored(back)[-2:] == ["chat_response", "ask_for_prompt"])


async def test_a_watcher_sees_everything_a_strict_one_nothing_live(open_hub, envelope, until):
    first, watcher, other = RecordingConnection(), RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, first, until)
        await runner.join(watcher, after=None, take=False, watch=True)
        await runner.join(other, after=connection_last(first), take=False, watch=True)
        progress = SolveProgressed(progress=SolveProgress(seconds=1.0))

        await runner.receive(first, LiveContainer(chat_session_id="s", message=progress))
        await runner.receive(first, envelope(Prompt(prompt="hi")))
        await until(lambda: stored(watcher)[-1] == "ask_for_prompt" and "prompt" in stored(watcher))

        assert watcher.stored == first.stored
        assert "solve_progress" in watcher.kinds
        assert "solve_progress" not in first.kinds
        assert stored(other)[:1] == ["ask_for_prompt"]


def connection_last(connection: RecordingConnection) -> str:
    return connection.stored[-1].message_id


async def test_live_kinds_of_the_server_and_of_other_sessions_are_not_passed_on(open_hub, until):
    first, watcher = RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, first, until)
        await runner.join(watcher, after=None, take=False, watch=True)
        before = list(watcher.kinds)
        progress = SolveProgressed(progress=SolveProgress(seconds=1.0))

        await runner.receive(first, LiveContainer(chat_session_id="s", message=Cancelled()))
        await runner.receive(first, LiveContainer(chat_session_id="other", message=progress))

        assert watcher.kinds == before


async def test_a_message_too_large_to_send_fails_the_turn_and_is_not_stored(open_hub, envelope, until):
    connection = RecordingConnection()
    talker = ScriptedModeller({}, silence="x" * (5 * 2**20))
    async with open_hub(talker) as (hub, _):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hi")))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt" and len(stored(connection)) > 3)

        assert stored(connection)[-3:] == ["prompt", "error", "ask_for_prompt"]
        assert "frame (bytes) is" in connection.stored[-2].message.error


async def test_an_undo_over_an_open_ask_asks_again(open_hub, envelope, until):
    connection = RecordingConnection()
    both = ScriptedModeller({"no cap": [NO_CAP], "more": [NO_CAP.model_copy()], "on": [switch(True)]})
    async with open_hub(both) as (hub, _):
        runner = await joined(hub, connection, until)
        await approve(runner, connection, envelope, until, "no cap")
        await runner.receive(connection, envelope(Prompt(prompt="on")))
        await until(lambda: stored(connection)[-1] == "ask_for_validation")

        await hub.move("s", lambda tree: moving.undo(tree, 1))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt")

        assert connection.stored[-3].message.tool_output.startswith("Not done: the model already is")


def switch(enabled: bool) -> ModelDecision:
    edits = [{"op": "switch", "id": "max_items", "enabled": enabled}]
    return ModelDecision(action=ToolCall(name="propose_changes", input={"edits": edits}))


async def approve(runner, connection, envelope, until, sentence):
    await runner.receive(connection, envelope(Prompt(prompt=sentence)))
    await until(lambda: stored(connection)[-1] == "ask_for_validation")
    origin = connection.stored[-1].message.tool_origin
    answer = ValidationResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=origin)
    await runner.receive(connection, envelope(answer))
    await until(lambda: stored(connection)[-1] == "ask_for_prompt")


async def test_changes_from_outside_need_the_right_revision(open_hub, until):
    async with open_hub(MODELLER) as (hub, store):
        record = await store.get_session("s")
        off = Program.parse((await store.versions("s"))[0].source).switch("max_items", enabled=False)

        changed = await hub.edit("s", [off], expected_revision=record.revision, author="owner")
        with pytest.raises(StaleRevision):
            await hub.edit("s", [off], expected_revision=record.revision, author="owner")

        assert changed.head == (await store.versions("s"))[-1].id
        assert len(await store.versions("s")) == 2


async def test_cancel_stops_the_modeller(open_hub, envelope, until):
    class Endless:
        async def decide(self, context):
            await asyncio.sleep(60)

    connection = RecordingConnection()
    async with open_hub(Endless()) as (hub, _):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hi")))
        await asyncio.sleep(0.05)

        await runner.receive(connection, LiveContainer(chat_session_id="s", message=Cancel()))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt" and "cancelled" in connection.kinds)

        assert stored(connection)[-2] == "chat_response"


async def test_cancel_settles_an_open_ask(open_hub, envelope, until):
    connection = RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="no cap")))
        await until(lambda: stored(connection)[-1] == "ask_for_validation")

        await runner.receive(connection, LiveContainer(chat_session_id="s", message=Cancel()))
        await until(lambda: stored(connection)[-1] == "ask_for_prompt")

        assert stored(connection)[-3:] == ["tool_output", "chat_response", "ask_for_prompt"]


async def test_a_modeller_that_fails_ends_the_turn_and_not_the_session(open_hub, envelope, until):
    class Broken:
        async def decide(self, context):
            raise ZeroDivisionError

    connection = RecordingConnection()
    async with open_hub(Broken()) as (hub, _):
        runner = await joined(hub, connection, until)
        for number in (1, 2):
            await runner.receive(connection, envelope(Prompt(prompt="hi")))
            await until(lambda: stored(connection).count("error") == number)  # noqa: B023
            await until(lambda: stored(connection)[-1] == "ask_for_prompt")

        assert "ZeroDivisionError" in connection.stored[-2].message.error


async def test_after_a_restart_the_open_ask_is_asked_again_and_its_answer_counts(open_hub, envelope, until):
    before, after = RecordingConnection(), RecordingConnection()
    async with open_hub(MODELLER) as (hub, _):
        runner = await joined(hub, before, until)
        await runner.receive(before, envelope(Prompt(prompt="no cap")))
        await until(lambda: stored(before)[-1] == "ask_for_validation")
    assert before.closed == (1012, "the server restarts; connect again")

    async with open_hub(MODELLER) as (hub, store):
        runner = await hub.runner("s")
        await runner.join(after, after=before.stored[-1].message_id, take=False, watch=False)
        assert stored(after) == ["ask_for_validation"]
        answer = ValidationResponse(
            rejected=False,
            validation=ValidationSucceeded(),
            tool_origin=after.stored[0].message.tool_origin,
        )
        await runner.receive(after, envelope(answer))
        await until(lambda: stored(after)[-1] == "ask_for_prompt")

        assert len(await store.versions("s")) == 2


async def test_a_session_that_does_not_exist(open_hub):
    async with open_hub(MODELLER) as (hub, _):
        with pytest.raises(NotFound):
            await hub.runner("nobody")
