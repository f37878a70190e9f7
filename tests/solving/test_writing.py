"""What is written reads back in HiGHS as the same model, with the same optimum, under names of our own."""

import re
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pytest

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.name_map import Format, names_in_comments, shown
from decision_ai.modeling.loading import load_model
from decision_ai.solving import staged
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.outcome import OutcomeKind
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.writing import write_model

pytestmark = pytest.mark.core

FORMATS: tuple[Format, ...] = ("lp", "mps")

ODD = '''
import pulp
from decision_ai import InputData, OptModel, Var, Variables, constraint, objective
from decision_ai import binary, continuous, integer

class Data(InputData):
    labels: list[str]

class Choices(Variables):
    st: Var = continuous(lower=None, upper=4)
    e4: Var = integer(lower=-3)
    x: dict[str, Var] = continuous(over=lambda data: data.labels, upper=1 / 3)
    fixed: Var = continuous(lower=2, upper=2)
    no_bounds: Var = continuous(lower=None)
    pick: Var = binary()
    off: Var = binary(enabled=False)
    low: Var = integer(lower=None, upper=-4)
    unused: Var = continuous(lower=-1.5)
    wide: Var = integer()

class Odd(OptModel[Data, Choices]):
    @constraint()
    def free(self, data, v):
        """A row whose name is a word of LP files."""
        return v.st + 0.1 * v.e4 >= -7

    @constraint()
    def same(self, data, v):
        for i in data.labels:
            yield i, v.x[i] + v.wide - 1e-7 * v.no_bounds <= 1e9 + 1 / 7

    @constraint()
    def equal(self, data, v):
        return v.low + v.pick == v.no_bounds

    @constraint()
    def most(self, data, v):
        return v.wide <= 11

    @objective("maximize")
    def total(self, data, v):
        return pulp.lpSum(v.x.values()) + 0.30000000000000004 * v.wide + v.pick - v.st - v.e4 + 2.5

    def solution_to_str(self, data, v):
        return ""
'''
ODD_DATA = '{"labels": ["+", "-", "a b", "größe", "中", "\\\\ x", "a\\nb", ""]}'

SOFT = """
import pulp
from decision_ai import InputData, OptModel, Var, Variables, constraint, integer, objective

class Data(InputData):
    most: float

class Choices(Variables):
    x: dict[str, Var] = integer(over=lambda data: ["a", "b"], upper=20)
    enough_short: Var = integer(upper=1)

class Soft(OptModel[Data, Choices]):
    @constraint()
    def capacity(self, data, v):
        return pulp.lpSum(v.x.values()) <= data.most

    @constraint(priority="A")
    def enough(self, data, v):
        for i in v.x:
            yield i, v.x[i] >= 8

    @constraint(priority="C")
    def equal(self, data, v):
        return v.x["a"] - v.x["b"] == 3

    @constraint(priority="B")
    def few(self, data, v):
        return v.x["a"] <= 4

    @objective("maximize")
    def total(self, data, v):
        return v.x["a"] + 2 * v.x["b"] + v.enough_short

    def solution_to_str(self, data, v):
        return ""
"""


def built(source: str, data: str) -> BuiltModel:
    model = load_model(source, f"written_{abs(hash(source))}")
    return build(model, model.data_class.model_validate_json(data))


def read(text: str, format: Format, folder: Path) -> Any:
    path = folder / f"model.{format}"
    path.write_text(text, encoding="utf-8")
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    return highs


def optimum(highs: Any) -> float:
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


def as_written(highs: Any, model: BuiltModel, format: Format, text: str) -> None:
    """Compare what HiGHS read with the model, name by name."""
    names, lp, linear = names_in_comments(text.splitlines()), highs.getLp(), model.linear
    assert names is not None
    column = {name: j for j, name in enumerate(lp.col_names_)}
    order = [column[safe] for safe in names.columns]
    assert len(order) == linear.columns == lp.num_col_
    for mine, theirs in (
        (linear.cost, lp.col_cost_),
        (linear.lower, lp.col_lower_),
        (linear.upper, lp.col_upper_),
    ):
        assert np.array_equal(mine, np.array(theirs)[order])
    kinds = list(lp.integrality_) or [highspy.HighsVarType.kContinuous] * lp.num_col_
    assert [kinds[j] == highspy.HighsVarType.kInteger for j in order] == linear.integral.tolist()
    assert list(lp.row_names_) == list(names.rows)
    assert np.array_equal(linear.row_lower, lp.row_lower_)
    assert np.array_equal(linear.row_upper, lp.row_upper_)
    assert lp.offset_ == linear.offset
    assert (lp.sense_ == highspy.ObjSense.kMaximize) == (linear.sense == "maximize")
    point = np.arange(1.0, linear.columns + 1)
    theirs = np.zeros(linear.columns)
    theirs[order] = point
    assert np.allclose(linear.activities(point), activities(lp, theirs), rtol=1e-14)


