"""A problem collects what PuLP collects; structure against the installed PuLP is in `test_pulp_script.py`."""

from typing import Any

import pytest

from decision_ai.modeling.importing.pulp_algebra import NotRead
from decision_ai.modeling.importing.recorder import Recorder, Solved

pytestmark = pytest.mark.core


@pytest.fixture
def pulp() -> Any:
    return Recorder().module()


def test_rows_are_a_dictionary_and_a_list(pulp: Any) -> None:
    problem = pulp.LpProblem("p")
    x = pulp.LpVariable("x")
    problem += x >= 1, "a row"
    problem += x <= 9
    assert list(problem.constraints) == ["a_row", "_C2"]
    assert problem.constraints["a_row"] is problem.constraints()[0] is problem.get_constraint_by_name("a_row")
    del problem.constraints["_C2"]
    assert (problem.numConstraints(), problem.numVariables()) == (1, 1)
    problem.constraints["a_row"] += x
    assert problem.constraints["a_row"][x] == 2


def test_rows_of_one_name_are_kept_as_in_pulp_4(pulp: Any) -> None:
    problem = pulp.LpProblem("p")
    x = pulp.LpVariable("x")
    for bound in range(3):
        problem += x >= bound, "r"
    assert list(problem.constraints) == ["r", "r_2", "r_3"]


@pytest.mark.parametrize("wrong", ["False", "None", "'text'", "[1]"])
def test_what_is_no_part_of_a_problem_is_refused(pulp: Any, wrong: str) -> None:
    problem = pulp.LpProblem("p")
    with pytest.raises(TypeError, match="a problem takes a comparison, an expression"):
        problem += eval(wrong)
    problem += True
    assert problem.objective is None


def test_objectives_of_every_form(pulp: Any) -> None:
    problem = pulp.LpProblem("p")
    x = pulp.LpVariable("x")
    problem += x, "goal"
    assert (dict(problem.objective), problem.objective.name) == ({x: 1}, "goal")
    problem += 4
    assert problem.objective.constant == 4
    problem.setObjective(2 * x)
    problem.objective += 3
    problem.objective += x
    assert (dict(problem.objective), problem.objective.constant) == ({x: 3}, 3)
    with pytest.raises(TypeError, match="a comparison cannot be the objective"):
        problem.setObjective(x <= 1)


def test_columns_come_and_go_as_in_pulp_4(pulp: Any) -> None:
    problem = pulp.LpProblem("p")
    x = problem.add_variable("x")
    row = problem.addConstraint(x >= 1)
    y = problem.add_column("y", 0, 3, "Integer", obj=2, coefficients={row: 5})
    assert (row[y], problem.objective[y], y.upBound, y.cat) == (5, 2, 3, "Integer")
    problem.remove_variables([y])
    assert y not in row
    assert problem.variables() == [x]


def test_a_problem_takes_the_rows_of_others(pulp: Any) -> None:
    x = pulp.LpVariable("x")
    one, other = pulp.LpProblem("one"), pulp.LpProblem("other")
    other += x
    other += x >= 1, "r"
    one.extend(other)
    one.extend({"s": x <= 5})
    one.extend([x <= 6, ("t", x <= 7)])
    assert list(one.constraints) == ["otherr", "s", "_C3", "t"]
    assert one.objective[x] == 1
    copied = one.deepcopy()
    copied.constraints["s"].changeRHS(1)
    assert (one.constraints["s"].getUb(), list(copied.constraints)) == (5, list(one.constraints))
    assert one.copy().constraints["s"] is one.constraints["s"]


@pytest.mark.parametrize(
    "call", ["sequentialSolve([])", "fromMPS('a.mps')", "fromJson('a.json')", "add_sos_group(1, 'a', {})"]
)
def test_what_is_not_read_says_so(pulp: Any, call: str) -> None:
    with pytest.raises(NotRead, match=r"(is|are) not read"):
        eval(f"problem.{call}", {"problem": pulp.LpProblem("p")})


@pytest.mark.parametrize("call", ["solve()", "solve(pulp.HiGHS(msg=False), warmStart=True)", "resolve()"])
def test_every_solve_goes_to_the_reader(pulp: Any, call: str) -> None:
    with pytest.raises(Solved):
        eval(f"problem.{call}", {"problem": pulp.LpProblem("p"), "pulp": pulp})
    with pytest.raises(Solved):
        pulp.GLPK_CMD().solve(pulp.LpProblem("p"))


def test_a_problem_can_be_printed(pulp: Any) -> None:
    problem = pulp.LpProblem("a plan", pulp.LpMaximize)
    x = pulp.LpVariable("x")
    problem += 2 * x + 1
    problem += x <= 3, "r"
    assert repr(problem) == "a_plan:\nMAXIMIZE\n2*x + 1\nSUBJECT TO\nr: 1*x + -3 <= 0"
    with pytest.raises(AttributeError, match=r"LpProblem\.nothing is not known"):
        problem.nothing()
    with pytest.raises(pulp.PulpError, match="must be LpMinimize or LpMaximize"):
        pulp.LpProblem("p", "max")
