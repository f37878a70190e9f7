"""Results are put together only from what belongs together: a child may be in the hands of its program."""

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.answers import Built, Found, Point, Solved, Text, assemble
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, Job, ModelDescription
from decision_ai.solving.findings import (
    BrokenMember,
    CheckResult,
    ExportedModel,
    Findings,
    IncompatiblePart,
    PartKind,
    PlanCheck,
    PricedPlan,
)
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
PROGRAM = """
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class D(InputData):
    size: int = 1


class V(Variables):
    x: dict[str, Var] = binary(over=lambda d: ["a"])
    y: Var = continuous()


class M(OptModel[D, V]):
    @constraint()
    def cap(self, d, v):
        return v.y <= 1

    @objective("minimize")
    def cost(self, d, v):
        return v.y

    def solution_to_str(self, d, v):
        return ""
"""
PARTS: list[tuple[PartKind, str]] = [("variable", "x"), ("constraint", "cap"), ("objective", "cost")]
JOB = Job(task="solve", source="", json_data="{}")
OPTIMAL = Outcome(kind=OutcomeKind.OPTIMAL, objective=7)


def test_labels_come_back() -> None:
    result = assemble(JOB, built=BUILT, solved=Solved(outcome=OPTIMAL, point=POINT), text=Text(text="words"))

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
        assemble(JOB, built=BUILT, solved=solved)


CHECK = PlanCheck(name="n", sentence="s", code="")
TOLD = CheckResult(name="n", sentence="s", holds=False, message="m")
PRICED = PricedPlan(objective=7, rows=[], members=[], missing=[], unknown=[], checks=[TOLD])


def asked(task: str, **more: object) -> Job:
    return Job(task=task, source=PROGRAM, json_data="{}", **more)  # type: ignore[arg-type]


def test_rows_and_checks_of_a_priced_plan() -> None:
    point = POINT.model_copy(update={"violations": [2.0]})
    found = Found(findings=Findings(priced=PRICED), point=point)
    result = assemble(asked("price", checks=[CHECK]), built=BUILT, found=found)

    assert result.outcome is None
    assert result.findings.priced is not None
    assert [(row.constraint_id, row.index, row.violation) for row in result.findings.priced.rows] == [
        ("cap", ("a",), 2)
    ]
    assert result.findings.checks == result.findings.priced.checks == [TOLD]


def test_what_is_incompatible() -> None:
    parts = [IncompatiblePart(kind=kind, id=id, reason="r") for kind, id in PARTS]
    result = assemble(asked("compatibility"), built=None, found=Found(findings=Findings(incompatible=parts)))

    assert (result.validation, result.description) == (ValidationSucceeded(), None)
    assert result.findings.incompatible == parts


@pytest.mark.parametrize("solved", [None, Solved(outcome=OPTIMAL, point=POINT)])
def test_checks_nothing_is_told_about(solved: Solved | None) -> None:
    result = assemble(asked("solve", checks=[CHECK]), built=BUILT, solved=solved)
    assert [check.holds for check in result.findings.checks] == ([] if solved is None else [None])


@pytest.mark.parametrize(
    ("task", "findings"),
    [
        ("solve", Findings(exported=ExportedModel(text="", names={}))),
        ("solve", Findings(checks=[TOLD, TOLD])),
        ("solve", Findings(checks=[TOLD.model_copy(update={"sentence": "other"})])),
        ("solve", Findings()),
        ("build", Findings(checks=[TOLD])),
        ("export", Findings()),
        ("export", Findings(priced=PRICED)),
        ("price", Findings(priced=PRICED)),  # without a point
        ("compatibility", Findings(checks=[TOLD])),
        ("compatibility", Findings(incompatible=[IncompatiblePart(kind="variable", id="cap", reason="")])),
        (
            "compatibility",
            Findings(incompatible=[IncompatiblePart(kind="constraint", id="cap", reason="")] * 2),
        ),
    ],
)
def test_findings_that_do_not_belong_to_the_job(task: str, findings: Findings) -> None:
    with pytest.raises(ValueError, match=r"belong together|missing|those of the program"):
        assemble(asked(task, checks=[CHECK]), built=BUILT, found=Found(findings=findings))


@pytest.mark.parametrize(
    "change",
    [
        {"members": [BrokenMember(variable_id="x", index=("b", 1), value=1, lower=0, upper=1, whole=True)]},
        {"members": [BrokenMember(variable_id="z", index=(), value=1, lower=0, upper=1, whole=True)]},
        {"soft": ["other"]},
        {"checks": []},
    ],
)
def test_a_priced_plan_of_another_model(change: dict[str, object]) -> None:
    found = Found(findings=Findings(priced=PRICED.model_copy(update=change)), point=POINT)
    with pytest.raises(ValueError, match=r"none of the model|belong together"):
        assemble(asked("price", checks=[CHECK]), built=BUILT, found=found)


def test_a_priced_plan_needs_a_number_for_everything() -> None:
    point = POINT.model_copy(update={"values": [1.0]})
    with pytest.raises(ValueError, match="do not belong together"):
        assemble(asked("price"), built=BUILT, found=Found(findings=Findings(priced=PRICED), point=point))
