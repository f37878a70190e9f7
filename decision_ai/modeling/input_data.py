"""Input data: plain pydantic classes whose field docstrings carry meaning and unit."""

from pydantic import BaseModel, ConfigDict


class InputData(BaseModel):
    """Base of the input-data classes of a model file.

    One main class holds everything; it may nest others. `model_dump()` and `model_validate()` round-trip,
    because client and server exchange the data as JSON. Unknown fields are refused, so that a typo in a data
    file is an error and not a value that silently does nothing.
    """

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)
