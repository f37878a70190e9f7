"""Keeping checks in the chat: nothing is asked, the model stays, the next ask carries them."""

from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.protocol import AskForValidation
from decision_ai.client.schemas.chat_messages.validation import FormulationValidationFailed
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.journal import figures_of

FEW = {"name": "few", "sentence": "Three items at most.", "code": "sum(v.take.values()) <= 3"}
PLAN_CHECK = PlanCheck(name="few", sentence="Few.", code="def few(self, data, v):\n    return True")
OFF = {"op": "switch", "id": "max_items", "enabled": False}


async def _fails(_job: Job) -> JobResult:
    return JobResult(validation=FormulationValidationFailed(error="it is broken"))


@pytest.fixture
def chat(simulate: Any, call: Any) -> Any:
    async def make(*calls: tuple[str, dict[str, Any]]) -> Any:
        script = {str(n): [call(tool, **args)] for n, (tool, args) in enumerate(calls)}
        session = simulate(script)
        await session.run()
        return session

    return make


async def test_a_check_is_kept_shown_sent_along_and_removed(chat: Any) -> None:
    off = ("propose_changes", {"edits": [OFF]})
    session = await chat(
        ("show_checks", {}), ("keep_check", FEW), ("show_checks", {}), off, ("remove_check", {"name": "few"})
    )
    async with LocalExecutor() as executor:
        session.executor = executor.run
        await session.prompt("0")
        assert session.last_output == "No check is kept."
        said = await session.prompt("1")
    assert not any(isinstance(message, AskForValidation) for message in said)
    assert session.last_output == (
        "The check few (Three items at most.) is kept. Kept are now:\n- few (Three items at most.)"
    )
    assert len(session.tree.versions) == 1
    await session.prompt("2")
    assert session.last_output == "Kept are:\n- few (Three items at most.)"
    await session.prompt("3")
    assert session.open_ask.tool_origin.args["checks"] == [session.checks[0].model_dump()]
    await session.answer()
    await session.prompt("4")
    assert session.last_output == "The check few is no longer kept. No check is kept."
    assert session.checks == ()
    told = [figures.get("checks") for figures in figures_of(session.journal).values()]
    assert [count for count in told if count is not None] == [0, 1, 1, 0]


async def test_a_check_kept_while_an_ask_is_open_shows_up_at_the_next_one(chat: Any) -> None:
    on = {"op": "set_priority", "id": "max_items", "priority": "A"}
    session = await chat(("propose_changes", {"edits": [OFF]}), ("propose_changes", {"edits": [on]}))
    await session.prompt("0")
    ask = session.open_ask
    session.checks = (PLAN_CHECK,)
    assert await session.run() == []
    assert session.open_ask is ask
    await session.answer()
    assert len(session.tree.versions) == 2
    await session.prompt("1")
    assert session.open_ask.tool_origin.args["checks"] == [PLAN_CHECK.model_dump()]


@pytest.mark.parametrize(
    ("tool", "args", "words"),
    [
        ("keep_check", {"name": "few"}, "Not done: code: Field required"),
        ("keep_check", {**FEW, "name": "a few"}, "Not done: 'a few' cannot be the name of a check"),
        ("keep_check", {**FEW, "code": "v.take <="}, "Not done: a check is an expression"),
        (
            "keep_check",
            {**FEW, "code": "v.take['Tend'] <= 1"},
            "Not done: the check 'few' cannot be evaluated: ",
        ),
        ("keep_check", {**FEW, "code": "open('x')"}, "Not done: the check 'few' cannot be evaluated: "),
        ("remove_check", {"name": "few"}, "Not done: no check 'few' is kept; none is"),
        ("remove_check", {}, "Not done: name: Field required"),
    ],
)
async def test_what_cannot_be_kept_is_said(chat: Any, tool: str, args: dict[str, Any], words: str) -> None:
    session = await chat((tool, args))
    async with LocalExecutor() as executor:
        session.executor = executor.run
        await session.prompt("0")
    assert session.last_output.startswith(words)
    assert session.checks == ()


async def test_a_check_needs_a_model_that_builds(chat: Any) -> None:
    session = await chat(("keep_check", FEW))
    session.executor = _fails
    await session.prompt("0")
    assert session.last_output.endswith("cannot be evaluated: the model does not build; it is broken")


async def test_what_is_kept_already_is_not_kept_twice(chat: Any) -> None:
    session = await chat(("keep_check", FEW | {"name": "not_many"}))
    session.checks = (PLAN_CHECK.model_copy(update={"sentence": FEW["sentence"]}),)
    await session.prompt("0")
    assert session.last_output == "This is kept already, as the check few (Three items at most.)."
    assert len(session.checks) == 1


async def test_without_a_sentence_a_check_is_what_the_person_said(chat: Any) -> None:
    session = await chat(("keep_check", {"name": "few", "code": FEW["code"]}))
    async with LocalExecutor() as executor:
        session.executor = executor.run
        await session.prompt("0")
    assert session.checks[0].sentence == "0"
