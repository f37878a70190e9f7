import io
from dataclasses import replace

import pytest

from decision_ai.client.approval import ApprovalDecision, Approve, Card, Preview, Proposal, Reject
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ModelChanges,
    ObjectiveDiff,
    ObjectiveSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.findings import CheckResult
from decision_ai.terminal.asking import (
    INPUT_ENDED,
    approve,
    ask_decision,
    proposal_text,
    show_proposal,
    with_code,
)
from decision_ai.terminal.screen import Screen

RULE = ConstraintSnapshot(
    constraint_id="limit",
    code="def limit(self, data, v):\n    return v.x <= 4\n",
    math_formulation="x \\le 4",
    description="At most 4.",
)


def proposal(*changes: ModelChanges, **card: object) -> Proposal:
    async def preview() -> Preview | None:
        return None

    return Proposal(
        changes=changes or (ConstraintDiff(added=RULE),),
        validation=ValidationSucceeded(),
        card=Card(**card),  # type: ignore[arg-type]
        tool_origin=ToolData(name="propose_changes", args={}),
        preview=preview,
    )


def decided(typed: str) -> tuple[ApprovalDecision, str]:
    out = io.StringIO()
    return ask_decision(Screen(out, io.StringIO(typed)), proposal()), out.getvalue()


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("y\n", Approve()),
        ("  YES \n", Approve()),
        ("\n\ny\n", Approve()),
        ("n\ntoo strict\n", Reject("too strict")),
        ("n\n\n", Reject("")),
        ("no\n", Reject("")),
        ("n because it is too strict\n", Reject("because it is too strict")),
        ("n: too strict\n", Reject("too strict")),
        ("no more than 3, please\n", Reject("no more than 3, please")),
        ("not that one\n", Reject("not that one")),
        ("yes, but only 3\n", Reject("yes, but only 3")),
        ("make it 5\n", Reject("make it 5")),
        ("", Reject(INPUT_ENDED)),
        ("e\ny\n", Approve()),
    ],
)
def test_only_a_clear_yes_approves(typed: str, decision: ApprovalDecision) -> None:
    assert decided(typed)[0] == decision


def test_the_approver_of_a_terminal_shows_the_effect_and_asks() -> None:
    out = io.StringIO()
    assert approve(proposal(), Screen(out, io.StringIO("y\n"))) == Approve()
    assert "New constraint limit" in out.getvalue()
    assert "effect    not known" in out.getvalue()


def test_a_broken_check_is_shown_under_the_effect() -> None:
    broken = CheckResult(name="few", sentence="at most 3 nights", holds=False, message="Ana has 4")
    preview = Preview(before=None, after=None, sense="minimize", checks=(broken,))
    text = proposal_text(replace(proposal(), preview_result=preview))
    assert text.endswith("\n  breaks    your check 'at most 3 nights': Ana has 4")


def test_nothing_can_hide_what_is_approved() -> None:
    rule = RULE.model_copy(update={"code": "a\x1b[2K\u202eb"})
    text = proposal_text(proposal(ConstraintDiff(added=rule), reading="x\x07"))
    assert "a\\x1b[2K\\u202eb" in text
    assert set(text) - {"\n"} == {character for character in text if character.isprintable()}


def test_a_pipe_is_not_offered_an_editor() -> None:
    assert decided("y\n")[1] == "Approve? [y]es / [n]o: y\n"
    assert "Nothing was edited" in decided("e\ny\n")[1]


def test_the_card_shows_reading_doubts_and_every_change() -> None:
    out = io.StringIO()
    asked = proposal(
        ConstraintDiff(added=RULE),
        ObjectiveDiff(removed=ObjectiveSnapshot(code="def cost(): ...", math_formulation="", description="")),
        reading="At most 4 of x.",
        unused_words=("please", "[red]"),
        warnings=("x has no upper bound",),
        doubt="4 may be a weight",
    )
    show_proposal(Screen(out, io.StringIO()), asked)
    text = out.getvalue()
    for part in (
        "Proposed changes",
        "read as",
        "At most 4 of x.",
        "please, [red]",
        "x has no upper bound",
        "4 may be a weight",
        "New constraint limit",
        "x \\le 4",
        "    +     return v.x <= 4",
        "Removed objective",
        "    - def cost(): ...",
    ):
        assert part in text


def test_an_edit_of_a_new_part_takes_its_new_name() -> None:
    code = "@constraint('x <= 3')\ndef at_most_3(self, data, v):\n    return v.x <= 3\n"
    edited = with_code(ConstraintDiff(added=RULE), code)
    assert isinstance(edited, ConstraintDiff)
    assert edited.added is not None
    assert (edited.added.constraint_id, edited.added.code) == ("at_most_3", code)


def test_an_edit_of_a_present_part_keeps_its_name() -> None:
    edited = with_code(ConstraintDiff(removed=RULE, added=RULE), "def other(self, data, v): return v.x <= 3")
    assert isinstance(edited, ConstraintDiff)
    assert edited.added is not None
    assert edited.added.constraint_id == "limit"


def test_a_family_and_an_objective_can_be_edited() -> None:
    family = VariableSnapshot(variable_id="x", code="x: Var = binary()", math_formulation="", description="")
    edited = with_code(VariableDiff(added=family), 'y: Var = integer()\n"""Trucks."""\n')
    assert isinstance(edited, VariableDiff)
    assert edited.added is not None
    assert edited.added.variable_id == "y"
    goal = ObjectiveSnapshot(code="", math_formulation="", description="")
    changed = with_code(ObjectiveDiff(added=goal), "def cost(self, data, v): return v.x")
    assert isinstance(changed, ObjectiveDiff)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def limit(self:\n", "line 1"),
        ("x = 1\n", "one part of the same kind"),
        ("", "one part of the same kind"),
        ("def a(self): ...\ndef b(self): ...\n", "one part of the same kind"),
        ("x\0", "null"),
    ],
)
def test_code_that_is_not_one_part_is_refused(code: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        with_code(ConstraintDiff(added=RULE), code)
