"""A constraint as the session's state shows it."""

from decision_ai.client.schemas.base import StrictSchema
from decision_ai.client.schemas.components import Priority


class Constraint(StrictSchema):
    """One constraint of the model, with its switch and priority."""

    code: str | None = None
    math_formulation: str | None = None
    description: str | None = None
    is_user_constraint: bool | None = None
    """True if chat added it, False if it came with the base model."""
    incompatible: bool | None = None
    """True if it does not build on the present input data."""
    incompatibility_reason: str | None = None
    enabled: bool = True
    priority: Priority = "hard"
