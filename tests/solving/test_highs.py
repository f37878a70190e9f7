"""The engine: claims of HiGHS, checked points, and a thread that is left behind when it does not come
back."""

import threading
import time

import numpy as np
import pytest
from models import hard_knapsack, model

from decision_ai.solving.highs import Ending, Engine, Run
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.parameters import SolveParameters

pytestmark = pytest.mark.core


def run(
    linear: LinearModel, *, seconds: float = 10.0, start: Floats | None = None, **parameters: object
) -> Run:
    settings = SolveParameters.model_validate(parameters)
    return Engine(linear, settings, seconds, None, threading.Event()).run(start)


@pytest.mark.parametrize(
    ("linear", "ending"),
    [
        (model("maximize", [1], [({0: 2}, None, 3)]), Ending.OPTIMAL),
        (model("maximize", [1], [({0: 2}, 3, None)]), Ending.UNBOUNDED),
        (model("maximize", [1], [({0: 2}, 3, None)], integral=[True]), Ending.UNBOUNDED),
        (model("minimize", [1], [({0: 2}, 3, 3)], integral=[True]), Ending.INFEASIBLE),
    ],
)
def test_claims(linear: LinearModel, ending: Ending) -> None:
    assert run(linear).ending is ending


def test_seed_and_threads_reach_highs() -> None:
    assert run(hard_knapsack(items=20, rows=3), seed=7, threads=1).ending is Ending.OPTIMAL


def test_a_point_that_only_rounding_spoils_is_repaired() -> None:
    """x <= 1e7 y: a solver may open the door with y = 1e-6; with y = 1 the plan holds."""
    linked = model("minimize", [-1, 1e-3], [({0: 1, 1: -1e7}, None, 0)], upper=[5, 1], integral=[False, True])
    brought = run(linked)

    assert brought.values is not None
    assert brought.values.tolist() == [5, 1]


def test_stopped_engine_returns_at_once() -> None:
    stop = threading.Event()
    stop.set()
    begin = time.monotonic()
    brought = Engine(hard_knapsack(items=90, rows=25), SolveParameters(), 60.0, None, stop).run(None)

    assert time.monotonic() - begin < 1.0
    assert brought.ending in (Ending.TIME, Ending.INTERRUPTED)


def test_a_start_that_is_good_enough_needs_no_solve() -> None:
    linear = hard_knapsack()
    brought = run(linear, start=np.zeros(60), objective_limit=5.0)

    assert brought.hit_objective_limit
    assert brought.values is not None
    assert not brought.values.any()
