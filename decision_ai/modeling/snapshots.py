"""Snapshots, as diffs quote them, of a part or of a piece of code on its way into a model."""

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintSnapshot,
    ObjectiveSnapshot,
    VariableSnapshot,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.editing import new_part
from decision_ai.modeling.parts import ConstraintPart, ObjectivePart, VariablePart
from decision_ai.modeling.refusals import Component, refusal


def constraint_snapshot(part: ConstraintPart) -> ConstraintSnapshot:
    """A constraint as diffs quote it."""
    return ConstraintSnapshot(
        constraint_id=part.id, code=part.code, math_formulation=part.math, description=part.description
    )


def variable_snapshot(part: VariablePart) -> VariableSnapshot:
    """A variable family as diffs quote it."""
    return VariableSnapshot(
        variable_id=part.id, code=part.code, math_formulation=part.math, description=part.description
    )


def objective_snapshot(part: ObjectivePart) -> ObjectiveSnapshot:
    """The objective as diffs quote it."""
    return ObjectiveSnapshot(code=part.code, math_formulation=part.math, description=part.description)


def read_constraint_code(code: str) -> ConstraintSnapshot:
    """The snapshot that a constraint's code makes: id, formula and description are read from it.

    Raises:
        ProgramError: if the code is not exactly one constraint.
    """
    part = new_part("constraint", code).part
    if not isinstance(part, ConstraintPart):
        raise _wrong("constraint")
    return constraint_snapshot(part)


def read_variable_code(code: str) -> VariableSnapshot:
    """The snapshot that a variable family's code makes.

    Raises:
        ProgramError: if the code is not exactly one variable family.
    """
    part = new_part("variable", code).part
    if not isinstance(part, VariablePart):
        raise _wrong("variable")
    return variable_snapshot(part)


def read_objective_code(code: str) -> ObjectiveSnapshot:
    """The snapshot that an objective's code makes.

    Raises:
        ProgramError: if the code is not exactly one objective.
    """
    part = new_part("objective", code).part
    if not isinstance(part, ObjectivePart):
        raise _wrong("objective")
    return objective_snapshot(part)


def _wrong(component: Component) -> ProgramError:
    return refusal("not_one_part", f"the code is no {component}", component=component)
