import asyncio
import json
from typing import Any

import pytest

from decision_ai.client.approval import Approve, Reject
from decision_ai.client.preview import HeadProgram
from decision_ai.client.responder import Responder, SessionFiles, same_change
from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai.client.schemas.chat_messages.protocol import AskForSolve, AskForValidation
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.errors import ConnectionFailed
from decision_ai.examples import example
from decision_ai.solving.findings import PartName
from decision_ai.solving.parameters import SolveParameters


class Files:
    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.away = False

    async def data(self, data_id: str) -> str:
        self.fetched.append(data_id)
        return f'{{"id": "{data_id}"}}'

    async def head(self) -> HeadProgram:
        if self.away:
            raise ConnectionFailed("away")
        return HeadProgram(code="# head", opt_input_data_id="data-head", version_id="v", hash="h")


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def respond(executor: Any, files: Files) -> Any:
    def respond(**options: Any) -> Responder:
        options = {"approve": lambda proposal: Approve()} | options
        return Responder(executor, SessionFiles(data=files.data, head=files.head), **options)

    return respond


def ask(lines: Any, change: Any = None, code: str = "# new", **args: Any) -> AskForValidation:
    origin = ToolData(name="propose_changes", id="c", args=args)
    return AskForValidation(code=code, changes=change or lines.diff(), tool_origin=origin)


def solve(code: str = "# head", **args: Any) -> AskForSolve:
    return AskForSolve(code=code, tool_origin=ToolData(name="solve", id="c", args=args))


def data_diff(data_id: str, text: str) -> OptInputDataDiff:
    return OptInputDataDiff(added=OptInputDataSnapshot(opt_input_data_id=data_id, json_data=text))


async def test_the_check_runs_on_the_data_the_ask_names(respond: Any, executor: Any, lines: Any) -> None:
    question = ask(lines, input_data_id="data-9")
    await respond().validate(question, (question.changes,))
    assert executor.jobs[0].json_data == '{"id": "data-9"}'


async def test_an_ask_without_a_name_means_the_heads_data(respond: Any, executor: Any, lines: Any) -> None:
    question = ask(lines)
    await respond().validate(question, (question.changes,))
    assert executor.jobs[0].json_data == '{"id": "data-head"}'


async def test_changed_data_are_taken_from_the_change(
    respond: Any, executor: Any, lines: Any, files: Files
) -> None:
    change = data_diff("data-new", '{"new": 1}')
    await respond().validate(ask(lines, change, input_data_id="data-new"), (change,))
    assert executor.jobs[0].json_data == '{"new": 1}'
    assert "data-new" not in files.fetched


async def test_the_card_is_read_from_the_call(respond: Any, lines: Any) -> None:
    seen: list[Any] = []
    card = {"sentence": "s", "reading": "r", "unused_words": ["u"], "warnings": ["w"], "doubt": "d"}
    question = ask(lines, card=card)
    await respond(approve=lambda p: seen.append(p.card) or Approve()).validate(question, (question.changes,))
    assert (seen[0].reading, seen[0].unused_words, seen[0].doubt) == ("r", ("u",), "d")


async def test_the_check_knows_what_the_set_changes(respond: Any, executor: Any, lines: Any) -> None:
    question = ask(lines, input_data_id="d")
    await respond().validate(question, (lines.diff("many"), question.changes))
    assert executor.jobs[0].focus == [PartName(kind="constraint", id=name) for name in ("many", "few")]


async def test_the_card_has_the_warnings_that_are_new(respond: Any, executor: Any, lines: Any) -> None:
    seen: list[Any] = []
    executor.warnings = {"# new": ["steep", "wide"], "# head": ["wide"]}
    question = ask(lines, input_data_id="d", card={"warnings": ["mine", "steep"]})
    await respond(approve=lambda p: seen.append(p.card) or Approve()).validate(question, (question.changes,))
    assert seen[0].warnings == ("mine", "steep")


async def test_checks_reach_the_preview(respond: Any, executor: Any, lines: Any) -> None:
    seen: list[Any] = []
    check = {"name": "few", "sentence": "at most 3", "code": "def few(self, data, v): ..."}
    question = ask(lines, input_data_id="d", checks=[check, "broken"])
    await respond(approve=lambda p: seen.append(p) or Approve()).validate(question, (question.changes,))
    assert [one.name for one in seen[0].preview_result.checks] == ["few"]
    assert [len(job.checks) for job in executor.jobs if job.task == "solve"] == [0, 1]


