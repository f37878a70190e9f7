"""What every executor must do. A test module subclasses `ExecutorContract` and gives it an `executor`
fixture."""

import asyncio
import time

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.solving.executors.base import Executor, Job, JobResult
from decision_ai.solving.findings import PartName, PlanCheck
from decision_ai.solving.outcome import OutcomeKind, Plan, SolveProgress
from decision_ai.solving.parameters import SolveParameters

BOXES = '''"""Load the boxes worth most."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, objective


class Box(InputData):
    weight: float
    worth: float


class LoadData(InputData):
    limit: float
    boxes: dict[str, Box]


class LoadVariables(Variables):
    take: dict[str, Var] = binary(over=lambda data: data.boxes)


class Load(OptModel[LoadData, LoadVariables]):
    @constraint(r"weight")
    def limit(self, data, v):
        """Not too heavy."""
        return pulp.lpSum(box.weight * v.take[i] for i, box in data.boxes.items()) <= data.limit

    @objective("maximize", r"worth")
    def worth(self, data, v):
        """Worth loaded."""
        return pulp.lpSum(box.worth * v.take[i] for i, box in data.boxes.items())

    def solution_to_str(self, data, v):
        return " and ".join(i for i in data.boxes if v.take[i].value() > 0.5)
'''
BOX_DATA = (
    '{"limit": 7, "boxes": {"p": {"weight": 3, "worth": 4}, "q": {"weight": 4, "worth": 5},'
    ' "r": {"weight": 6, "worth": 8}}}'
)

DEPOTS = '''"""Open depots and serve all towns from them."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class DepotData(InputData):
    depots: int
    towns: int


class DepotVariables(Variables):
    open: dict[int, Var] = binary(over=lambda data: range(data.depots))
    serve: dict[tuple[int, int], Var] = continuous(
        over=lambda data: [(i, j) for i in range(data.depots) for j in range(data.towns)], upper=1
    )


class Depots(OptModel[DepotData, DepotVariables]):
    @constraint(r"served")
    def served(self, data, v):
        """Every town is served."""
        for j in range(data.towns):
            yield j, pulp.lpSum(v.serve[i, j] for i in range(data.depots)) == 1

    @constraint(r"linked")
    def linked(self, data, v):
        """Only from open depots."""
        for i in range(data.depots):
            for j in range(data.towns):
                yield (i, j), v.serve[i, j] <= v.open[i]

    @objective("minimize", r"cost")
    def cost(self, data, v):
        """Cost."""
        building = pulp.lpSum((400 + (i * 37) % 211) * v.open[i] for i in range(data.depots))
        return building + pulp.lpSum(
            ((i * 7919 + j * 104729 + i * j * 31) % 97 + 3) * member for (i, j), member in v.serve.items()
        )

    def solution_to_str(self, data, v):
        return f"{sum(round(v.open[i].value()) for i in v.open)} depots open"
'''


def report(result: JobResult) -> FormulationErrorReport:
    """The report of a result whose program did not build."""
    assert isinstance(result.validation, FormulationValidationFailed)
    assert isinstance(result.validation.error, FormulationErrorReport)
    return result.validation.error


AT_MOST_ONE = PlanCheck(
    name="one",
    sentence="At most one box is loaded.",
    code="def one(self, data, v):\n    return pulp.lpSum(v.take.values()) <= 1\n",
)
BROKEN = PlanCheck(
    name="broken", sentence="?", code="def broken(self, data, v):\n    return v.tkae['p'] <= 1\n"
)
FORBIDDEN = PlanCheck(
    name="forbidden", sentence="!", code="def forbidden(self, data, v):\n    open('/etc/passwd')\n"
)


def boxes(task: str = "solve", *, data: str = BOX_DATA, source: str = BOXES, **parameters: object) -> Job:
    """A job on the boxes."""
    return Job(
        task=task,  # type: ignore[arg-type]
        source=source,
        json_data=data,
        parameters=SolveParameters.model_validate(parameters),
    )


