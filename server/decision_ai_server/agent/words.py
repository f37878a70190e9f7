"""What the assistant says about what happened; figures come from the messages they are about."""

import re
from collections.abc import Sequence

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    VariableDiff,
)
from decision_ai.client.schemas.chat_messages.protocol import SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    Validation,
    ValidationSucceeded,
)
from decision_ai.modeling.comparing import DataChange, ValueDifference, value_differences
from decision_ai.modeling.program import Program
from decision_ai.modeling.wording import failure_sentence
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai_server.agent.history import FAILED
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.ports import VersionTree

_MOST_VALUES, _MOST_SAID = 20, 5
"""Values of other data that are kept with a change, and that a summary names."""
_MOST_CHARACTERS = 200
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?"
_OUTCOME_LINE = re.compile(
    rf"(?P<outcome>{'|'.join(OutcomeKind)})"
    rf"(?:: objective (?P<objective>{_NUMBER})"
    rf"(?:, bound (?P<bound>{_NUMBER}))?(?:, gap (?P<gap>{_NUMBER})%)?)?"
    rf"(?:[:,] .*)?"
)
"""The line that our client writes first of what a solve brought."""


def in_brief(change: ModelChanges) -> ModelChanges | DataChange:
    """A change as it is kept and listed: other data go by their ids, since they are stored themselves."""
    if not isinstance(change, OptInputDataDiff):
        return change
    old, new = change.removed, change.added
    found = value_differences(old.json_data, new.json_data) if old and new else []
    values = [
        ValueDifference(path=one.path, before=_cut(one.before), after=_cut(one.after))
        for one in found[:_MOST_VALUES]
    ]
    return DataChange(
        before=old.opt_input_data_id if old else None,
        after=new.opt_input_data_id if new else None,
        values=tuple(values),
        count=len(found),
    )


def change_line(change: ModelChanges | DataChange) -> str:
    """One change in a few words, such as "added constraint at_most_4"."""
    if isinstance(change, OptInputDataDiff):
        change = in_brief(change)
    if isinstance(change, DataChange):
        return f"changed the data: {_data_words(change)}"
    verb = "removed" if change.added is None else "added" if change.removed is None else "changed"
    match change:
        case ConstraintDiff():
            snapshot = change.added or change.removed
            return f"{verb} constraint {snapshot.constraint_id}" if snapshot else "no change"
        case VariableDiff():
            family = change.added or change.removed
            return f"{verb} variable family {family.variable_id}" if family else "no change"
        case ObjectiveDiff():
            return f"{verb} the objective"
        case _:
            return f"{verb} the input-data classes"


def summary(changes: Sequence[ModelChanges | DataChange]) -> str:
    """All changes of a set in one line."""
    return "; ".join(change_line(change) for change in changes)


def incompatible_words(tree: VersionTree) -> str | None:
    """Which parts of the present version fit its data no longer, or again, where its parent was otherwise."""
    head, *earlier = tree.line()
    before = earlier[0].incompatible if earlier else ()
    known, marked = ({(part.kind, part.id) for part in parts} for parts in (before, head.incompatible))
    fresh = [part for part in head.incompatible if (part.kind, part.id) not in known]
    lines = []
    if fresh:
        lines.append("these parts do not fit the data and are left out until they do:")
        lines += [f"- {part.kind} {part.id}: {part.reason}" for part in fresh]
    again = [
        part
        for part in before
        if (part.kind, part.id) not in marked and part.id in _switched_on(head.program)
    ]
    if again:
        names = ", ".join(f"{part.kind} {part.id}" for part in again)
        lines.append(f"{'these parts fit' if len(again) > 1 else 'this part fits'} the data again: {names}.")
    return f"In version {tree.number(head.id)}, " + "\n".join(lines) if lines else None


def _switched_on(program: Program) -> set[str]:
    """Ids of the parts of a program that count."""
    rules = {part.id for part in program.constraints.values() if part.enabled}
    families = {part.id for part in program.variables.values() if part.enabled}
    return rules | families | ({program.objective.id} if program.objective else set())


def _data_words(change: DataChange) -> str:
    if change.before is None or change.after is None:
        return "all of it"
    words = [_value_words(one) for one in change.values[:_MOST_SAID]]
    if change.count > _MOST_SAID:
        words.append(f"and {change.count - _MOST_SAID} more")
    return ", ".join(words) or "nothing"


