"""The one base of every schema: field docstrings become descriptions, numbers are finite."""

from pydantic import BaseModel, ConfigDict


class Schema(BaseModel):
    """Base of everything that goes over the wire. Unknown fields are ignored, as published clients expect."""

    model_config = ConfigDict(use_attribute_docstrings=True, allow_inf_nan=False)


class StrictSchema(Schema):
    """Base of the classes whose unknown fields are an error (state and its components)."""

    model_config = ConfigDict(extra="forbid")
