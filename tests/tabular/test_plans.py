import csv
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from decision_ai.errors import DecisionAIError
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, RowState
from decision_ai.tabular.plans import check_target, plan_sheets, write_excel, write_folder, write_plan

OUTCOME = Outcome(kind=OutcomeKind.OPTIMAL, objective=12.0, bound=12.0, gap=0.0, seconds=0.5)
PLAN = Plan(
    values={
        "take": [(("=Tent",), 1.0), (("Box",), 0.0)],
        "make": [(("a", 1), 2.5), (("a", 2), 0.0), (("b", 1), 1.0), (("b", 2), 4.0)],
        "drive": [(("v", "i", "j"), 1.0)],
        "most": [((), 3.0)],
        "none": [],
    }
)
ROWS = [
    RowState(constraint_id="capacity", activity=28.0, upper=30.0),
    RowState(constraint_id="window", index=("Ana", "Mon"), activity=5.0, lower=5.0, upper=9.0),
    RowState(constraint_id="soft", activity=4.0, lower=5.0, violation=1.0),
    RowState(constraint_id="free", activity=4.0),
]


def test_the_sheets_of_a_plan() -> None:
    sheets = {sheet.name: sheet for sheet in plan_sheets(OUTCOME, PLAN, ROWS)}
    assert list(sheets) == ["Summary", "Constraints", "take", "make", "drive", "most", "none", "make (wide)"]
    assert dict(sheets["Summary"].rows) == {  # type: ignore[arg-type]
        "outcome": "optimal",
        "objective": 12.0,
        "bound": 12.0,
        "gap": 0.0,
        "seconds": 0.5,
    }
    assert (sheets["take"].header, sheets["take"].rows[0]) == (["index", "value"], ["=Tent", 1.0])
    assert sheets["drive"].header == ["index 1", "index 2", "index 3", "value"]
    assert (sheets["most"].header, sheets["most"].rows) == (["value"], [[3.0]])
    wide = sheets["make (wide)"]
    assert (wide.header, wide.rows) == (["index", "1", "2"], [["a", 2.5, 0.0], ["b", 1.0, 4.0]])


def test_the_rows_of_the_constraints() -> None:
    rows = plan_sheets(OUTCOME, PLAN, ROWS)[1].rows
    assert rows[0] == ["capacity", "", 28.0, None, 30.0, 2.0, False, 0.0]
    assert rows[1] == ["window", "Ana, Mon", 5.0, 5.0, 9.0, 0.0, True, 0.0]
    assert rows[2][5:] == [0.0, False, 1.0]
    assert rows[3][5] is None


def test_a_large_or_sparse_family_has_no_wide_sheet() -> None:
    sparse = Plan(values={"x": [(("a", "b"), 1.0), (("b", "a"), 1.0)]})
    large = Plan(values={"x": [(("a", n), 1.0) for n in range(51)]})
    for plan in (sparse, large):
        assert len(plan_sheets(OUTCOME, plan)) == 3


def test_a_family_that_is_called_like_a_sheet_of_ours_gets_another_name(tmp_path: Path) -> None:
    path = write_excel(tmp_path / "plan.xlsx", OUTCOME, Plan(values={"summary": [((), 1.0)]}))
    assert load_workbook(path).sheetnames == ["Summary", "Constraints", "summary~2"]


def test_a_plan_is_written_in_the_form_its_name_says(tmp_path: Path) -> None:
    write_plan(tmp_path / "plan.xlsx", OUTCOME, PLAN, ROWS)
    cell = load_workbook(tmp_path / "plan.xlsx")["take"]["A2"]
    assert (cell.value, cell.data_type) == ("=Tent", "s")
    write_plan(tmp_path / "plan.json", OUTCOME, PLAN)
    said = json.loads((tmp_path / "plan.json").read_text())
    assert (said["outcome"]["objective"], said["values"]["most"]) == (12.0, [[[], 3.0]])
    write_plan(tmp_path / "plan", OUTCOME, PLAN, ROWS)
    with (tmp_path / "plan" / "make.csv").open(newline="") as file:
        assert list(csv.reader(file))[:2] == [["index 1", "index 2", "value"], ["a", "1", "2.5"]]
    with pytest.raises(DecisionAIError, match=r"not as 'plan.pdf'"):
        write_plan(tmp_path / "plan.pdf", OUTCOME, PLAN)


def test_nothing_is_replaced(tmp_path: Path) -> None:
    path = write_excel(tmp_path / "plan.xlsx", OUTCOME, PLAN)
    with pytest.raises(DecisionAIError, match="exists already"):
        write_excel(path, OUTCOME, PLAN)
    with pytest.raises(DecisionAIError, match="not empty"):
        write_folder(tmp_path, OUTCOME, PLAN)
    with pytest.raises(DecisionAIError, match="cannot be made"):
        write_folder(path, OUTCOME, PLAN)
    with pytest.raises(DecisionAIError, match="cannot be written"):
        write_excel(tmp_path / "missing" / "plan.xlsx", OUTCOME, PLAN)


def test_a_target_is_refused_before_anybody_waits_for_the_plan(tmp_path: Path) -> None:
    (tmp_path / "plan.xlsx").write_text("")
    for name, words in (
        ("plan.xlsx", "exists already"),
        ("plan.csv", "not as 'plan.csv'"),
        ("missing/plan.json", "there is no folder"),
        (".", "a file or not empty"),
    ):
        with pytest.raises(DecisionAIError, match=words):
            check_target(tmp_path / name)
    check_target(tmp_path / "new.json")
    check_target(tmp_path / "new")
