"""Two clients at once: one has a question open, the other walks among the versions or changes the model."""

import asyncio
import json

import pytest

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.modeling.data import canonical_json, data_id
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent import moving
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.storage.errors import NotFound, StaleRevision
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

OFF = ModelDecision(
    action=ToolCall(
        name="propose_changes", input={"edits": [{"op": "switch", "id": "max_items", "enabled": False}]}
    )
)
MODELLER = ScriptedModeller({"no cap": [OFF]}, silence="That is all.")
WARNING = "the model was changed after you were asked; this is the change on the model as it is now"


def kinds(connection):
    return [container.message.kind for container in connection.stored]


def answer_to(ask):
    return ValidationResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=ask.tool_origin)


def soft(tree, priority="B"):
    return [tree.line()[0].program.prioritise("capacity", priority)]


async def edited(hub):
    return await (await hub.runner("s")).edit(soft, author="owner")


async def set_data(hub):
    """A PATCH of other data: one thing fewer."""
    old = (await hub.tree("s")).line()[0].json_data
    items = json.loads(old)
    del items["items"]["Ladder"]
    new = canonical_json(items)
    diff = OptInputDataDiff(
        removed=OptInputDataSnapshot(opt_input_data_id=data_id(old), json_data=old),
        added=OptInputDataSnapshot(opt_input_data_id=data_id(new), json_data=new),
    )
    return await (await hub.runner("s")).edit(lambda _: [diff], author="owner")


def move(choose):
    return lambda hub: hub.move("s", choose)


OTHERS = {
    "undo": move(lambda tree: moving.undo(tree, 1)),
    "redo": move(lambda tree: moving.redo(tree, 1)),
    "checkout": move(lambda tree: moving.checkout(tree, "0")),
    "reset": lambda hub: hub.reset("s", "capacity", author="owner"),
    "edit": lambda hub: hub.edit("s", OTHER_RULE, expected_revision=3, author="owner"),
    "data": set_data,
}
OTHER_RULE: list = []


@pytest.fixture
async def asked(open_hub, envelope, until):
    """A hub at version 1 of 2, with an open question, and the connection that was asked."""
    connection = RecordingConnection()
    async with LocalExecutor() as executor, open_hub(MODELLER, executor) as (hub, store):
        await (await hub.runner("s")).edit(soft, author="owner")
        await (await hub.runner("s")).edit(lambda tree: soft(tree, "C"), author="owner")
        await hub.move("s", lambda tree: moving.undo(tree, 1))
        base = (await hub.tree("s")).line()[0].program
        OTHER_RULE[:] = [base.prioritise("capacity", "A")]
        runner = await hub.runner("s")
        await runner.join(connection, after=None, take=False, watch=False)
        await until(lambda: kinds(connection)[-1:] == ["ask_for_prompt"])
        await runner.receive(connection, envelope(Prompt(prompt="no cap")))
        await until(lambda: kinds(connection)[-1] == "ask_for_validation")
        yield hub, store, runner, connection


@pytest.mark.parametrize("other", OTHERS)
async def test_a_question_is_asked_anew_on_the_model_as_it_is_then(asked, envelope, until, other):
    hub, store, runner, connection = asked
    first = connection.stored[-1].message
    versions = len(await store.versions("s"))

    await OTHERS[other](hub)
    await until(lambda: kinds(connection)[-2:] == ["ask_for_validation"] * 2)

    anew, head = connection.stored[-1].message, (await hub.tree("s")).head
    assert first.tool_origin.args["card"]["warnings"] == []
    assert anew.tool_origin.args["card"]["warnings"] == [WARNING]
    await runner.receive(connection, envelope(answer_to(first), "late"))
    assert connection.sent[-1].message_id == "refused:late", "what was approved is not what would be applied"
    await runner.receive(connection, envelope(answer_to(anew)))
    await until(lambda: kinds(connection)[-1] == "ask_for_prompt")
    tree = await hub.tree("s")
    made = tree.line()[0]
    assert made.parent == head
    assert not made.program.constraints["max_items"].enabled
    assert len(tree.versions) == versions + 1 + (other in {"reset", "edit", "data"})


async def test_a_new_branch_and_other_checks_leave_an_open_question_as_it_is(asked, envelope, until):
    hub, _, runner, connection = asked
    ask, said = connection.stored[-1].message, len(connection.stored)
    check = PlanCheck(name="fine", sentence="", code="def fine(self, data, v):\n    return True\n")

    await hub.move("s", lambda tree: moving.branch(tree, "try"))
    await hub.change_checks("s", lambda known: (*known, check))
    await runner.receive(connection, envelope(answer_to(ask)))
    await until(lambda: kinds(connection)[-1] == "ask_for_prompt")

    assert kinds(connection)[said:].count("ask_for_validation") == 0
    tree = await hub.tree("s")
    assert tree.branches == {"main": tree.versions[2].id, "try": tree.head}


@pytest.mark.parametrize("other", OTHERS)
async def test_an_approval_and_another_change_at_once_leave_one_line_of_versions(
    asked, envelope, until, other
):
    """Whoever comes first, each version rests on the one before it, and what is approved is there."""
    hub, _, runner, connection = asked
    answer = envelope(answer_to(connection.stored[-1].message))

    done = await asyncio.gather(
        runner.receive(connection, answer), OTHERS[other](hub), return_exceptions=True
    )
    await until(lambda: kinds(connection)[-1] in {"ask_for_prompt", "ask_for_validation"})
    await asyncio.sleep(0.05)
    if kinds(connection)[-1] == "ask_for_validation":
        await runner.receive(connection, envelope(answer_to(connection.stored[-1].message)))
        await until(lambda: kinds(connection)[-1] == "ask_for_prompt")

    refusals = [error for error in done if isinstance(error, BaseException)]
    assert all(isinstance(error, StaleRevision | moving.NothingToRedo) for error in refusals)
    tree = await hub.tree("s")
    for version in tree.versions[3:]:
        parent = next(one for one in tree.versions if one.id == version.parent)
        changed = version.program.source != parent.program.source or version.data_id != parent.data_id
        assert changed, "a version changes something"
    switched = [v for v in tree.versions if not v.program.constraints["max_items"].enabled]
    assert switched, "what was approved is there"


async def test_after_a_restart_the_question_on_the_changed_model_is_the_same(
    open_hub, asked, envelope, until
):
    hub, _, runner, connection = asked
    await OTHERS["undo"](hub)
    await until(lambda: kinds(connection)[-2:] == ["ask_for_validation"] * 2)
    open_ask = connection.stored[-1]
    again = RecordingConnection()
    async with open_hub(MODELLER) as (other_hub, _):
        runner = await other_hub.runner("s")
        await runner.join(again, after=connection.stored[-2].message_id, take=False, watch=False)
        await asyncio.sleep(0.1)

        assert again.stored == [open_ask]
        await runner.receive(again, envelope(answer_to(open_ask.message)))
        await until(lambda: kinds(again)[-1] == "ask_for_prompt")
        assert (await other_hub.tree("s")).line()[0].parent == "v0"


async def test_a_session_that_is_deleted_takes_nothing_more(asked, envelope):
    hub, store, runner, connection = asked
    answer = envelope(answer_to(connection.stored[-1].message))
    await hub.close("s")
    await store.delete_session("s")

    assert connection.closed == (4404, "the session was deleted")
    with pytest.raises(NotFound):
        await runner.receive(connection, answer)
    for other in OTHERS.values():
        with pytest.raises(NotFound):
            await other(hub)
