from typing import Any

import pytest

from decision_ai.client.checked_plan import CheckedPlan, plan_of
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.solution import Solution
from decision_ai.errors import DataError
from decision_ai.solving.executors.base import FamilyDescription, ModelDescription
from decision_ai.solving.findings import BrokenMember, CheckResult, PricedPlan
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, RowState

MODEL = ModelDescription(
    families={"x": FamilyDescription(variable_id="x", domain="integer", indices=[("a",), ("b",)])},
    constraints={},
    sense="minimize",
    columns=2,
    rows=0,
)
CLEAN = PricedPlan(objective=12.0, rows=[], members=[], missing=[], unknown=[])


def solved(objective: float) -> Solution:
    outcome = Outcome(kind=OutcomeKind.OPTIMAL, objective=objective)
    return Solution(outcome=outcome, validation=ValidationSucceeded(), plan=Plan(values={}))


def row(id: str, violation: float, **fields: Any) -> RowState:
    return RowState(constraint_id=id, activity=7.0, violation=violation, **fields)


def member(value: float, **fields: Any) -> BrokenMember:
    return BrokenMember(
        variable_id="x", index=("a",), value=value, whole=True, **{"lower": 0.0, "upper": 9.0, **fields}
    )


@pytest.mark.parametrize(
    ("sense", "best", "words"),
    [
        ("minimize", None, "feasible: objective 12"),
        ("minimize", 10.0, "feasible: objective 12, 2 worse than the best known plan (10)"),
        ("maximize", 10.0, "feasible: objective 12, 2 better than the best known plan (10)"),
        ("maximize", 12.0, "feasible: objective 12, as good as the best known plan (12)"),
    ],
)
def test_a_plan_is_compared_with_the_best_known(sense: Any, best: float | None, words: str) -> None:
    checked = CheckedPlan(priced=CLEAN, sense=sense, best=None if best is None else solved(best))
    assert str(checked) == words
    assert checked.acceptable
    assert checked._repr_html_() == f"<p>{words}</p>"


def test_everything_that_is_broken_is_said_by_how_much() -> None:
    priced = PricedPlan(
        objective=None,
        rows=[
            row("room", 2, index=("Mon",), upper=5.0),
            row("least", 1, lower=8.0),
            row("exact", 3, lower=4.0, upper=4.0),
            row("nice", 1, lower=8.0),
            row("kept", 0, upper=9.0),
        ],
        members=[member(10.0), member(-1.0), member(0.5)],
        missing=["x[b]"],
        unknown=[f"x[<{n}>]" for n in range(12)],
        soft=["nice"],
        checks=[
            CheckResult(name="few", sentence="Few & <light>", holds=False, message="too many"),
            CheckResult(name="odd", sentence="", holds=None, message="it fails"),
            CheckResult(name="ok", sentence="Fine", holds=True),
        ],
    )
    checked = CheckedPlan(priced=priced, sense="minimize", best=solved(3))
    assert (checked.feasible, checked.acceptable, len(checked.broken)) == (False, False, 3)
    assert str(checked).splitlines() == [
        "not feasible: the model has no objective",
        "  broken: room[Mon]: 7 must be at most 5, missed by 2",
        "  broken: least: 7 must be at least 8, missed by 1",
        "  broken: exact: 7 must be exactly 4, missed by 3",
        "  broken: x[a] = 10 is above its upper bound 9",
        "  broken: x[a] = -1 is below its lower bound 0",
        "  broken: x[a] = 0.5 is not a whole number",
        "  soft, missed: nice: 7 must be at least 8, missed by 1",
        "  your check few is broken: Few & <light> (too many)",
        "  your check odd is not known: odd (it fails)",
        "  your check ok is kept: Fine",
        "  missing, taken as 0 or the bound nearest to it: x[b]",
        "  not in the model and left out: " + ", ".join(f"x[<{n}>]" for n in range(10)) + " and 2 more",
    ]
    assert "<li>your check few is broken: Few &amp; &lt;light&gt; (too many)</li>" in checked._repr_html_()


def test_long_lists_are_cut() -> None:
    priced = CLEAN.model_copy(update={"rows": [row("room", 2, upper=5.0)] * 25})
    lines = CheckedPlan(priced=priced, sense="minimize").lines
    assert len(lines) == 12
    assert lines[-1] == "… and 15 more like these"


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ({"x": {"a": 1, ("b",): True}}, {"x": [(("a",), 1.0), (("b",), 1.0)]}),
        ({"x": {"a": {1: 2}}, "y": 3}, {"x": [(("a", 1), 2.0)], "y": [((), 3.0)]}),
        ({"x": {("a", 1.5): 2}}, {"x": [(("a", 1.5), 2.0)]}),
        ({"x": [{"index": "b", "value": 4}]}, {"x": [(("b",), 4.0)]}),
    ],
)
def test_a_dictionary_is_a_plan(source: Any, values: Any) -> None:
    assert plan_of(source, MODEL) == Plan(values=values)


def test_a_solution_needs_a_plan_and_a_value_is_a_number() -> None:
    outcome = Outcome(kind=OutcomeKind.INFEASIBLE)
    with pytest.raises(DataError, match="has no plan"):
        plan_of(Solution(outcome=outcome, validation=ValidationSucceeded()), MODEL)
    with pytest.raises(DataError, match=r"the value of \[a\] is nan"):
        plan_of({"x": {"a": float("nan")}}, MODEL)
