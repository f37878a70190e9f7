"""What building and checking a program brought."""

from typing import Annotated, Literal

from pydantic import Field

from decision_ai.client.schemas.base import Schema, StrictSchema


class FormulationErrorReport(StrictSchema):
    """Why a program does not build, in terms a modeller can act on."""

    component: Literal["program", "input_data", "variable", "constraint", "objective", "solution_to_str"]
    """The kind of part that is to blame."""
    component_id: str | None = None
    """Which one: a constraint id, a variable family, a class name."""
    error_type: str
    """A short stable word such as `unknown_name`, `nonlinear`, `not_allowed`, `memory_limit`."""
    message: str
    """One sentence: what is wrong, where, what to do."""
    line: int | None = None
    """Line in the composed program, from 1."""
    source_line: str | None = None
    hint: str | None = None
    """What would help, such as the nearest known name."""


class ValidationSucceeded(Schema):
    """The program builds."""

    kind: Literal["validation_succeeded"] = "validation_succeeded"


class FormulationValidationFailed(Schema):
    """The program does not build."""

    kind: Literal["formulation_validation_failed"] = "formulation_validation_failed"
    error: str | FormulationErrorReport


class InputDataSchemaValidationFailed(Schema):
    """The input data do not fit the program's input-data classes."""

    kind: Literal["input_data_instance_validation_failed"] = "input_data_instance_validation_failed"
    input_data_class_name: str
    error: str


Validation = Annotated[
    ValidationSucceeded | FormulationValidationFailed | InputDataSchemaValidationFailed,
    Field(discriminator="kind"),
]
ValidationFailed = FormulationValidationFailed | InputDataSchemaValidationFailed
