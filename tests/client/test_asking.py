import io
import sys
from typing import Any

import pytest

from decision_ai.client.approval import Approve, Card, Preview, Proposal, Reject
from decision_ai.client.asking import ask_in_terminal, change_lines, default_approver, proposal_text
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ModelChanges,
    ObjectiveDiff,
    ObjectiveSnapshot,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    OptInputDataSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.outcome import Outcome, OutcomeKind


async def no_preview() -> None:
    return None


def proposal(*changes: ModelChanges, preview: Preview | None = None, **card: Any) -> Proposal:
    return Proposal(
        changes=changes,
        validation=ValidationSucceeded(),
        card=Card(**card),
        tool_origin=ToolData(name="propose_changes", args={}),
        preview=no_preview,
        preview_result=preview,
    )


def constraint(code: str) -> ConstraintSnapshot:
    return ConstraintSnapshot(constraint_id="few", code=code, math_formulation="", description="")


NEW = ConstraintDiff(added=constraint("def few():\n    return 4"))


def asked(*answers: str) -> Any:
    given = list(answers)

    def read(question: str) -> str:
        if not given:
            raise EOFError
        return given.pop(0)

    return ask_in_terminal(proposal(NEW), read, io.StringIO().write)


@pytest.mark.parametrize(
    ("answers", "decision"),
    [
        (["y"], Approve()),
        ([" YES "], Approve()),
        (["n", "five, not four"], Reject("five, not four")),
        (["", ""], Reject("the person said no, without a reason")),
        (["make it five"], Reject("make it five")),
        ([], Reject("the input ended before an answer")),
        (["no"], Reject("the input ended before an answer")),
    ],
)
def test_the_terminal_reads_yes_no_or_the_reason(answers: list[str], decision: Any) -> None:
    assert asked(*answers) == decision


def test_everything_a_person_must_know_is_shown() -> None:
    preview = Preview(
        before=Outcome(kind=OutcomeKind.OPTIMAL, objective=12),
        after=Outcome(kind=OutcomeKind.OPTIMAL, objective=10),
        sense="maximize",
    )
    text = proposal_text(
        proposal(
            NEW,
            preview=preview,
            reading="few: at most 4",
            unused_words=("please",),
            warnings=("w",),
            doubt="d",
        )
    )
    for piece in (
        "few: at most 4",
        "please",
        "Warning: w",
        "Doubt: d",
        "+     return 4",
        "objective 12",
        "objective 10",
    ):
        assert piece in text


def test_nothing_can_hide_what_is_approved() -> None:
    text = proposal_text(proposal(ConstraintDiff(added=constraint("a\x1b[2K\u202eb\rc")), reading="x\x07"))
    assert "a\\u001b[2K\\u202eb" in text
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}


def snapshot(number: int) -> OptInputDataSnapshot:
    return OptInputDataSnapshot(opt_input_data_id=f"d{number}", json_data=f'{{"limit": {number}, "same": 1}}')


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (NEW, ["New constraint few", "+ def few():", "+     return 4"]),
        (
            ConstraintDiff(removed=constraint("a\nb"), added=constraint("a\nc")),
            ["Changed constraint few", "  a", "- b", "+ c"],
        ),
        (ConstraintDiff(removed=constraint("a")), ["Removed constraint few", "- a"]),
        (
            ObjectiveDiff(added=ObjectiveSnapshot(code="o", math_formulation="", description="")),
            ["New objective", "+ o"],
        ),
        (
            VariableDiff(
                added=VariableSnapshot(variable_id="x", code="x: Var", math_formulation="", description="")
            ),
            ["New variable x", "+ x: Var"],
        ),
        (OptInputDataDiff(removed=snapshot(4), added=snapshot(5)), ["Input data", "  limit: 4 → 5"]),
        (
            OptInputDataSchemaDiff(added=OptInputDataSchemaSnapshot(input_data_classes=["class A: ..."])),
            ["New input data schema", "+ class A: ..."],
        ),
    ],
)
def test_every_kind_of_change_has_lines(change: ModelChanges, lines: list[str]) -> None:
    assert change_lines(change) == lines


def test_many_differences_are_cut_with_their_number() -> None:
    many = OptInputDataSnapshot(opt_input_data_id="d", json_data=str(list(range(50))))
    none = OptInputDataSnapshot(opt_input_data_id="d", json_data="[]")
    lines = change_lines(OptInputDataDiff(removed=none, added=many))
    assert len(lines) == 22
    assert lines[-1] == "  … and 30 more"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_who_is_asked_depends_on_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert default_approver() is ask_in_terminal
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    decision = default_approver()(proposal(NEW))
    assert isinstance(decision, Reject)
    assert "approve=" in decision.reason
