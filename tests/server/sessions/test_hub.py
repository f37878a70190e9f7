"""The hub brings sessions up once and ends them."""

import asyncio

import pytest

from decision_ai.client.schemas.chat_messages.changes import OptInputDataSchemaDiff
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.executors.base import JobResult
from decision_ai_server.agent import moving
from decision_ai_server.storage.errors import StaleRevision
from decision_ai_server.testing import RecordingConnection, ScriptedModeller


async def test_a_session_has_one_runner_however_many_ask_at_once(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, _):
        runners = await asyncio.gather(*(hub.runner("s") for _ in range(5)))

        assert len({id(runner) for runner in runners}) == 1


async def test_running_sessions_and_connections_are_counted(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, _):
        assert (hub.running, hub.connections) == (0, 0)
        runner = await hub.runner("s")
        for _ in range(2):
            await runner.join(RecordingConnection(), after=None, take=False, watch=False)
        assert (hub.running, hub.connections) == (1, 2)
        await hub.close("s")
        assert (hub.running, hub.connections) == (0, 0)


async def test_a_deleted_session_closes_its_connections(open_hub):
    connection = RecordingConnection()
    async with open_hub(ScriptedModeller({})) as (hub, _):
        runner = await hub.runner("s")
        await runner.join(connection, after=None, take=False, watch=False)

        await hub.close("s")

        assert connection.closed == (4404, "the session was deleted")
        assert await hub.runner("s") is not runner


async def test_moves_are_kept_and_an_unfit_one_changes_nothing(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, store):
        base = (await hub.tree("s")).versions[0].program
        off = base.switch("max_items", enabled=False)
        await hub.edit("s", [off], expected_revision=0, author="owner")
        await hub.move("s", lambda tree: moving.undo(tree, 1))
        record = await hub.move("s", lambda tree: moving.branch(tree, "try"))
        with pytest.raises(moving.BranchTaken):
            await hub.move("s", lambda tree: moving.branch(tree, "main"))

        assert await store.get_session("s") == record
        assert (record.head, record.branch, record.revision) == ("v0", "try", 3)
    async with open_hub(ScriptedModeller({})) as (hub, _):
        tree = await hub.tree("s")
        assert (tree.head, tree.branch, list(tree.branches)) == ("v0", "try", ["main", "try"])
        record = await hub.move("s", lambda tree: moving.checkout(tree, "main"))
        assert record.head == tree.versions[1].id
        record = await hub.reset("s", "max_items", author="alice")
        newest = (await hub.tree("s")).versions[-1]
        assert newest.program.constraints["max_items"].code == base.constraints["max_items"].code


async def test_an_edit_that_was_overtaken_while_it_was_checked_is_made_on_what_is_there_now(open_hub):
    """Nobody's change is lost, and nobody's is applied to a version it was not made for."""
    async with open_hub(ScriptedModeller({})) as (hub, _):
        runner = await hub.runner("s")
        base = (await hub.tree("s")).versions[0].program
        seen = []

        def make(tree):
            seen.append(tree.head)
            return [tree.line()[0].program.switch("max_items", enabled=False)]

        async def overtaking(job, **_):
            if len(seen) == 1:
                await hub.move("s", lambda tree: moving.branch(tree, "try"))
            return JobResult(validation=ValidationSucceeded())

        hub._parts.executor.run = overtaking
        schema = OptInputDataSchemaDiff(
            removed=base.data_schema_snapshot(), added=base.data_schema_snapshot()
        )
        record = await runner.edit(lambda tree: [schema, *make(tree)], author="owner")

        assert (seen, record.branch) == (["v0", "v0"], "try")
        seen.clear()
        with pytest.raises(StaleRevision):
            await runner.edit(
                lambda tree: [schema, *make(tree)], author="owner", expected_revision=record.revision - 1
            )
        assert seen == []
