"""Builds the one kind of error this package raises about a model file: a `ProgramError` with its report."""

from collections.abc import Iterable
from typing import Literal

from rapidfuzz import process

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.errors import ProgramError

Component = Literal["program", "input_data", "variable", "constraint", "objective", "solution_to_str"]


def refusal(
    error_type: str,
    message: str,
    *,
    component: Component = "program",
    component_id: str | None = None,
    line: int | None = None,
    source_line: str | None = None,
    hint: str | None = None,
) -> ProgramError:
    """A `ProgramError` to raise; `message` is one sentence: what, where, what to do."""
    return ProgramError(
        FormulationErrorReport(
            component=component,
            component_id=component_id,
            error_type=error_type,
            message=message,
            line=line,
            source_line=source_line,
            hint=hint,
        )
    )


def unknown(
    component: Component, component_id: str, known: Iterable[str], *, noun: str | None = None
) -> ProgramError:
    """The refusal of an id that does not exist, with the nearest one that does as a hint.

    Args:
        component: what was looked for.
        component_id: its id.
        known: the ids there are.
        noun: what to call it, where it may be one of several kinds.
    """
    names = list(known)
    nearest = process.extractOne(component_id, names, score_cutoff=60)
    there_are = ", ".join(names) if names else "none"
    return refusal(
        "unknown_id",
        f"there is no {noun or component.replace('_', ' ')} {component_id!r}; there are: {there_are}",
        component=component,
        component_id=component_id,
        hint=None if nearest is None else f"did you mean {nearest[0]!r}?",
    )