class ExecutorContract:
    """The suite."""

    async def test_build_describes_the_model(self, executor: Executor) -> None:
        result = await executor.run(boxes("build"))

        assert result.validation == ValidationSucceeded()
        assert result.outcome is None
        assert result.description is not None
        assert result.description.families["take"].indices == [("p",), ("q",), ("r",)]
        assert result.description.constraints["limit"].indices == [()]
        assert (result.description.columns, result.description.rows) == (3, 1)
        assert result.description.sense == "maximize"

    async def test_build_that_fails_names_the_part(self, executor: Executor) -> None:
        result = await executor.run(boxes("build", source=BOXES.replace("<= data.limit", "<= data.limits")))

        error = report(result)
        assert (error.component, error.component_id) == ("constraint", "limit")
        assert error.error_type == "unknown_name"
        assert error.line == 24
        assert "limit" in (error.hint or "")

    async def test_data_that_do_not_fit(self, executor: Executor) -> None:
        result = await executor.run(boxes(data=BOX_DATA.replace('"limit": 7', '"limit": "seven"')))

        assert isinstance(result.validation, InputDataSchemaValidationFailed)
        assert result.validation.input_data_class_name == "LoadData"
        assert result.validation.error.startswith("limit: ")
        assert result.outcome is None

    async def test_optimal(self, executor: Executor) -> None:
        result = await executor.run(boxes())

        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.OPTIMAL
        assert result.outcome.objective == 9
        assert result.outcome.bound == 9
        assert result.plan is not None
        assert result.plan.family("take") == {"p": 1, "q": 1, "r": 0}
        assert [(row.constraint_id, row.activity, row.upper, row.binding) for row in result.rows] == [
            ("limit", 7, 7, True)
        ]
        assert result.solution_str == "p and q"

    async def test_infeasible_leaves_no_plan(self, executor: Executor) -> None:
        source = BOXES.replace("<= data.limit", ">= 100")
        result = await executor.run(boxes(source=source))

        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.INFEASIBLE
        assert result.outcome.confirmed
        assert (result.plan, result.rows, result.solution_str) == (None, [], None)

    async def test_unbounded(self, executor: Executor) -> None:
        source = BOXES.replace("binary(over", "integer(over").replace(
            "import InputData", "import integer, InputData"
        )
        source = source.replace("<= data.limit", ">= 1")
        result = await executor.run(boxes(source=source))

        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.UNBOUNDED
        assert result.plan is None

    async def test_limit_without_a_plan(self, executor: Executor) -> None:
        result = await executor.run(boxes(time_limit=0))

        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.LIMIT_WITHOUT_PLAN
        assert result.plan is None

    async def test_limit_with_a_given_plan(self, executor: Executor) -> None:
        start = Plan(values={"take": [(("p",), 1.0), (("q",), 0.0), (("r",), 0.0), (("gone",), 1.0)]})
        job = boxes(time_limit=0).model_copy(update={"start": start})
        result = await executor.run(job)

        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.LIMIT_WITH_PLAN
        assert result.outcome.objective == 4
        assert result.solution_str == "p"

    async def test_progress_and_stop_within_a_second(self, executor: Executor) -> None:
        """HiGHS takes many seconds to notice a stop on this model; the plan must be there all the same."""
        stop = asyncio.Event()
        told: list[SolveProgress] = []
        stopped_at = 0.0

        def on_progress(progress: SolveProgress) -> None:
            nonlocal stopped_at
            told.append(progress)
            if progress.objective is not None and not stop.is_set():
                stopped_at = time.monotonic()
                stop.set()

        await executor.run(boxes())  # whatever the first job of an executor has to start
        job = Job(task="solve", source=DEPOTS, json_data='{"depots": 60, "towns": 150}')
        result = await executor.run(job, on_progress=on_progress, stop=stop)
        took = time.monotonic() - stopped_at

        assert told
        assert took < 1.0
        assert result.outcome is not None
        assert result.outcome.kind is OutcomeKind.INTERRUPTED_WITH_PLAN
        assert result.plan is not None
        assert sum(result.plan.family("open").values()) >= 1
        assert len(result.rows) == 60 * 150 + 150
        assert result.solution_str

    async def test_stop_of_a_build(self, executor: Executor) -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.3, stop.set)
        source = BOXES.replace(
            "        return pulp.lpSum(box.worth",
            "        while True: pass\n        return pulp.lpSum(box.worth",
        )
        result = await executor.run(boxes(source=source), stop=stop)

        assert report(result).error_type == "interrupted"

    async def test_ten_jobs_at_once(self, executor: Executor) -> None:
        results = await asyncio.gather(*(executor.run(boxes(seed=seed)) for seed in range(10)))

        assert [result.solution_str for result in results] == ["p and q"] * 10

    async def test_program_outside_the_allow_list(self, executor: Executor) -> None:
        error = report(await executor.run(boxes(source="import os\n" + BOXES)))

        assert error.error_type == "not_allowed"
        assert error.line == 1

    async def test_program_without_end(self, executor: Executor) -> None:
        source = BOXES.replace(
            "        return pulp.lpSum(box.worth",
            "        while True: pass\n        return pulp.lpSum(box.worth",
        )
        job = boxes(source=source).model_copy(update={"build_seconds": 0.5})
        error = report(await executor.run(job))

        assert error.error_type == "time_limit"
        assert (await executor.run(boxes())).solution_str == "p and q"

    async def test_close_interrupts_what_runs(self, executor: Executor) -> None:
        job = Job(task="solve", source=DEPOTS, json_data='{"depots": 60, "towns": 150}')
        running = asyncio.ensure_future(executor.run(job))
        await asyncio.sleep(0.5)
        await executor.aclose()
        result = await running

        interrupted = result.outcome is None or result.outcome.kind in (
            OutcomeKind.INTERRUPTED_WITH_PLAN,
            OutcomeKind.INTERRUPTED_WITHOUT_PLAN,
        )
        assert interrupted
        if result.outcome is None:
            assert report(result).error_type == "interrupted"

    async def test_compatibility_names_every_part_that_does_not_build(self, executor: Executor) -> None:
        source = BOXES.replace("lambda data: data.boxes)", "lambda data: data.bottles)").replace(
            "    @objective",
            "    @constraint(enabled=False)\n    def fine(self, data, v):\n        return []\n\n"
            "    @objective",
        )
        result = await executor.run(boxes("compatibility", source=source))

        assert result.validation == ValidationSucceeded()
        assert (result.description, result.outcome) == (None, None)
        family, *users = result.findings.incompatible
        assert (family.kind, family.id) == ("variable", "take")
        assert "bottles" in family.reason
        assert [(part.kind, part.id) for part in users] == [("constraint", "limit"), ("objective", "worth")]
        assert all("'take'" in part.reason and "bottles" in part.reason for part in users)

    async def test_compatibility_of_data_that_do_not_fit(self, executor: Executor) -> None:
        result = await executor.run(boxes("compatibility", data=BOX_DATA.replace('"limit": 7, ', "")))
        assert isinstance(result.validation, InputDataSchemaValidationFailed)
        assert result.findings.incompatible == []

    async def test_compatibility_of_a_model_that_fits(self, executor: Executor) -> None:
        result = await executor.run(boxes("compatibility"))
        assert (result.validation, result.findings.incompatible) == (ValidationSucceeded(), [])

    async def test_price_tells_what_a_plan_is_worth_and_breaks(self, executor: Executor) -> None:
        values = [(("p",), 1.0), (("r",), 0.5), (("s",), 1.0)]
        job = boxes("price").model_copy(update={"plan": Plan(values={"take": values})})
        result = await executor.run(job.model_copy(update={"checks": [AT_MOST_ONE, FORBIDDEN]}))

        assert result.description is not None
        priced = result.findings.priced
        assert priced is not None
        assert priced.objective == 8
        assert [(row.constraint_id, row.activity, row.violation) for row in priced.rows] == [("limit", 6, 0)]
        assert [(member.index, member.value, member.whole) for member in priced.members] == [
            (("r",), 0.5, True)
        ]
        assert (priced.missing, priced.unknown) == (["take[q]"], ["take[s]"])
        assert [check.holds for check in priced.checks] == [False, None]
        assert "not allowed" in priced.checks[1].message
        assert result.findings.checks == priced.checks
        assert not priced.feasible

    async def test_price_tells_missed_hard_rows(self, executor: Executor) -> None:
        values = [((name,), 1.0) for name in "pqr"]
        job = boxes("price").model_copy(update={"plan": Plan(values={"take": values})})
        priced = (await executor.run(job)).findings.priced

        assert priced is not None
        assert [(row.constraint_id, row.violation) for row in priced.broken] == [("limit", 6)]

    async def test_solve_with_checks(self, executor: Executor) -> None:
        checks = [AT_MOST_ONE, BROKEN, FORBIDDEN]
        result = await executor.run(boxes().model_copy(update={"checks": checks}))

        assert result.solution_str == "p and q"
        assert [(check.name, check.holds) for check in result.findings.checks] == [
            ("one", False),
            ("broken", None),
            ("forbidden", None),
        ]
        one, broken, forbidden = result.findings.checks
        assert "missed by 1" in one.message
        assert "'take'" in broken.message
        assert "not allowed" in forbidden.message

    async def test_checks_without_a_plan_are_not_told(self, executor: Executor) -> None:
        source = BOXES.replace("<= data.limit", ">= 100")
        result = await executor.run(boxes(source=source).model_copy(update={"checks": [AT_MOST_ONE]}))

        assert [check.holds for check in result.findings.checks] == [None]
        assert "no plan" in result.findings.checks[0].message

    async def test_export(self, executor: Executor) -> None:
        for format in ("lp", "mps"):
            result = await executor.run(boxes("export").model_copy(update={"format": format}))
            exported = result.findings.exported
            assert exported is not None
            assert "take[p]" in exported.names.values()
            assert "limit" in exported.text

    async def test_a_check_without_end_does_not_cost_the_plan(self, executor: Executor) -> None:
        endless = AT_MOST_ONE.model_copy(update={"code": "def one(self, data, v):\n    while True: pass\n"})
        job = boxes().model_copy(update={"checks": [endless], "build_seconds": 1.0})
        result = await executor.run(job)

        assert result.plan is not None
        assert [check.holds for check in result.findings.checks] == [None]

    async def test_price_without_end(self, executor: Executor) -> None:
        endless = AT_MOST_ONE.model_copy(update={"code": "def one(self, data, v):\n    while True: pass\n"})
        job = boxes("price").model_copy(update={"checks": [endless], "build_seconds": 1.0})
        assert report(await executor.run(job)).error_type == "time_limit"

    async def test_what_comes_to_nothing_is_a_warning_unless_it_was_just_changed(
        self, executor: Executor
    ) -> None:
        job = boxes("build", data='{"limit": 7, "boxes": {}}')
        result = await executor.run(job)

        assert result.description is not None
        assert len(result.description.warnings) == 2
        assert "constraint limit is always true" in result.description.warnings[1]
        focus = [PartName(kind="constraint", id="limit")]
        error = report(await executor.run(job.model_copy(update={"focus": focus})))
        assert error.error_type == "constant_constraint"
        assert "boxes" in (error.hint or "")
