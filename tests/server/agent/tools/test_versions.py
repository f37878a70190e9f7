"""The tools that walk among versions: what they say, and where the session is afterwards."""

from dataclasses import replace
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai_server.agent.journal import figures_of

OFF = {"op": "switch", "id": "max_items", "enabled": False}
SOFT = {"op": "set_priority", "id": "max_items", "priority": "A"}


@pytest.fixture
def at(simulate: Any, call: Any) -> Any:
    """A session with two versions made in the chat, and a script of further calls."""

    async def make(**calls: Any) -> Any:
        script = {
            "off": [call("propose_changes", edits=[OFF])],
            "soft": [call("propose_changes", edits=[SOFT])],
        }
        session = simulate(
            script | {said: [call(said.rstrip("123"), **args)] for said, args in calls.items()}
        )
        await session.run()
        for sentence in ("off", "soft"):
            await session.prompt(sentence)
            await session.answer()
        return session

    return make


@pytest.mark.parametrize(
    ("tool", "args", "sentence"),
    [
        ("undo", {"steps": 0}, "Not done: steps: "),
        ("undo", {"steps": 3}, "Not done: only 2 changes can be undone, not 3"),
        ("redo", {}, "Not done: there is nothing to redo: this is the newest version of the branch 'main'"),
        ("branch", {"name": "main"}, "Not done: there is a branch 'main' already"),
        ("branch", {"name": "7"}, "Not done: '7' cannot be the name of a branch"),
        ("checkout", {}, "Not done: the input: Value error, give either version or before"),
        ("checkout", {"version": 9}, "Not done: there is no version '9'; there are the numbers 0 to 2"),
        ("checkout", {"before": "capacity"}, "Not done: 'capacity' is as it was when the model was opened"),
        ("compare", {"a": "x"}, "Not done: there is no version 'x'"),
        ("reset", {"id": "capacity"}, "Not done: 'capacity' is as it was when the model was opened"),
        ("reset", {"id": "capacty"}, "Not done: "),
    ],
)
async def test_what_cannot_be_done_is_said_and_changes_nothing(
    at: Any, tool: str, args: dict[str, Any], sentence: str
) -> None:
    session = await at(**{tool: args})
    before = session.tree

    await session.prompt(tool)

    assert session.last_output.startswith(sentence)
    assert session.tree is before


async def test_undo_and_redo(at: Any) -> None:
    session = await at(undo={"steps": 2}, redo={})
    await session.prompt("undo")
    assert session.last_output == "Undone: changed constraint max_items; changed constraint max_items."
    assert session.tree.head == "v0"
    await session.prompt("redo")
    assert session.last_output == "Redone: changed constraint max_items."
    assert (session.tree.head, session.tree.branches) == ("v1", {"main": "v2"})


async def test_branch_and_checkout(at: Any) -> None:
    session = await at(
        branch={"name": "try"}, checkout1={"before": "max_items"}, checkout2={"version": "main"}
    )
    await session.prompt("branch")
    assert session.last_output == "This is now the branch 'try'; nothing else was changed."
    await session.prompt("checkout1")
    assert (
        session.last_output
        == "The model is now version 1 (changed constraint max_items) on the branch 'try'."
    )
    await session.prompt("checkout2")
    assert (session.tree.head, session.tree.branch) == ("v2", "main")


@pytest.mark.parametrize(
    ("sentence", "output"),
    [
        ("branch off", "Not done: the name says 105; take one without figures, such as 'night shift'"),
        ("branch off as plan 105", "This is now the branch 'plan 105'; nothing else was changed."),
    ],
)
async def test_the_name_of_a_branch_says_no_figure_that_nobody_said(
    simulate: Any, call: Any, sentence: str, output: str
) -> None:
    session = simulate({sentence: [call("branch", name="plan 105")]})
    await session.run()

    await session.prompt(sentence)

    assert session.last_output == output


