"""The vocabulary of outcomes keeps its promises by itself."""

import pytest
from pydantic import ValidationError

from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, RowState

pytestmark = pytest.mark.core
WITH_PLAN = {"optimal", "gap_reached", "limit_with_plan", "interrupted_with_plan"}


@pytest.mark.parametrize("kind", OutcomeKind)
def test_an_objective_exists_exactly_where_a_plan_does(kind: OutcomeKind) -> None:
    has_plan = kind.value in WITH_PLAN
    assert kind.has_plan is has_plan
    Outcome(kind=kind, objective=1.0 if has_plan else None)
    with pytest.raises(ValidationError, match="do not go together"):
        Outcome(kind=kind, objective=None if has_plan else 0.0)


def test_figures_are_finite() -> None:
    with pytest.raises(ValidationError):
        Outcome(kind=OutcomeKind.OPTIMAL, objective=float("nan"))


def test_values_are_found_by_the_key_the_model_uses() -> None:
    plan = Plan(values={"x": [(("a",), 1.0)], "y": [(("a", 2), 3.0)], "z": [((), 4.0)]})
    assert plan.family("x") == {"a": 1.0}
    assert plan.family("y") == {("a", 2): 3.0}
    assert plan.family("z") == {(): 4.0}


def test_labels_keep_their_type_over_the_wire() -> None:
    plan = Plan(values={"y": [((1, "1", 1.5), 3.0)]})
    again = Plan.model_validate_json(plan.model_dump_json())
    assert [type(label) for label in again.values["y"][0][0]] == [int, str, float]


@pytest.mark.parametrize(
    ("activity", "lower", "upper", "binding"),
    [
        (7.0, None, 7.0, True),
        (6.9, None, 7.0, False),
        (3.0, 3.0, None, True),
        (1e9, None, 1e9 + 100, True),
        (5.0, None, None, False),
    ],
)
def test_a_row_is_binding_at_a_bound(
    activity: float, lower: float | None, upper: float | None, binding: bool
) -> None:
    assert RowState(constraint_id="c", activity=activity, lower=lower, upper=upper).binding is binding