async def test_changed_values_have_their_units(lines: Any, files: Files, executor: Any) -> None:
    seen: list[Any] = []
    code, text = example("knapsack")
    declared = code.replace("weight: float", 'weight: Annotated[float, unit("kg")]')
    program = declared.replace("import pulp", "from typing import Annotated\nimport pulp", 1)
    data = json.loads(text)
    before = OptInputDataSnapshot(opt_input_data_id="a", json_data=text)
    data["items"][next(iter(data["items"]))]["weight"] += 0.5
    change = OptInputDataDiff(removed=before, added=data_diff("b", json.dumps(data)).added)
    answering = Responder(
        executor,
        SessionFiles(data=files.data, head=files.head),
        approve=lambda p: seen.append(p) or Approve(),  # type: ignore[func-returns-value]
    )
    await answering.validate(ask(lines, change, program, input_data_id="b"), (change,))
    assert list(seen[0].units.values()) == ["kg"]


async def test_an_approver_may_be_an_object_with_an_async_call(respond: Any, lines: Any) -> None:
    class Asker:
        async def __call__(self, proposal: Any) -> Reject:
            return Reject("no")

    question = ask(lines)
    answered = await respond(approve=Asker()).validate(question, (question.changes,))
    assert answered.response.rejection_message == "no"


async def test_without_a_head_there_is_no_preview_but_an_answer(
    respond: Any, files: Files, lines: Any
) -> None:
    files.away = True
    seen: list[Any] = []
    question = ask(lines, input_data_id="d")
    answered = await respond(approve=lambda p: seen.append(p) or Approve()).validate(
        question, (question.changes,)
    )
    assert not answered.response.rejected
    assert seen[0].preview_result is None


async def test_an_edit_that_changes_nothing_is_an_approval(respond: Any, lines: Any) -> None:
    same = lines.diff()
    same.added.description = "in other words"
    question = ask(lines)
    answered = await respond(approve=lambda p: Approve(same)).validate(question, (question.changes,))
    assert answered.response.changes is None


async def test_an_edit_whose_check_fails_goes_back_without_a_question(respond: Any, lines: Any) -> None:
    question = ask(lines, code="broken", edited=True)
    responder = respond(approve=lambda p: pytest.fail("asked"))
    answered = await responder.validate(question, (question.changes,), edit=question.changes)
    assert answered.response.validation.kind == "formulation_validation_failed"
    assert not answered.response.rejected


def test_the_same_change_is_the_same_code_or_data(lines: Any) -> None:
    assert same_change(lines.diff(code="a\n"), lines.diff(code="a"))
    assert not same_change(lines.diff(code="a"), lines.diff(code="b"))
    assert not same_change(lines.diff("one"), lines.diff("other"))
    assert same_change(data_diff("x", '{"a": 1}'), data_diff("y", '{"a":1}'))
    assert not same_change(data_diff("x", '{"a": 1}'), data_diff("x", '{"a": 2}'))


async def test_the_asks_parameters_go_before_the_persons(respond: Any, executor: Any) -> None:
    responder = respond(parameters=SolveParameters(time_limit=9, seed=3))
    await responder.solve(solve(parameters={"time_limit": 2}))
    (job,) = executor.jobs
    assert (job.parameters.time_limit, job.parameters.seed) == (2, 3)


async def test_parameters_that_mean_nothing_are_an_outcome(respond: Any, executor: Any) -> None:
    answered = await respond().solve(solve(parameters={"time_limit": -1}))
    assert answered.response.solving.error.startswith("error: parameters time_limit")
    assert [job.task for job in executor.jobs] == ["build"]


async def test_a_broken_program_has_a_validation_and_no_solving(respond: Any) -> None:
    answered = await respond().solve(solve("broken"))
    assert answered.response.validation.kind == "formulation_validation_failed"
    assert answered.response.solving is None
    assert not answered.response.rejected


async def test_infeasible_is_said_in_the_published_word(respond: Any) -> None:
    answered = await respond().solve(solve("infeasible"))
    assert answered.response.solving.status == "infeasible"


async def test_a_solve_approver_that_raises_refuses(respond: Any) -> None:
    def approve(request: Any) -> Any:
        raise LookupError("no budget")

    answered = await respond(approve_solve=approve).solve(solve())
    assert answered.response.rejected
    assert isinstance(answered.error, LookupError)


async def test_a_solve_starts_from_the_plan_of_the_preview(respond: Any, executor: Any, lines: Any) -> None:
    responder = respond()
    question = ask(lines, input_data_id="d")
    await responder.validate(question, (question.changes,))
    await responder.solve(solve("# new", input_data_id="d"))
    assert executor.jobs[-1].start is not None


async def test_a_stopped_solve_is_answered_with_its_plan(respond: Any, executor: Any) -> None:
    executor.hold = True
    stop = asyncio.Event()
    solving = asyncio.ensure_future(respond().solve(solve(), stop=stop))
    await executor.solving.wait()
    stop.set()
    answered = await solving
    assert answered.response.solving.solution_status == "interrupted_with_plan"
