"""The objective as the session's state shows it."""

from decision_ai.client.schemas.base import StrictSchema


class Objective(StrictSchema):
    """The objective of the model."""

    code: str | None = None
    math_formulation: str | None = None
    description: str | None = None
    is_user_objective: bool | None = None
    """True if chat changed it."""
    incompatible: bool | None = None
    """True if it does not build on the present input data."""
    incompatibility_reason: str | None = None
