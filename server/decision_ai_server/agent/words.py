"""What the assistant says about what happened; figures come from the messages they are about."""

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
from decision_ai.modeling.data import differences, parse_json
from decision_ai.modeling.wording import failure_sentence
from decision_ai_server.agent.history import FAILED
from decision_ai_server.agent.ports import VersionTree


def change_line(change: ModelChanges) -> str:
    """One change in a few words, such as "added constraint at_most_4"."""
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
        case OptInputDataDiff():
            return f"changed the data: {_data_words(change)}"
        case _:
            return f"{verb} the input-data classes"


def summary(changes: Sequence[ModelChanges]) -> str:
    """All changes of a set in one line."""
    return "; ".join(change_line(change) for change in changes)


def incompatible_words(tree: VersionTree) -> str | None:
    """Which parts of the present version do not fit its data, as far as its parent did not say so already."""
    head, *earlier = tree.line()
    known = {(part.kind, part.id) for part in earlier[0].incompatible} if earlier else set()
    fresh = [part for part in head.incompatible if (part.kind, part.id) not in known]
    if not fresh:
        return None
    lines = [f"- {part.kind} {part.id}: {part.reason}" for part in fresh]
    number = tree.number(head.id)
    title = f"In version {number}, these parts do not fit the data and are left out until they do"
    return "\n".join([f"{title}:", *lines])


def _data_words(diff: OptInputDataDiff) -> str:
    if diff.removed is None or diff.added is None:
        return "all of it"
    found = differences(parse_json(diff.removed.json_data), parse_json(diff.added.json_data))
    words = [f"{item.path} {item.before} → {item.after}" for item in found[:5]]
    if len(found) > 5:
        words.append(f"and {len(found) - 5} more")
    return ", ".join(words) or "nothing"


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


def solve_words(answer: SolveResponse) -> str:
    """What a solve brought, as the output of the call that asked for it."""
    if answer.rejected:
        return f"The person refused the solve: {answer.rejection_message or 'no reason given'}"
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
