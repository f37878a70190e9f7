from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from openpyxl import load_workbook

from decision_ai.errors import DecisionAIError
from decision_ai.solving.executors.base import FamilyDescription, ModelDescription
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai.tabular.plan_reading import read_plan
from decision_ai.tabular.plans import write_plan
from decision_ai.tabular.problems import TableError
from tests.tabular.random_data import LABELS, NUMBERS

OUTCOME = Outcome(kind=OutcomeKind.OPTIMAL, objective=1.0)
FORMS = ["plan.xlsx", "plan.json", "plan"]
PLAN = Plan(
    values={
        "take": [(("Tent",), 1.0), (("Box",), 0.0)],
        "make": [(("a", 1), 2.5), (("a", 2), 0.0), (("b", 1), 1.0), (("b", 2), 4.0)],
        "most": [((), 3.0)],
    }
)


def described(plan: Plan) -> ModelDescription:
    families = {
        name: FamilyDescription(
            variable_id=name, domain="continuous", indices=[index for index, _ in members]
        )
        for name, members in plan.values.items()
    }
    return ModelDescription(families=families, constraints={}, sense="minimize", columns=0, rows=0)


DESCRIPTION = described(PLAN)


@pytest.mark.parametrize("form", FORMS)
def test_a_written_plan_is_read_back(form: str, tmp_path: Path) -> None:
    write_plan(tmp_path / form, OUTCOME, PLAN)
    assert read_plan(tmp_path / form, DESCRIPTION) == PLAN
    assert read_plan(str(tmp_path / form), DESCRIPTION) == PLAN


PLANS = st.integers(0, 3).flatmap(
    lambda width: st.dictionaries(st.tuples(*[LABELS] * width), NUMBERS.map(float), min_size=1, max_size=5)
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(members=PLANS)
def test_any_plan_comes_back(members: dict[Any, float], tmp_path_factory: pytest.TempPathFactory) -> None:
    plan = Plan(values={"x": list(members.items()), "other": [((), 1.0)]})
    folder = tmp_path_factory.mktemp("plans")
    for form in FORMS:
        write_plan(folder / form, OUTCOME, plan)
        assert read_plan(folder / form, described(plan)) == plan


def edited(tmp_path: Path, **cells: Any) -> Path:
    """A written workbook with cells such as `take__B2` changed."""
    path = tmp_path / "plan.xlsx"
    write_plan(path, OUTCOME, PLAN)
    book = load_workbook(path)
    for name, value in cells.items():
        sheet, _, cell = name.rpartition("__")
        book[sheet.replace("_wide", " (wide)")][cell] = value
    book.save(path)
    return path


def test_an_edit_in_excel_is_read(tmp_path: Path) -> None:
    read = read_plan(edited(tmp_path, take__B2="0,5", take__B3=True), DESCRIPTION)
    assert read.values["take"] == [(("Tent",), 0.5), (("Box",), 1.0)]


def test_blank_and_missing_members_are_left_out(tmp_path: Path) -> None:
    read = read_plan(edited(tmp_path, take__B2=None), DESCRIPTION)
    assert read.values["take"] == [(("Box",), 0.0)]
    assert read_plan({"most": 2}, DESCRIPTION).values == {"most": [((), 2.0)]}


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"take__A2": "Tnt"}, "take!B2, column 'value': 'take' has no member 'Tnt'; did you mean 'Tent'?"),
        ({"take__B2": "much"}, "take!B2, column 'value': 'much' is not a number"),
        ({"take__A2": "Box"}, "the value of 'Box' is 0 here and 1 at plan.xlsx, take!B2"),
        ({"make__C2": 7}, "edit one place and delete the other"),
        ({"make_wide__B2": 7}, "edit one place and delete the other"),
    ],
)
def test_what_does_not_fit_is_told(cells: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(TableError) as caught:
        read_plan(edited(tmp_path, **cells), DESCRIPTION)
    assert words in str(caught.value)


def test_a_sheet_that_is_no_family_is_told(tmp_path: Path) -> None:
    path = edited(tmp_path)
    book = load_workbook(path)
    book["take"].title = "tkae"
    book.save(path)
    with pytest.raises(TableError, match="there is no variable family 'tkae'; did you mean 'take'"):
        read_plan(path, DESCRIPTION)


@pytest.mark.parametrize(
    "members",
    [
        {"Tent": 1, "Box": 0},
        {("Tent",): 1, ("Box",): 0},
        [(("Tent",), 1), (("Box",), 0)],
        [{"index": "Tent", "value": 1}, {"index": "Box", "value": 0}],
        pd.DataFrame({"value": [1, 0]}, index=["Tent", "Box"]),
        pl.DataFrame({"index": ["Tent", "Box"], "value": [True, False]}),
    ],
)
def test_the_forms_of_a_family_in_a_dictionary(members: Any) -> None:
    assert read_plan({"take": members}, DESCRIPTION).values["take"] == PLAN.values["take"]


@pytest.mark.parametrize("members", [{"a": {1: 2.5}}, {("a", 1): 2.5}, {"a": {"1": 2.5}}])
def test_two_indices_in_a_dictionary(members: Any) -> None:
    assert read_plan({"make": members}, DESCRIPTION).values == {"make": [(("a", 1), 2.5)]}


def test_a_plan_and_the_values_of_a_solution_are_read(tmp_path: Path) -> None:
    assert read_plan(PLAN, DESCRIPTION) == PLAN
    assert read_plan({name: PLAN.family(name) for name in ("take", "make")}, DESCRIPTION).values == {
        name: PLAN.values[name] for name in ("take", "make")
    }


def test_one_table_is_for_the_only_family(tmp_path: Path) -> None:
    only = described(Plan(values={"take": PLAN.values["take"]}))
    frame = pl.DataFrame({"item": ["Tent"], "value": [1]})
    assert read_plan(frame, only).values == {"take": [(("Tent",), 1.0)]}
    with pytest.raises(TableError, match="there is no variable family"):
        read_plan(frame, DESCRIPTION)
    path = tmp_path / "take.csv"
    path.write_text("item,value\nTent,1\n")
    assert read_plan(path, DESCRIPTION).values == {"take": [(("Tent",), 1.0)]}


def test_what_is_no_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no variable family 'tkae'"):
        read_plan({"tkae": 1}, DESCRIPTION)
    with pytest.raises(TypeError, match="a plan is a path"):
        read_plan(3, DESCRIPTION)
    with pytest.raises(TableError, match="has no CSV file"):
        read_plan(tmp_path, DESCRIPTION)
    for name, content, words in (
        ("a.json", "[]", "a plan is an object"),
        ("a.txt", "", "a plan is read from"),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(DecisionAIError, match=words):
            read_plan(tmp_path / name, DESCRIPTION)
    (tmp_path / "b.json").write_text("")
    with pytest.raises(DecisionAIError, match=r"the plan .*b\.json.*: not valid JSON"):
        read_plan(tmp_path / "b.json", DESCRIPTION)
    (tmp_path / "c.json").write_text("{}")
    with pytest.raises(TableError, match="no value of a variable family; there are 'take', 'make'"):
        read_plan(tmp_path / "c.json", DESCRIPTION)
    with pytest.raises(DecisionAIError, match="there is no plan"):
        read_plan(tmp_path / "missing.json", DESCRIPTION)
