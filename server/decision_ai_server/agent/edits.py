"""What a modeller proposes: small typed edits, from which the diffs of the wire are made.

Edits are compact on purpose: a modeller names what changes, and the whole "before" (and for data the whole
JSON) is filled in here from the version at hand, so that no modeller can misquote it.
"""

import copy
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    OptInputDataSnapshot,
    VariableDiff,
)
from decision_ai.client.schemas.components import Priority
from decision_ai.errors import DataError
from decision_ai.modeling.data import canonical_json, data_id, parse_json
from decision_ai.modeling.migration import Migration
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code
from decision_ai_server.agent.rule_edits import (
    ExtendObjective,
    ModelEdit,
    SetRule,
    extended_objective_code,
    rule_code,
)
from decision_ai_server.agent.spelling import labels, spelled


class SetConstraint(ModelEdit):
    """Add a constraint, or change the one of the same name."""

    op: Literal["set_constraint"] = "set_constraint"
    code: str
    """One method with its decorator `@constraint(r"...")` and a docstring: `def name(self, data, v): ...`."""


class RemoveConstraint(ModelEdit):
    """Delete a constraint."""

    op: Literal["remove_constraint"] = "remove_constraint"
    id: str


class Switch(ModelEdit):
    """Switch a constraint or a variable family on or off."""

    op: Literal["switch"] = "switch"
    id: str
    enabled: bool


class SetPriority(ModelEdit):
    """Make a constraint hard, or soft with level A, B or C."""

    op: Literal["set_priority"] = "set_priority"
    id: str
    priority: Priority


class SetObjective(ModelEdit):
    """Replace the objective."""

    op: Literal["set_objective"] = "set_objective"
    code: str
    """One method with its decorator `@objective("minimize" | "maximize", r"...")` and a docstring."""


class SetVariable(ModelEdit):
    """Add a variable family, or change the one of the same name."""

    op: Literal["set_variable"] = "set_variable"
    code: str
    """One annotated assignment, such as `late: dict[str, Var] = binary(over=lambda data: data.jobs)`."""


class RemoveVariable(ModelEdit):
    """Delete a variable family."""

    op: Literal["remove_variable"] = "remove_variable"
    id: str


class DataChange(ModelEdit):
    """One value of the input data set, added or removed."""

    path: list[str | int] = Field(min_length=1)
    """Keys and list positions from the top, such as ["bands", "North Wind", "fee"]; "-" appends to a list."""
    remove: bool = False
    value: JsonValue = None
    """The new value; ignored when `remove` is true."""


class ChangeData(ModelEdit):
    """Change values of the input data."""

    op: Literal["change_data"] = "change_data"
    changes: list[DataChange] = Field(min_length=1)


class SetDataClasses(ModelEdit):
    """Replace the input-data classes; the stored data follow.

    Give a new field a default that is written out, or its values in a `change_data` edit of the same call.
    """

    op: Literal["set_data_classes"] = "set_data_classes"
    classes: list[str] = Field(min_length=1)
    """Source of every input-data class, in order; the main class last."""


Edit = Annotated[
    SetRule
    | SetConstraint
    | RemoveConstraint
    | Switch
    | SetPriority
    | SetObjective
    | ExtendObjective
    | SetVariable
    | RemoveVariable
    | ChangeData
    | SetDataClasses,
    Field(discriminator="op"),
]

_MOST_NAMED = 12
# Schema, data, variables, constraints, objective: each part may use the ones before it.
_ORDER = {
    "set_data_classes": 0,
    "change_data": 1,
    "set_variable": 2,
    "set_rule": 3,
    "set_constraint": 3,
    "remove_constraint": 3,
    "switch": 3,
    "set_priority": 3,
    "set_objective": 4,
    "extend_objective": 4,
    "remove_variable": 5,
}


def to_changes(edits: list[Edit], program: Program, json_data: str) -> list[ModelChanges]:
    """Turn edits into the diffs of one change set, in the order in which they are asked.

    Where the input-data classes change, the stored data are brought to the new ones: what that does to them
    and the edits of the data are one diff.

    Raises:
        ProgramError: if an edit does not fit the program, or a new field has neither default nor data.
        DataError: if a path does not exist in the data.
    """
    before = program
    changes: list[ModelChanges] = []
    ordered = sorted(edits, key=lambda edit: _ORDER[edit.op])
    for edit in ordered:
        if isinstance(edit, SetDataClasses):
            changes.append(_diff(edit, program))
            program = program.apply(changes[-1])
    data_edits = [change for edit in edits if isinstance(edit, ChangeData) for change in edit.changes]
    if changes or data_edits:
        changes += _data_diffs(json_data, data_edits, before, program)
    for edit in ordered:
        if not isinstance(edit, SetDataClasses | ChangeData):
            changes.append(_diff(_with_code(edit, program, json_data), program))
            program = program.apply(changes[-1])
    return changes


