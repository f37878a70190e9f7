"""The runner where there is no fork: a fresh interpreter per job, the same results."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from decision_ai.client.schemas.chat_messages.validation import FormulationValidationFailed
from decision_ai.sandbox.runner import Runner
from decision_ai.solving.executors.base import Job
from decision_ai.solving.parameters import SolveParameters

pytestmark = pytest.mark.core

PROGRAM = """
from decision_ai import InputData, OptModel, Var, Variables, constraint, integer, objective


class D(InputData):
    pass


class V(Variables):
    x: Var = integer(upper=5)


class M(OptModel[D, V]):
    @constraint()
    def cap(self, data, v):
        return 2 * v.x <= 7

    @objective("maximize")
    def most(self, data, v):
        return v.x

    def solution_to_str(self, data, v):
        return f"{v.x.value():g}"
"""


@pytest.fixture
async def fresh() -> AsyncIterator[Runner]:
    runner = Runner(forking=False)
    yield runner
    await runner.aclose()


async def test_solves(fresh: Runner) -> None:
    job = Job(task="solve", source=PROGRAM, json_data="{}", parameters=SolveParameters(time_limit=5))
    assert (await fresh.run(job, stop=asyncio.Event())).solution_str == "3"


async def test_claims_only_what_needs_no_kernel(fresh: Runner) -> None:
    assert set(await fresh.layers()) == {"process", "limits"}


async def test_endless_program_is_killed(fresh: Runner) -> None:
    job = Job(task="build", source="while True: pass", json_data="{}", build_seconds=1.5)
    result = await fresh.run(job, stop=asyncio.Event())

    assert isinstance(result.validation, FormulationValidationFailed)
    assert "1.5 s" in str(result.validation.error)


async def test_a_stopped_job_does_not_begin(fresh: Runner) -> None:
    stop = asyncio.Event()
    stop.set()
    result = await fresh.run(Job(task="build", source=PROGRAM, json_data="{}"), stop=stop)

    assert isinstance(result.validation, FormulationValidationFailed)
    assert "interrupted" in str(result.validation.error)
