import json
from collections.abc import Callable
from typing import Any

import pytest

from decision_ai.modeling.importing.pulp_algebra import NotRead
from decision_ai.modeling.importing.pulp_script import foreign_model
from decision_ai.modeling.importing.recorder import ProblemChoice, Recorder, Solved, picture, unique_names

pytestmark = pytest.mark.core


def _run(text: str, wanted: str | None = None) -> tuple[Recorder, dict[str, Any]]:
    recorder = Recorder(wanted)
    space: dict[str, Any] = {"pulp": recorder.module(), "__name__": "__main__"}
    exec(text, space)
    return recorder, space


def test_all_names_of_a_star_import_are_there() -> None:
    module = Recorder().module()
    assert {"LpProblem", "LpVariable", "lpSum", "HiGHS", "PULP_CBC_CMD", "value"} <= set(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    assert not hasattr(module, "Nothing")
    assert getattr(module, "Nothing", None) is None


def test_a_solve_stops_what_catches_exceptions_only() -> None:
    text = "p = pulp.LpProblem('p')\ntry:\n    p.solve()\nexcept Exception:\n    p = None\n"
    with pytest.raises(Solved):
        _run(text)


def test_a_picture_is_json_that_makes_a_foreign_model() -> None:
    recorder, space = _run(
        "p = pulp.LpProblem('a plan', pulp.LpMaximize)\n"
        "x = pulp.LpVariable.dicts('x', (['a b', 'c'], [1, 2]), 0, 4, 'Integer')\n"
        "p += 2 * x['c'][1] + 5, 'gain'\np += x['c'][1] + x['a b'][2] - x['a b'][2] >= -3, 'floor'\n"
    )
    taken = json.loads(json.dumps(recorder.finish(space)))
    model = foreign_model(taken)
    assert (model.name, model.sense, model.offset, model.objective_name) == ("a plan", "maximize", 5, "gain")
    assert [(c.name, c.lower, c.upper, c.integral, c.cost) for c in model.columns] == [
        ("x_a b_2", 0, 4, True, 0),
        ("x_c_1", 0, 4, True, 2),
    ]
    assert [(r.name, r.lower, r.terms) for r in model.rows] == [("floor", -3, ((1, 1),))]
    assert model.members is not None
    assert model.members.columns["x_a b_2"] == ("x", ("a b", 2))


@pytest.mark.parametrize(
    "build",
    [
        "x = {k: pulp.LpVariable(f'v{k}') for k in 'ab'}",
        "x = {}\nfor k in 'ab':\n    x[k] = pulp.LpVariable('some ' + k)",
        "holder = type('Holder', (), {})()\n"
        "holder.x = {k: pulp.LpVariable(k) for k in 'ab'}\nself = holder\nx = self.x",
    ],
)
def test_a_dictionary_of_the_script_names_the_family_and_the_labels(build: str) -> None:
    recorder, space = _run(f"p = pulp.LpProblem('p')\n{build}\np += pulp.lpSum(x.values())\n")
    members = recorder.finish(space)["column_members"]
    assert sorted(members.values()) == [["x", ["a"]], ["x", ["b"]]]


def test_names_that_occur_twice_are_kept_apart_and_noted() -> None:
    notes: list[str] = []
    assert unique_names(["a", "a", "a_2", "a\n", ""], "rows", notes) == ["a", "a_3", "a_2", "a_", "_"]
    assert notes == ["Several rows are called 'a'; all but the first got a number at the end."]


def test_a_problem_that_is_not_wanted_is_passed_over_but_its_values_are_not_known() -> None:
    text = (
        "first = pulp.LpProblem('first')\nx = pulp.LpVariable('x')\nfirst += x\nfirst.solve()\n"
        "second = pulp.LpProblem('second')\ny = pulp.LpVariable('y')\nsecond += y\n"
    )
    recorder, space = _run(text, "second")
    assert recorder.finish(space)["name"] == "second"
    with pytest.raises(NotRead, match="value of 'x' after a solve that was left out"):
        _run(text + "second += y >= x.varValue\n", "second")


def test_special_ordered_sets_are_refused() -> None:
    recorder, space = _run(
        "p = pulp.LpProblem('p')\nx = pulp.LpVariable('x')\np += x\np.sos1['a'] = {x: 1}\n"
    )
    with pytest.raises(ProblemChoice, match="special ordered sets"):
        recorder.finish(space)


def test_the_columns_are_those_in_use_and_those_the_problem_owns() -> None:
    _, space = _run(
        "p = pulp.LpProblem('p')\nunused = pulp.LpVariable('unused')\nused = pulp.LpVariable('used')\n"
        "owned = p.add_variable('owned')\np += used >= 1\n"
    )
    assert [column[0] for column in picture(space["p"])["columns"]] == ["used", "owned"]


@pytest.fixture
def lines(tmp_path: Any) -> Callable[[str], dict[str, Any]]:
    """Runs a script from a file, so that the loops around its lines can be read; the members of the rows."""

    def run(text: str) -> dict[str, Any]:
        path = tmp_path / "script.py"
        path.write_text(text)
        recorder = Recorder()
        space: dict[str, Any] = {"pulp": recorder.module(), "__name__": "__main__"}
        exec(compile(text, str(path), "exec"), space)
        return recorder.finish(space)["row_members"]

    return run


def test_rows_of_one_line_are_a_family(lines: Callable[[str], dict[str, Any]]) -> None:
    members = lines(
        "p = pulp.LpProblem('p')\nx = pulp.LpVariable.dicts('x', ['a', 'b'])\n"
        "for k in 'ab':\n    for n, bound in enumerate([3, 4]):\n"
        "        p += x[k] <= bound + n, f'cap {k} {n}'\n"
        "for k in 'ab':\n    p += x[k] >= 1\n"
    )
    assert members == {
        "cap a 0": ("cap", ("a", 0)),
        "cap a 1": ("cap", ("a", 1)),
        "cap b 0": ("cap", ("b", 0)),
        "cap b 1": ("cap", ("b", 1)),
        "_C5": ("line_7", ("a",)),
        "_C6": ("line_7", ("b",)),
    }