def _value_words(one: ValueDifference) -> str:
    if one.before is None:
        return f"added {one.path} {one.after}"
    return f"removed {one.path}" if one.after is None else f"{one.path} {one.before} → {one.after}"


def _cut(text: str | None) -> str | None:
    too_long = text is not None and len(text) > _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]}…" if text is not None and too_long else text


def validation_words(validation: Validation) -> str:
    """Why a check failed, in one or two sentences."""
    match validation:
        case ValidationSucceeded():
            return "the check passed"
        case FormulationValidationFailed(error=FormulationErrorReport() as report):
            where = f" (line {report.line}: {report.source_line})" if report.source_line else ""
            hint = f" {report.hint}" if report.hint else ""
            subject = f"{report.component} {report.component_id}" if report.component_id else report.component
            return f"{subject}: {report.message}{where}{hint}"
    return failure_sentence(validation)


def broken_words(parts: Sequence[IncompatiblePart]) -> str:
    """Which parts a change leaves without what they need; empty where none."""
    if not parts:
        return ""
    lines = [f"- {part.kind} {part.id}: {part.reason}" for part in parts]
    title = "\nWith this change, these parts do not fit the data; change or remove them in the same set:"
    return "\n".join([title, *lines])


def refused_solve_words(answer: SolveResponse) -> str:
    """That the person does not want a solve."""
    return f"The person refused the solve: {answer.rejection_message or 'no reason given'}"


def solve_words(answer: SolveResponse, left_out: Sequence[IncompatiblePart] = ()) -> str:
    """What a solve brought, and what it left out, as the output of the call that asked for it."""
    names = ", ".join(f"{part.kind} {part.id}" for part in left_out)
    note = f"\nLeft out, because the data do not fit: {names}." if names else ""
    return f"{_solve_words(answer)}{note}"


def solve_figures(answer: SolveResponse) -> dict[str, Figure]:
    """Outcome, objective, bound and gap of a solve, as far as the client told them in our own words.

    The gap is a share: 0.004 where the line says 0.4%, which is there as `gap_percent`. A client that writes
    something else gives no figures.
    """
    match answer.solving:
        case SolveSucceeded(solution_status=status, solution_str=text):
            figures = figures_of_plan(text)
            return figures if figures.get("outcome") == status else {}
        case SolveFailed(status=status, error=text):
            ended = _OUTCOME_LINE.fullmatch((text or status).partition("\n")[0])
            is_ours = ended is not None and not OutcomeKind(ended["outcome"]).has_plan
            return {"outcome": ended["outcome"]} if ended is not None and is_ours else {}
    return {}


def figures_of_plan(text: str) -> dict[str, Figure]:
    """The figures in the first line of a plan's text, if our client wrote it; see `solve_figures`."""
    told = _OUTCOME_LINE.fullmatch(text.partition("\n")[0])
    if told is None or told["objective"] is None or not OutcomeKind(told["outcome"]).has_plan:
        return {}
    bound, gap = ((None if told[name] is None else float(told[name])) for name in ("bound", "gap"))
    return outcome_figures(
        Outcome(
            kind=OutcomeKind(told["outcome"]),
            objective=float(told["objective"]),
            bound=bound,
            gap=None if gap is None else gap / 100,
        )
    )


def outcome_figures(outcome: Outcome) -> dict[str, Figure]:
    """Outcome, objective, bound and gap of a solve, as far as there are such."""
    figures: dict[str, Figure] = {"outcome": outcome.kind.value}
    for name, value in (("objective", outcome.objective), ("bound", outcome.bound), ("gap", outcome.gap)):
        if value is not None:
            figures[name] = value
    return figures if outcome.gap is None else figures | {"gap_percent": outcome.gap * 100}


def _solve_words(answer: SolveResponse) -> str:
    if not isinstance(answer.validation, ValidationSucceeded):
        return f"{FAILED}the model does not build; {validation_words(answer.validation)}"
    match answer.solving:
        case SolveSucceeded(solution_str=text):
            return text
        case SolveFailed(status="infeasible", error=None | "infeasible"):
            return "infeasible: no plan satisfies all constraints at once."
        case SolveFailed(status="infeasible", error=error):
            return f"infeasible: no plan satisfies all constraints at once. {error}"
        case SolveFailed(error=error):
            return f"No plan. {error or 'The solve failed without saying why.'}"
    return f"{FAILED}the client sent no result"
