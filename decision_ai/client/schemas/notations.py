"""The symbols of the model's formulas."""

from decision_ai.client.schemas.base import StrictSchema


class OptModelNotations(StrictSchema):
    """What sets, parameters and variables are called in the formulas; name in the program → meaning."""

    sets: dict[str, str] = {}
    parameters: dict[str, str] = {}
    variables: dict[str, str] = {}
