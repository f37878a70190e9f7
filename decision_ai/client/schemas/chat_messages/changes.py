"""The five kinds of diff: only `added` = new, only `removed` = deleted, both = changed."""

from typing import Annotated, Literal

from pydantic import FailFast, Field

from decision_ai.client.schemas.base import Schema


class ConstraintSnapshot(Schema):
    """One constraint at one point in time."""

    constraint_id: str
    code: str
    """Source of the method, decorator included, dedented."""
    math_formulation: str
    description: str


class ConstraintDiff(Schema):
    """A constraint added, removed or changed."""

    kind: Literal["constraint_diff"] = "constraint_diff"
    removed: ConstraintSnapshot | None = None
    added: ConstraintSnapshot | None = None


class ObjectiveSnapshot(Schema):
    """The objective at one point in time."""

    code: str
    """Source of the method, decorator included, dedented."""
    math_formulation: str
    description: str


class ObjectiveDiff(Schema):
    """The objective added, removed or changed."""

    kind: Literal["objective_function_diff"] = "objective_function_diff"
    removed: ObjectiveSnapshot | None = None
    added: ObjectiveSnapshot | None = None


class VariableSnapshot(Schema):
    """One variable family at one point in time."""

    variable_id: str
    code: str
    """Source of the annotated assignment with its docstring, dedented."""
    math_formulation: str
    description: str


class VariableDiff(Schema):
    """A variable family added, removed or changed."""

    kind: Literal["variable_diff"] = "variable_diff"
    removed: VariableSnapshot | None = None
    added: VariableSnapshot | None = None


class OptInputDataSnapshot(Schema):
    """The input data at one point in time."""

    opt_input_data_id: str
    """Content-addressed: the same data have the same id."""
    json_data: str
    """The whole data as JSON text."""


class OptInputDataDiff(Schema):
    """The input data before and after, whole."""

    kind: Literal["input_data_diff"] = "input_data_diff"
    removed: OptInputDataSnapshot | None = None
    added: OptInputDataSnapshot | None = None


class OptInputDataSchemaSnapshot(Schema):
    """The input-data classes at one point in time."""

    input_data_classes: Annotated[list[str], FailFast()]
    """Source of each class, in the order of the file."""


class OptInputDataSchemaDiff(Schema):
    """The input-data classes before and after."""

    kind: Literal["input_data_schema_diff"] = "input_data_schema_diff"
    removed: OptInputDataSchemaSnapshot | None = None
    added: OptInputDataSchemaSnapshot | None = None


ModelChanges = Annotated[
    ConstraintDiff | ObjectiveDiff | OptInputDataDiff | OptInputDataSchemaDiff | VariableDiff,
    Field(discriminator="kind"),
]