async def test_the_history_marks_branches_and_the_present_version(at: Any) -> None:
    session = await at(undo={}, branch={"name": "try"}, show_history={})
    await session.prompt("undo")
    await session.prompt("branch")
    await session.prompt("off")  # switched off already
    await session.prompt("soft")
    await session.answer()
    await session.prompt("show_history")
    assert session.last_output.splitlines() == [
        "0. the model as it was opened",
        '1. changed constraint max_items ("off")',
        '2. changed constraint max_items ("soft") [newest of branch main]',
        '3. changed constraint max_items ("soft"), made from 1 [newest of branch try, present]',
    ]


async def test_the_history_says_which_branch_is_present_where_two_end_at_one_version(at: Any) -> None:
    session = await at(branch={"name": "try"}, show_history={})
    await session.prompt("branch")
    await session.prompt("show_history")
    mark = "[newest of branch try, newest of branch main, present, on branch try]"
    assert session.last_output.splitlines()[-1].endswith(mark)


async def test_two_names_of_one_version_need_no_solve(at: Any) -> None:
    session = await at(branch={"name": "try"}, compare={"a": "main", "b": "try"})
    await session.prompt("branch")
    await session.prompt("compare")  # the executor of this session would fail
    assert session.last_output == "Both are version 2: nothing differs between them."


async def test_a_version_that_leaves_parts_out_is_gone_to_with_a_note(at: Any) -> None:
    session = await at(checkout={"version": 2})
    marked = IncompatiblePart(kind="constraint", id="max_items", reason="no")
    *older, newest = session.tree.versions
    session.tree = replace(session.tree, versions=(*older, replace(newest, incompatible=(marked,))))
    await session.prompt("checkout")
    assert session.last_output.endswith("; left out, because the data do not fit: constraint max_items.")


async def test_a_reset_of_what_was_added_says_that_it_goes(at: Any, call: Any) -> None:
    code = '@constraint(r"x")\ndef few(self, data, v):\n    """Few."""\n    return v.take["Tent"] <= 0'
    session = await at(
        propose_changes={"edits": [{"op": "set_constraint", "code": code}]}, reset={"id": "few"}
    )
    await session.prompt("propose_changes")
    await session.answer()
    await session.prompt("reset")
    card = session.open_ask.tool_origin.args["card"]
    assert card["reading"] == "Take few out, which was not there when the model was opened."


async def test_a_reset_is_proposed_and_becomes_a_version_once_approved(at: Any) -> None:
    session = await at(reset={"id": "max_items"})
    await session.prompt("reset")
    assert (
        session.open_ask.tool_origin.args["card"]["reading"]
        == "Bring max_items back to what it was when the model was opened."
    )
    await session.answer()
    assert session.tree.head == "v3"
    was, now = session.tree.versions[0].program, session.tree.versions[3].program
    assert now.constraints["max_items"].code == was.constraints["max_items"].code


async def test_two_versions_are_solved_and_compared(at: Any) -> None:
    session = await at(compare={"a": 0})
    jobs: list[Job] = []

    async def run(job: Job) -> JobResult:
        jobs.append(job)
        objective = float(len(jobs))
        return JobResult(
            validation=ValidationSucceeded(),
            outcome=Outcome(kind=OutcomeKind.OPTIMAL, objective=objective, bound=objective, gap=0),
            plan=Plan(values={"pack": [(("Tent",), objective - 1), (("Rope",), 1.0)]}),
        )

    session.executor = run
    await session.prompt("compare")

    assert jobs[1].start == Plan(values={"pack": [(("Tent",), 0.0), (("Rope",), 1.0)]})
    assert session.last_output.splitlines() == [
        "Version 0 → version 2:",
        "- changed constraint max_items",
        "- version 0: optimal, objective 1, bound 1, gap 0%",
        "- version 2: optimal, objective 2, bound 2, gap 0%",
        "- the plans differ in 1 member",
        "- pack[Tent]: 0 → 1",
    ]


async def test_figures_that_may_be_quoted(at: Any) -> None:
    session = await at(undo={"steps": 2}, redo={}, checkout={"version": 2}, compare={"a": 2})
    told = []
    for sentence in ("undo", "redo", "checkout", "compare"):
        await session.prompt(sentence)
        told.append(list(figures_of(session.journal).values())[-1])

    assert told == [{"changes": 2}, {"changes": 1}, {"version": 2}, {"version_a": 2, "version_b": 2}]
