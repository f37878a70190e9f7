"""Results are put together only from what belongs together: a child may be in the hands of its program."""

import pytest

from decision_ai.solving.answers import Built, Point, Solved, Text, assemble
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, ModelDescription
from decision_ai.solving.outcome import Outcome, OutcomeKind

pytestmark = pytest.mark.core

BUILT = Built(
    description=ModelDescription(
        families={
            "x": FamilyDescription(variable_id="x", domain="binary", indices=[("a", 1), ("b", 2)]),
            "y": FamilyDescription(variable_id="y", domain="continuous", indices=[()]),
        },
        constraints={"cap": ConstraintDescription(constraint_id="cap", indices=[("a",)])},
        sense="minimize",
        columns=3,
        rows=1,
    )
)
POINT = Point(values=[1, 0, 2.5], activities=[3], lower=[None], upper=[4], violations=[0])
OPTIMAL = Outcome(kind=OutcomeKind.OPTIMAL, objective=7)


def test_labels_come_back() -> None:
    result = assemble(BUILT, Solved(outcome=OPTIMAL, point=POINT), Text(text="words"))

    assert result.plan is not None
    assert result.plan.family("x") == {("a", 1): 1, ("b", 2): 0}
    assert result.plan.family("y") == {(): 2.5}
    assert [(row.constraint_id, row.index, row.activity, row.upper) for row in result.rows] == [
        ("cap", ("a",), 3, 4)
    ]
    assert result.solution_str == "words"


def test_json_keeps_the_types_of_labels() -> None:
    again = Built.model_validate_json(BUILT.model_dump_json())
    assert again.description.families["x"].indices == [("a", 1), ("b", 2)]


@pytest.mark.parametrize(
    "solved",
    [
        Solved(outcome=OPTIMAL),
        Solved(outcome=Outcome(kind=OutcomeKind.INFEASIBLE), point=POINT),
        Solved(outcome=OPTIMAL, point=POINT.model_copy(update={"values": [1.0, 0.0]})),
        Solved(outcome=OPTIMAL, point=POINT.model_copy(update={"activities": []})),
    ],
)
def test_what_does_not_belong_together(solved: Solved) -> None:
    with pytest.raises(ValueError, match="do not belong together"):
        assemble(BUILT, solved, None)