def activities(lp: Any, point: Any) -> Any:
    starts, found = list(lp.a_matrix_.start_), np.zeros(lp.num_row_)
    indices, values = list(lp.a_matrix_.index_), list(lp.a_matrix_.value_)
    by_column = lp.a_matrix_.format_ == highspy.MatrixFormat.kColwise
    for major in range(len(starts) - 1):
        for n in range(starts[major], starts[major + 1]):
            row, column = (indices[n], major) if by_column else (major, indices[n])
            found[row] += values[n] * point[column]
    return found


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_reads_back_as_the_same_model_with_the_same_optimum(
    name: str, format: Format, tmp_path: Path
) -> None:
    model = built(*example(name))
    text = write_model(model, format).text
    highs = read(text, format, tmp_path)
    as_written(highs, model, format, text)
    if name not in {"staff_scheduling", "vrp_time_windows"} or format == "mps":  # seconds each
        ours = staged.solve(
            model.linear, model.row_priorities, SolveParameters(relative_gap=0.0)
        ).outcome.objective
        assert optimum(highs) == pytest.approx(ours, rel=1e-6)


@pytest.mark.parametrize("format", FORMATS)
def test_odd_names_bounds_and_digits_read_back_exactly(format: Format, tmp_path: Path) -> None:
    model = built(ODD, ODD_DATA)
    written = write_model(model, format)
    highs = read(written.text, format, tmp_path)
    as_written(highs, model, format, written.text)
    names = names_in_comments(written.text.splitlines())
    assert names is not None
    assert names.objective == "total"
    assert list(names.rows.values()) == model.row_keys
    assert [name for name in names.columns.values() if name[0] == "x"] == [
        ("x", index) for index in model.families["x"].indices
    ]
    assert names.columns["n_st"] == ("st", ())
    assert names.rows["n_free"] == ("free", ())
    assert set(map(shown, names.columns.values())) <= set(written.names.values())


@pytest.mark.parametrize("format", FORMATS)
def test_lines_are_short_and_plain(format: Format) -> None:
    lines = write_model(built(*example("vrp_time_windows")), format).text.splitlines()
    assert max(map(len, lines)) < 256
    assert all(line.isascii() for line in lines)
    names = names_in_comments(lines)
    assert names is not None
    assert all(re.fullmatch(r"[A-Za-z_]\w*", safe) for safe in [*names.columns, *names.rows])


@pytest.mark.parametrize("format", FORMATS)
def test_of_a_soft_model_the_last_stage_is_written(format: Format, tmp_path: Path) -> None:
    model = built(SOFT, '{"most": 14}')
    ours = staged.solve(model.linear, model.row_priorities, SolveParameters())
    written = write_model(model, format)
    assert optimum(read(written.text, format, tmp_path)) == pytest.approx(ours.outcome.objective)
    names = names_in_comments(written.text.splitlines())
    assert names is not None
    added = [name for name in names.columns.values() if name[0].startswith(("enough_short", "equal", "few"))]
    assert added == [
        ("enough_short", ()),
        ("enough_short_", ("a",)),  # the user has a family of that name
        ("enough_short_", ("b",)),
        ("equal_short", ()),
        ("equal_over", ()),
        ("few_over", ()),
    ]
    assert [name for name in names.rows.values() if name not in model.row_keys] == [
        ("violations_A", ()),
        ("violations_B", ()),
        ("violations_C", ()),
    ]
    assert "soft constraints" in written.text.partition("decision-ai names")[0]


def test_a_soft_model_whose_objective_is_unbounded_is_written_all_the_same() -> None:
    model = built(
        SOFT.replace("enough_short: Var = integer(upper=1)", "enough_short: Var = integer()"), '{"most": 14}'
    )
    assert "n_" not in write_model(model, "lp").text.partition("Maximize")[2]


def test_a_soft_model_whose_hard_rows_leave_no_plan_is_refused() -> None:
    with pytest.raises(BuildFailure, match="no plan for its hard constraints; make them hard or relax"):
        write_model(built(SOFT, '{"most": -1}'), "lp")


def test_levels_that_take_too_long_are_refused() -> None:
    with pytest.raises(BuildFailure, match="its priorities could not be solved"):
        write_model(built(SOFT, '{"most": 14}'), "lp", SolveParameters(time_limit=0.0))


def test_a_model_without_variables_is_refused() -> None:
    source = SOFT.partition("    x: dict")[0].replace(
        "class Choices(Variables):", "class Choices(Variables):\n    pass"
    )
    source += """
class Soft(OptModel[Data, Choices]):
    def solution_to_str(self, data, v):
        return ""
"""
    with pytest.raises(BuildFailure, match="without variables"):
        write_model(built(source, '{"most": 1}'), "mps")


def test_a_model_without_objective_and_one_without_rows_are_read(tmp_path: Path) -> None:
    source = (
        SOFT.partition("    @constraint()")[0]
        + "    def solution_to_str(self, data, v):\n        return ''\n"
    )
    for format in FORMATS:
        model = built(source, '{"most": 1}')
        text = write_model(model, format).text
        as_written(read(text, format, tmp_path), model, format, text)
        assert staged.solve(model.linear, [], SolveParameters()).outcome.kind is OutcomeKind.OPTIMAL
