"""What a change brings that a person should look at, found on this machine without asking anybody.

Only what is new is told: a model that mixed its units before does not say so on every card.
"""

from dataclasses import dataclass
from typing import Any

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    OptInputDataDiff,
    VariableDiff,
)
from decision_ai.errors import DecisionAIError, ProgramError
from decision_ai.modeling.data import differences, parse_json
from decision_ai.modeling.data_scale import scale_warnings
from decision_ai.modeling.data_units import units_at
from decision_ai.modeling.program import Program
from decision_ai.modeling.unit_inference import unit_warnings
from decision_ai.solving.findings import PartName

MOST_CHARACTERS = 2**24
"""Larger data are not looked through for numbers out of scale: nobody waits that long for a card."""


@dataclass(frozen=True)
class Runnable:
    """A program and the data it runs on."""

    code: str
    json_data: str


def new_warnings(before: Runnable | None, after: Runnable) -> list[str]:
    """Units that do not fit and numbers out of scale, those that the present version has already left out.

    Args:
        before: the present version; None if it is not known.
        after: the model with the change.
    """
    old_units = {} if before is None else _unit_sentences(before.code)
    units = _unit_sentences(after.code)
    return [
        *(sentence for key, sentence in units.items() if key not in old_units),
        *_new_scale_sentences(before, after),
    ]


def changed_parts(changes: tuple[ModelChanges, ...]) -> list[PartName]:
    """The parts that a change set adds or changes; the one objective needs no name."""
    parts = []
    for change in changes:
        if isinstance(change, ConstraintDiff) and change.added is not None:
            parts.append(PartName(kind="constraint", id=change.added.constraint_id))
        elif isinstance(change, VariableDiff) and change.added is not None:
            parts.append(PartName(kind="variable", id=change.added.variable_id))
    return parts


def changed_units(code: str, changes: tuple[ModelChanges, ...]) -> dict[str, str]:
    """Path → unit of the data values that a change set changes."""
    program = _program(code)
    diffs = [change for change in changes if isinstance(change, OptInputDataDiff)]
    if program is None or not diffs:
        return {}
    sides = [[_data(side.json_data) if side else {} for side in (diff.removed, diff.added)] for diff in diffs]
    return units_at(program, [item.path for before, after in sides for item in differences(before, after)])


def _unit_sentences(code: str) -> dict[tuple[PartName, str], str]:
    program = _program(code)
    found = [] if program is None else unit_warnings(program)
    return {(warning.part, warning.message): str(warning) for warning in found}


def _new_scale_sentences(before: Runnable | None, after: Runnable) -> list[str]:
    if before is not None and before.json_data == after.json_data:
        return []
    old = set() if before is None else set(_scale_sentences(before))
    return [sentence for sentence in _scale_sentences(after) if sentence not in old]


def _scale_sentences(runnable: Runnable) -> list[str]:
    if len(runnable.json_data) > MOST_CHARACTERS:
        return []
    program = _program(runnable.code)
    fields = [name for part in program.data_classes.values() for name in part.fields] if program else []
    return scale_warnings(_data(runnable.json_data), fields)


def _program(code: str) -> Program | None:
    try:
        return Program.parse(code)
    except ProgramError:
        return None  # the check says so


def _data(text: str) -> Any:
    try:
        return parse_json(text)
    except DecisionAIError:
        return {}
