"""Asking the person about a proposal in a terminal: yes, no and why, or an edit of the code."""

import ast
import io
import re

import click

from decision_ai.client.approval import ApprovalDecision, Approve, Preview, Proposal, Reject
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    VariableDiff,
)
from decision_ai.modeling.syntax import parse_module
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import (
    card_facts,
    change_diff,
    change_notes,
    change_title,
    check_facts,
    fact_text,
    preview_sentence,
)

INPUT_ENDED = "the input ended before an answer"
_NO_WITH_REASON = re.compile(r"n[\s,:;]+(?P<reason>.*)", re.IGNORECASE | re.DOTALL)


def approve(proposal: Proposal, screen: Screen | None = None) -> ApprovalDecision:
    """Show a proposal with its effect and ask; what `connect()` does in a terminal without `approve=`."""
    screen = screen or Screen()
    show_proposal(screen, proposal)
    show_effect(screen, proposal.preview_result)
    screen.say()
    return ask_decision(screen, proposal)


def proposal_text(proposal: Proposal) -> str:
    """A proposal with its effect as lines of plain text."""
    written = io.StringIO()
    screen = Screen(written, io.StringIO())
    show_proposal(screen, proposal)
    show_effect(screen, proposal.preview_result)
    return written.getvalue().strip("\n")


def show_proposal(screen: Screen, proposal: Proposal) -> None:
    """Write a proposal: how the sentence was understood, and every change."""
    card = proposal.card
    screen.say()
    screen.say("Proposed change" if len(proposal.changes) == 1 else "Proposed changes", "bold cyan")
    if card.reading:
        screen.fact("read as", card.reading)
    for fact in card_facts(card):
        screen.fact(fact.name, fact_text(fact), "yellow")
    for change in proposal.changes:
        _show_change(screen, change, proposal)
    screen.say()


def show_effect(screen: Screen, preview: Preview | None) -> None:
    """Write the effect on the plan, and how the plan does on the checks the person keeps."""
    screen.fact("effect", preview_sentence(preview))
    for fact in check_facts(preview):
        screen.fact(fact.name, fact_text(fact), "bold red" if fact.caution else "dim")


def ask_decision(screen: Screen, proposal: Proposal) -> ApprovalDecision:
    """Read lines until they are an answer; any words that are not one of the choices say no."""
    editable = screen.interactive and _code(proposal.change) is not None
    prompt = f"Approve? [y]es / [n]o{' / [e]dit' if editable else ''}: "
    while True:
        line = screen.ask(prompt)
        if line is None:
            return Reject(INPUT_ENDED)
        answer = line.strip()
        match answer.lower():
            case "":
                continue
            case "y" | "yes":
                return Approve()
            case "n" | "no":
                return Reject((screen.ask("Why not? (Enter for no reason): ") or "").strip())
            case "e" | "edit":
                edited = _edited(screen, proposal.change) if editable else None
                if edited is None:
                    screen.say("Nothing was edited; answer yes or no, or say what is wrong.", "yellow")
                else:
                    return Approve(changes=edited)
            case _:
                reasoned = _NO_WITH_REASON.fullmatch(answer)
                return Reject(reasoned["reason"] if reasoned else answer)


def with_code(change: ModelChanges, code: str) -> ModelChanges:
    """The diff with other code for what it adds; a new part takes the name the code gives it.

    Raises:
        ValueError: if the code is not one part of a model; the text says what is wrong.
    """
    try:
        body = parse_module(code).body
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"line {line}: " if line else ""
        raise ValueError(f"{where}{getattr(error, 'msg', error)}") from None
    match change, body:
        case ConstraintDiff(added=added), [ast.FunctionDef(name=name)] if added is not None:
            renamed = {"constraint_id": name} if change.removed is None else {}
            return change.model_copy(update={"added": added.model_copy(update={"code": code, **renamed})})
        case ObjectiveDiff(added=added), [ast.FunctionDef()] if added is not None:
            return change.model_copy(update={"added": added.model_copy(update={"code": code})})
        case VariableDiff(added=added), [ast.AnnAssign(target=ast.Name(id=name)), *_] if added is not None:
            renamed = {"variable_id": name} if change.removed is None else {}
            return change.model_copy(update={"added": added.model_copy(update={"code": code, **renamed})})
    raise ValueError("the code must stay one part of the same kind: one method, or one variable family")


def _show_change(screen: Screen, change: ModelChanges, proposal: Proposal) -> None:
    description, formula = change_notes(change)
    screen.say()
    screen.say(change_title(change), "bold", indent=2)
    if description and description != proposal.card.reading:
        screen.say(description, indent=4)
    if formula:
        screen.say(formula, "dim", indent=4)
    screen.diff(change_diff(change, proposal.units))


def _code(change: ModelChanges) -> str | None:
    """The code the person may edit; None where the change adds none."""
    if isinstance(change, ConstraintDiff | ObjectiveDiff | VariableDiff) and change.added is not None:
        return change.added.code
    return None


def _edited(screen: Screen, change: ModelChanges) -> ModelChanges | None:
    try:
        code = click.edit(_code(change) or "", extension=".py", require_save=True)
    except Exception as error:  # whatever keeps the editor from starting: there is still yes and no
        screen.say(f"The editor did not open: {error}", "red")
        return None
    if code is None or code.strip() == (_code(change) or "").strip():
        return None
    try:
        return with_code(change, code)
    except ValueError as error:
        screen.say(f"This cannot be used: {error}", "red")
        return None
