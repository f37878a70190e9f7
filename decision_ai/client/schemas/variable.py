"""A variable family as the session's state shows it."""

from decision_ai.client.schemas.base import StrictSchema


class Variable(StrictSchema):
    """One variable family of the model, with its switch."""

    code: str | None = None
    math_formulation: str | None = None
    description: str | None = None
    is_user_variable: bool | None = None
    """True if chat added it, False if it came with the base model."""
    incompatible: bool | None = None
    incompatibility_reason: str | None = None
    enabled: bool = True
