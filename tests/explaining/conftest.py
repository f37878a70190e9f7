"""Models to explain, and the real executor to solve them on."""

from collections.abc import AsyncIterator, Callable

import pytest

from decision_ai.examples import example
from decision_ai.explaining.solves import Model, Run
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.local import LocalExecutor

BOX = '''"""Two numbers."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, objective


class BoxData(InputData):
    top: float


class BoxVariables(Variables):
    x: Var = continuous(upper=10)
    y: Var = continuous(upper=10)


class Box(OptModel[BoxData, BoxVariables]):
    @constraint()
    def low_x(self, data, v):
        return v.x >= 4

    @constraint()
    def low_y(self, data, v):
        return v.y >= 3

    @constraint()
    def together(self, data, v):
        return v.x + v.y <= data.top

    @constraint(priority="A")
    def soft(self, data, v):
        return v.x >= 9

    @constraint(enabled=False)
    def off(self, data, v):
        return v.x >= 100

    @objective("maximize")
    def goal(self, data, v):
        return 2 * v.x + v.y

    def solution_to_str(self, data, v) -> str:
        return "done"
'''


@pytest.fixture
async def run() -> AsyncIterator[Run]:
    async with LocalExecutor() as executor:

        async def run_job(job):
            return await executor.run(job)

        yield run_job


@pytest.fixture
def box() -> Callable[..., Model]:
    """Two numbers of at least 4 and 3 whose sum is at most `top`."""

    def make(top: float) -> Model:
        return Model(Program.parse(BOX), f'{{"top": {top}}}')

    return make


@pytest.fixture
def model() -> Callable[[str], Model]:
    """An example by name."""

    def make(name: str) -> Model:
        source, json_data = example(name)
        return Model(Program.parse(source), json_data)

    return make
