"""What fits the data with a change set is asked of the sandbox, so that what is approved is what will run."""

import json

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.examples import example
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision

LADDER = json.loads(example("knapsack")[1])["items"]["Ladder"]
RULE = '''@constraint(r"x")
def {name}_ladder(self, data, v):
    """Ladder."""
    return v.take["Ladder"] == 1
'''
DONE = ModelDecision(action=FinalAnswer(answer="done"))


@pytest.fixture
async def executor():
    async with LocalExecutor() as made:
        yield made


@pytest.fixture
async def session(simulate, call, executor):
    """A session whose two rules need the ladder."""

    def propose(*edits):
        return call("propose_changes", edits=list(edits))

    def data(path, **what):
        return {"op": "change_data", "changes": [{"path": path, **what}]}

    def rule(name):
        return {"op": "set_constraint", "code": RULE.format(name=name)}

    script = {
        "force": [propose(*(rule(name) for name in ("force", "keep"))), DONE],
        "drop": [propose(data(["items", "Ladder"], remove=True)), DONE],
        "restore": [propose(data(["items", "Ladder"], value=LADDER)), DONE],
        "lighter": [propose(data(["capacity"], value=20)), DONE],
    }
    made = simulate(script)
    made.executor = executor.run
    await made.run()
    await made.prompt("force")
    await made.answer()
    await made.answer()
    return made


async def without_the_ladder(session, executor):
    """Make a version as a PATCH with other data does."""
    head = session.line[0]
    items = json.loads(head.json_data)
    del items["items"]["Ladder"]
    job = Job(task="compatibility", source=head.program.composed(), json_data=json.dumps(items))
    marks = (await executor.run(job)).findings.incompatible
    session.grow(
        NewVersion(
            program=head.program,
            json_data=job.json_data,
            changes=(),
            sentence="",
            incompatible=tuple(marks),
        )
    )
    await session.run()


async def check(session, executor):
    """What a client's build of the open ask says."""
    job = Job(task="build", source=session.open_ask.code, json_data=session.data[-1])
    return (await executor.run(job)).validation


async def test_a_set_that_leaves_other_parts_without_their_data_fails_and_names_them_all(session, executor):
    await session.prompt("drop")
    validation = await check(session, executor)
    assert not isinstance(validation, ValidationSucceeded)

    await session.answer(validation=validation)

    first, title, *parts = session.last_output.splitlines()
    assert first.startswith("Not done: the check failed; constraint force_ladder: ")
    assert title.startswith("With this change, these parts do not fit the data; change or remove them")
    assert [part.split(":")[0] for part in parts] == ["- constraint force_ladder", "- constraint keep_ladder"]
    assert len(session.tree.versions) == 2


async def test_a_card_says_what_is_left_out(session, executor):
    await without_the_ladder(session, executor)

    await session.prompt("lighter")

    left_out = session.open_ask.tool_origin.args["card"]["incompatible"]
    assert [part["id"] for part in left_out] == ["force_ladder", "keep_ladder"]
    assert all("Ladder" in part["reason"] for part in left_out)
    assert isinstance(await check(session, executor), ValidationSucceeded)


async def test_what_fits_again_with_a_change_counts_in_what_is_approved(session, executor):
    await without_the_ladder(session, executor)

    await session.prompt("restore")

    ask = session.open_ask
    assert "def force_ladder" in ask.code
    card = ask.tool_origin.args["card"]
    assert "incompatible" not in card
    assert card["warnings"] == [
        "constraint force_ladder fits the data again and counts",
        "constraint keep_ladder fits the data again and counts",
    ]
    assert isinstance(await check(session, executor), ValidationSucceeded)
    await session.answer()
    assert session.last_response == (
        "In version 3, these parts fit the data again: constraint force_ladder, constraint keep_ladder."
    )
    assert await session.run() == []
