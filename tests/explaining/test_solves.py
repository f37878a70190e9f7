"""What a solve proves about there being a plan."""

import pytest

from decision_ai.explaining.solves import Model, NotExplainable, is_feasible, solved
from decision_ai.solving.outcome import Outcome, OutcomeKind

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("optimal", {"objective": 1.0}, True),
        ("limit_with_plan", {"objective": 1.0}, True),
        ("unbounded", {}, True),
        ("infeasible", {}, False),
        ("infeasible", {"confirmed": False}, None),
        ("infeasible_or_unbounded", {}, None),
        ("limit_without_plan", {}, None),
        ("error", {}, None),
    ],
)
def test_only_what_is_proven_counts(kind, fields, expected):
    assert is_feasible(Outcome(kind=OutcomeKind(kind), **fields)) is expected


async def test_a_model_that_does_not_build_says_why(box, run):
    with pytest.raises(NotExplainable, match="the model does not build: the data do not fit BoxData: top"):
        await solved(Model(box(8).program, '{"top": "high"}'), run, 5)
