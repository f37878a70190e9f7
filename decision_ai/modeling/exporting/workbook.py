"""A model with its plan as the sheets of a workbook; `decision_ai.tabular` writes and reads them."""

from decision_ai.modeling.data import parse_json
from decision_ai.modeling.program import Program
from decision_ai.solving.outcome import Outcome, Plan, RowState
from decision_ai.tabular.data_sheets import data_sheets
from decision_ai.tabular.plans import plan_sheets
from decision_ai.tabular.workbooks import CellValue, Sheet

MODEL = "Model"


def model_sheets(
    program: Program, json_data: str, outcome: Outcome, plan: Plan | None, rows: list[RowState]
) -> list[Sheet]:
    """The outcome, the rows and the plan, then the data, then the parts of the model.

    Args:
        program: the model.
        json_data: the data as JSON; what has no form as a table is left out.
        outcome: how a solve of them ended.
        plan: its plan; None without one.
        rows: every row at the plan.

    Raises:
        DataError: if the data are not JSON.
    """
    return [
        *plan_sheets(outcome, plan or Plan(values={}), rows),
        *data_sheets(parse_json(json_data), program.source),
        _model(program),
    ]


def _model(program: Program) -> Sheet:
    objective = [] if program.objective is None else [program.objective]
    rows: list[tuple[CellValue, ...]] = [
        ("objective", part.id, part.sense, "", part.description, part.math, part.code) for part in objective
    ]
    rows += [
        ("variable", part.id, part.domain, _switch(part.enabled), part.description, part.math, part.code)
        for part in program.variables.values()
    ]
    rows += [
        ("constraint", part.id, part.priority, _switch(part.enabled), part.description, part.math, part.code)
        for part in program.constraints.values()
    ]
    header = ("part", "name", "kind", "switch", "meaning", "formula", "code")
    return Sheet(name=MODEL, header=header, rows=rows, frozen_columns=2)


def _switch(enabled: bool) -> str:
    return "on" if enabled else "off"