def _with_code(edit: Edit, program: Program, json_data: str) -> Edit:
    """The edit with the source of what it says in expressions."""
    match edit:
        case SetRule():
            return SetConstraint(code=rule_code(edit, program, _labels(json_data)))
        case ExtendObjective():
            return SetObjective(code=extended_objective_code(edit, program, _labels(json_data)))
        case _:
            return edit


def _labels(json_data: str) -> frozenset[str]:
    return frozenset(labels(parse_json(json_data)))


def _diff(edit: Edit, program: Program) -> ModelChanges:
    match edit:
        case SetConstraint() | SetVariable() | SetObjective():
            return _setting(edit, program)
        case RemoveConstraint(id=id):
            return ConstraintDiff(removed=program.snapshot("constraint", id))
        case RemoveVariable(id=id):
            return VariableDiff(removed=program.snapshot("variable", id))
        case Switch(id=id, enabled=enabled):
            return program.switch(id, enabled=enabled)
        case SetPriority(id=id, priority=priority):
            return program.prioritise(id, priority)
        case SetDataClasses(classes=classes):
            after = OptInputDataSchemaSnapshot(input_data_classes=classes)
            return OptInputDataSchemaDiff(removed=program.data_schema_snapshot(), added=after)
        case _:
            raise AssertionError(edit)


def _setting(edit: SetConstraint | SetVariable | SetObjective, program: Program) -> ModelChanges:
    """The diff that adds a part, or changes the one of the same name."""
    match edit:
        case SetConstraint(code=code):
            constraint = read_constraint_code(code)
            known = constraint.constraint_id in program.constraints
            before = program.snapshot("constraint", constraint.constraint_id) if known else None
            return ConstraintDiff(removed=before, added=constraint)
        case SetVariable(code=code):
            family = read_variable_code(code)
            present = family.variable_id in program.variables
            old = program.snapshot("variable", family.variable_id) if present else None
            return VariableDiff(removed=old, added=family)
        case SetObjective(code=code):
            return ObjectiveDiff(removed=program.objective_snapshot(), added=read_objective_code(code))


def _data_diffs(
    json_data: str, edits: list[DataChange], before: Program, after: Program
) -> list[ModelChanges]:
    """The diff that moves the data to the classes of `after` and changes values; none if nothing differs."""
    old = parse_json(json_data)
    if before is after:
        new = _edited(old, edits)
    else:
        migration = Migration(before, after)
        # Once more after the edits: they may bring what new fields need, and objects that need more.
        new = migration.moved(_edited(migration.moved(old), edits))
        migration.check()
    if not edits and new == old:
        return []
    return [OptInputDataDiff(removed=_data_snapshot(old), added=_data_snapshot(new))]


def _data_snapshot(data: Any) -> OptInputDataSnapshot:
    text = canonical_json(data)
    return OptInputDataSnapshot(opt_input_data_id=data_id(text), json_data=text)


def _edited(data: Any, edits: list[DataChange]) -> Any:
    data = copy.deepcopy(data)
    for edit in edits:
        _change(data, edit)
    return data


def _change(data: Any, edit: DataChange) -> None:
    place = value_at(data, edit.path[:-1])
    key = _spelled(edit.path[-1], place)
    if isinstance(place, list) and key == "-" and not edit.remove:
        place.append(edit.value)
    elif edit.remove:
        _step(place, key, edit.path)
        del place[key]
    elif isinstance(place, dict):
        place[str(key)] = edit.value
    else:
        _step(place, key, edit.path)
        place[key] = edit.value


def _step(place: Any, key: str | int, path: Sequence[str | int]) -> Any:
    try:
        return place[_spelled(key, place)]
    except (KeyError, IndexError, TypeError) as error:
        raise DataError(nothing_there(place, path)) from error


def _spelled(key: str | int, place: Any) -> str | int:
    return spelled(key, place) if isinstance(place, dict) else key


def value_at(data: Any, path: Sequence[str | int]) -> Any:
    """What the input data hold at a path of keys and list positions.

    Raises:
        DataError: if there is nothing.
    """
    for depth, key in enumerate(path):
        data = _step(data, key, path[: depth + 1])
    return data


def nothing_there(place: Any, path: Sequence[str | int]) -> str:
    """That the input data end before the last key of a path, and what there is instead.

    Args:
        place: the part of the data that has no such key.
        path: the keys up to that one.
    """
    *above, key = map(str, path)
    where = f"in {'.'.join(above)!r} " if above else ""
    if isinstance(place, list):
        there = f"a list of {len(place)}, counted from 0"
    elif isinstance(place, dict):
        near = get_close_matches(key, place, n=_MOST_NAMED, cutoff=0.5) or list(place)[:_MOST_NAMED]
        more = "" if len(near) == len(place) else f", and {len(place) - len(near)} more"
        there = f"{', '.join(map(repr, near)) or 'nothing'}{more}"
    else:
        there = "a single value"
    return f"the input data have no {'.'.join([*above, key])!r}; {where}there is {there}"
