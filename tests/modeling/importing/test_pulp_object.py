import math
import warnings
from typing import Any

import pulp
import pytest
from comparing import assert_same, built

from decision_ai.errors import DataError
from decision_ai.modeling.importing.importer import import_model
from decision_ai.modeling.importing.pulp_object import is_pulp_problem, read_pulp_problem

pytestmark = pytest.mark.core


@pytest.fixture
def problem() -> Any:
    made = pulp.LpProblem("plan", pulp.LpMaximize)
    x = made.add_variable_dicts("x", ["a", "b"], 0, 4, "Integer")
    free, on = made.add_variable("free"), made.add_variable("on", cat="Binary")
    made += 3 * x["a"] + 2 * x["b"] - free + 5, "profit"
    made += x["a"] + x["b"] <= 6 + on, "cap"
    made += free - x["a"] >= 1
    made += on + x["b"] * 2 == 5
    return made


def test_a_problem_of_the_installed_pulp_is_read(problem: Any) -> None:
    model = read_pulp_problem(problem)
    assert (model.name, model.sense, model.offset, model.objective_name) == ("plan", "maximize", 5, "profit")
    assert {c.name: (c.lower, c.upper, c.integral, c.cost) for c in model.columns} == {
        "x_a": (0, 4, True, 3),
        "x_b": (0, 4, True, 2),
        "free": (-math.inf, math.inf, False, -1),
        "on": (0, 1, True, 0),
    }
    assert [(r.lower, r.upper, len(r.terms)) for r in model.rows] == [
        (-math.inf, 6, 3),
        (1, math.inf, 2),
        (5, 5, 2),
    ]
    assert_same(model, built(import_model(problem)))


def test_a_solved_problem_reads_the_same(problem: Any) -> None:
    before = read_pulp_problem(problem)
    problem.solve(pulp.HiGHS(msg=False))
    assert read_pulp_problem(problem) == before


def test_names_that_occur_twice_are_kept_apart() -> None:
    made = pulp.LpProblem("twice")
    x, y = made.add_variable("x", 0), made.add_variable("x", 1)
    made += x + y
    made += x + y >= 2
    model = read_pulp_problem(made)
    assert sorted(column.name for column in model.columns) == ["x", "x_2"]
    assert "called 'x'" in model.notes[0]


def test_a_problem_without_objective_is_read() -> None:
    made = pulp.LpProblem("feasible")
    made += made.add_variable("x") >= 1, "r"
    assert [column.cost for column in read_pulp_problem(made).columns] == [0]


def test_special_ordered_sets_are_refused(problem: Any) -> None:
    if hasattr(problem, "add_sos_group"):
        kinds = pulp._rustcore.SosKind
        problem.add_sos_group(kinds.Sos1, "s", {problem.variables()[0]: 1.0})
    else:
        problem.sos1["s"] = {problem.variables()[0]: 1}
    with pytest.raises(DataError, match="special ordered sets"):
        read_pulp_problem(problem)


def test_only_problems_of_pulp_are_problems(problem: Any) -> None:
    class Mine(pulp.LpProblem):  # type: ignore[misc]
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert is_pulp_problem(problem)
        assert is_pulp_problem(Mine("m"))
    assert not is_pulp_problem("problem")
    assert not is_pulp_problem(type("LpProblem", (), {})())
