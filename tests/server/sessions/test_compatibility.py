"""Which parts do not build is found out only where something may have changed it."""

import pytest

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.examples import example
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import Findings, IncompatiblePart
from decision_ai_server.agent.ports import ModelVersion
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.sessions.compatibility import DoesNotBuild, marked

SOURCE, DATA = example("knapsack")
PROGRAM = Program.parse(SOURCE)
OFF = PROGRAM.switch("max_items", enabled=False)
PART = IncompatiblePart(kind="constraint", id="capacity", reason="no")
NEW_DATA = OptInputDataDiff(
    removed=OptInputDataSnapshot(opt_input_data_id="d", json_data=DATA),
    added=OptInputDataSnapshot(opt_input_data_id="e", json_data=DATA),
)


def head(*incompatible: IncompatiblePart) -> ModelVersion:
    return ModelVersion(
        id="v0",
        parent=None,
        program=PROGRAM,
        json_data=DATA,
        data_id="d",
        sentence="",
        summary="",
        incompatible=incompatible,
    )


def version(*changes: object) -> NewVersion:
    return NewVersion(program=PROGRAM, json_data=DATA, changes=changes, sentence="")  # type: ignore[arg-type]


class Executor:
    def __init__(self, result: JobResult) -> None:
        self.result, self.jobs = result, list[Job]()

    async def __call__(self, job: Job) -> JobResult:
        self.jobs.append(job)
        return self.result


FINE = JobResult(validation=ValidationSucceeded())
BROKEN = JobResult(validation=ValidationSucceeded(), findings=Findings(incompatible=[PART]))


async def test_a_constraint_on_a_version_where_all_fits_needs_no_look() -> None:
    executor = Executor(BROKEN)
    assert (await marked(head(), version(OFF), executor)).incompatible == ()
    assert executor.jobs == []


async def test_other_data_are_looked_at() -> None:
    executor = Executor(BROKEN)
    assert (await marked(head(), version(NEW_DATA), executor)).incompatible == (PART,)
    (job,) = executor.jobs
    assert (job.task, job.source, job.json_data) == ("compatibility", PROGRAM.composed(), DATA)


async def test_a_part_that_builds_again_loses_its_mark() -> None:
    assert (await marked(head(PART), version(OFF), Executor(FINE))).incompatible == ()


@pytest.mark.parametrize(
    ("validation", "text"),
    [
        (FormulationValidationFailed(error="no such name"), "no such name"),
        (
            InputDataSchemaValidationFailed(input_data_class_name="Bag", error="no room"),
            "the data do not fit Bag: no room",
        ),
    ],
)
async def test_data_that_fit_nothing_make_no_version(validation: object, text: str) -> None:
    executor = Executor(JobResult(validation=validation))  # type: ignore[arg-type]
    with pytest.raises(DoesNotBuild, match=text):
        await marked(head(), version(NEW_DATA), executor)
