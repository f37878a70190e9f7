"""The sheets hold outcome, rows, plan, data and the parts of the model."""

import pytest

from decision_ai.examples import example
from decision_ai.modeling.exporting.workbook import model_sheets
from decision_ai.modeling.program import Program
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, RowState

pytestmark = pytest.mark.core

OPTIMAL = Outcome(kind=OutcomeKind.OPTIMAL, objective=30.0)


def test_the_sheets() -> None:
    source, data = example("knapsack")
    program = Program.parse(source)
    plan = Plan(values={"take": [(("Tent",), 1.0)]})
    rows = [RowState(constraint_id="capacity", activity=7.5, upper=30.0)]
    sheets = {sheet.name: sheet for sheet in model_sheets(program, data, OPTIMAL, plan, rows)}
    assert list(sheets) == ["Summary", "Constraints", "take", "Parameters", "items", "Model"]
    assert list(sheets["take"].rows[0]) == ["Tent", 1.0]
    assert len(sheets["items"].rows) == 12
    model = sheets["Model"]
    assert [row[1] for row in model.rows] == ["total_value", *program.variables, *program.constraints]
    assert list(model.rows[0][:4]) == ["objective", "total_value", "maximize", ""]
    assert list(model.rows[1][:4]) == ["variable", "take", "binary", "on"]
    assert list(model.rows[2][:4]) == ["constraint", "capacity", "hard", "on"]
    assert all(len(row) == len(sheet.header) for sheet in sheets.values() for row in sheet.rows)


def test_without_a_plan_there_is_no_sheet_of_values() -> None:
    infeasible = Outcome(kind=OutcomeKind.INFEASIBLE)
    sheets = model_sheets(Program.parse(example("knapsack")[0]), '{"capacity": 1}', infeasible, None, [])
    assert [sheet.name for sheet in sheets] == ["Summary", "Constraints", "Parameters", "Model"]


def test_a_model_without_objective_and_with_a_part_switched_off() -> None:
    source, _ = example("knapsack")
    cut = source[: source.index("    @objective")] + source[source.index("    def solution_to_str") :]
    program = Program.parse(cut)
    program = program.apply(program.switch("capacity", enabled=False))
    (*_, model) = model_sheets(program, "{}", OPTIMAL, None, [])
    assert [row[0] for row in model.rows][:2] == ["variable", "constraint"]
    assert model.rows[1][3] == "off"
