"""Asking the person without `approve=`: a card in a notebook, lines in a terminal, else a refusal."""

import difflib
import sys
from collections.abc import Callable
from importlib import import_module

from decision_ai.client.approval import ApprovalDecision, Approve, Approver, Preview, Proposal, Reject
from decision_ai.client.schemas.chat_messages.changes import (
    ModelChanges,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
)
from decision_ai.client.solution import outcome_line
from decision_ai.modeling.data import differences, parse_json

_SHOWN_DIFFERENCES = 20
_CONTROLS = [*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029]
_SPELLED_OUT = {code: f"\\u{code:04x}" for code in _CONTROLS if chr(code) not in "\n\t"}
"""What would move the cursor or turn text around, so that a person would not see what they approve."""


def default_approver() -> Approver:
    """The way of asking that fits where this process runs."""
    if _in_notebook():
        approve: Approver = import_module("decision_ai.notebook.card").approve
        return approve
    if sys.stdin is not None and sys.stdin.isatty():
        return ask_in_terminal
    return _nobody_to_ask


def ask_in_terminal(
    proposal: Proposal, read: Callable[[str], str] = input, write: Callable[[str], object] | None = None
) -> ApprovalDecision:
    """Show a proposal as plain text and read yes, no, or a reason against it."""
    (write or sys.stdout.write)(f"\n{proposal_text(proposal)}\n")
    try:
        answer = read("Apply this change? [y]es, [n]o, or what is wrong with it: ").strip()
        if answer.lower() in {"y", "yes"}:
            return Approve()
        if answer.lower() in {"n", "no", ""}:
            answer = read("Why not? (Enter for no reason): ").strip()
    except EOFError:
        answer = "the input ended before an answer"
    return Reject(answer or "the person said no, without a reason")


def proposal_text(proposal: Proposal) -> str:
    """A proposal as lines of plain text: how it was understood, the diffs, the effect on the plan."""
    card = proposal.card
    lines = [f"Understood as: {card.reading}"] if card.reading else []
    if card.unused_words:
        lines.append(f"Not used: {', '.join(card.unused_words)}")
    lines += [f"Warning: {warning}" for warning in card.warnings]
    if card.doubt:
        lines.append(f"Doubt: {card.doubt}")
    for change in proposal.changes:
        lines += change_lines(change)
    lines += preview_lines(proposal.preview_result)
    return "\n".join(lines).translate(_SPELLED_OUT)


def change_lines(change: ModelChanges) -> list[str]:
    """One diff as lines that begin with `+` and `-`, after a line that says what it is about."""
    if isinstance(change, OptInputDataDiff):
        before, after = (
            None if side is None else parse_json(side.json_data) for side in (change.removed, change.added)
        )
        found = differences(before, after)
        rest = [f"  … and {len(found) - _SHOWN_DIFFERENCES} more"] if len(found) > _SHOWN_DIFFERENCES else []
        shown = [f"  {one.path}: {one.before!r} → {one.after!r}" for one in found[:_SHOWN_DIFFERENCES]]
        return ["Input data", *shown, *rest]
    old, new = _code(change, "removed"), _code(change, "added")
    return [_title(change), *(line for line in difflib.ndiff(old, new) if not line.startswith("?"))]


def preview_lines(preview: Preview | None) -> list[str]:
    """What the change does to the plan, as lines; none without a preview."""
    if preview is None:
        return []
    return [
        f"Plan {name}: {outcome_line(outcome) if outcome is not None else 'the model does not build in time'}"
        for name, outcome in (("now", preview.before), ("with the change", preview.after))
    ]


def _code(change: ModelChanges, side: str) -> list[str]:
    snapshot = getattr(change, side)
    if snapshot is None:
        return []
    if isinstance(change, OptInputDataSchemaDiff):
        return "\n\n".join(snapshot.input_data_classes).splitlines()
    return str(snapshot.code).splitlines()


def _title(change: ModelChanges) -> str:
    verb = "New" if change.removed is None else "Removed" if change.added is None else "Changed"
    snapshot = change.added or change.removed
    name = getattr(snapshot, "constraint_id", None) or getattr(snapshot, "variable_id", None)
    what = change.kind.removesuffix("_diff").replace("_", " ").removesuffix(" function")
    return f"{verb} {what} {name}" if name else f"{verb} {what}"


def _in_notebook() -> bool:
    if "ipykernel" not in sys.modules:
        return False
    shell = import_module("IPython").get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _nobody_to_ask(proposal: Proposal) -> ApprovalDecision:  # noqa: ARG001 - an approver takes a proposal
    return Reject(
        "nobody could be asked: this is neither a terminal nor a notebook. Pass approve= to connect(), such "
        "as approve=lambda proposal: Approve()"
    )
