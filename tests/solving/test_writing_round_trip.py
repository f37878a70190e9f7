"""A model that is written and read again is the same model: names, label types, rows, kinds and optimum."""

from pathlib import Path

import pytest
from test_writing import FORMATS, ODD, ODD_DATA, SOFT, built

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.name_map import Format
from decision_ai.modeling.importing.program_writer import program_of
from decision_ai.modeling.importing.solver_files import read_solver_file
from decision_ai.solving import staged
from decision_ai.solving.building import BuiltModel
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.writing import write_model

pytestmark = pytest.mark.core

SLOW = {"staff_scheduling", "vrp_time_windows"}
"""Solved once and not twice."""


def again(model: BuiltModel, format: Format, folder: Path) -> BuiltModel:
    path = folder / f"model.{format}"
    path.write_text(write_model(model, format).text, encoding="utf-8")
    imported = program_of(read_solver_file(path))
    return built(imported.source, imported.json_data)


def members(model: BuiltModel) -> dict[str, set[str]]:
    """Family → its indices, written so that 1 and 1.0 differ."""
    return {name: set(map(repr, family.indices)) for name, family in model.families.items()}


def rows(model: BuiltModel) -> dict[str, tuple[float, float, int]]:
    linear = model.linear
    lengths = (linear.start[1:] - linear.start[:-1]).tolist()
    bounds = zip(linear.row_lower.tolist(), linear.row_upper.tolist(), lengths, strict=True)
    return dict(zip(map(repr, model.row_keys), bounds, strict=True))


def optimum(model: BuiltModel) -> float | None:
    exact = SolveParameters(relative_gap=0.0)
    return staged.solve(model.linear, model.row_priorities, exact).outcome.objective


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_comes_back(name: str, format: Format, tmp_path: Path) -> None:
    model = built(*example(name))
    read = again(model, format, tmp_path)
    assert members(read) == members(model)
    assert rows(read) == rows(model)
    assert read.description.constraints.keys() == model.description.constraints.keys()
    assert {id: family.domain for id, family in read.families.items()} == {
        id: family.domain for id, family in model.families.items()
    }
    assert read.description.sense == model.description.sense
    assert read.model.objective_id == model.model.objective_id
    if name not in SLOW:
        assert optimum(read) == pytest.approx(optimum(model), rel=1e-9)


@pytest.mark.parametrize("format", FORMATS)
def test_odd_names_come_back(format: Format, tmp_path: Path) -> None:
    model = built(ODD, ODD_DATA.replace(', ""', ""))  # an empty label is not read as one
    read = again(model, format, tmp_path)
    assert members(read) == members(model)
    assert read.linear.integral.sum() == model.linear.integral.sum()
    assert optimum(read) == pytest.approx(optimum(model))


@pytest.mark.parametrize("format", FORMATS)
def test_the_last_stage_of_a_soft_model_has_its_optimum(format: Format, tmp_path: Path) -> None:
    model = built(SOFT, '{"most": 14}')
    read = again(model, format, tmp_path)
    assert optimum(read) == pytest.approx(optimum(model))
    assert {"violations_A", "violations_B", "violations_C"} <= read.description.constraints.keys()
