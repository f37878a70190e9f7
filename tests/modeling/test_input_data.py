import pytest
from pydantic import ValidationError

from decision_ai.modeling.input_data import InputData

pytestmark = pytest.mark.core


class Box(InputData):
    size: float
    """Metres."""


def test_fields_keep_their_docstrings() -> None:
    assert Box.model_fields["size"].description == "Metres."


@pytest.mark.parametrize("text", ['{"size": 1, "sise": 2}', '{"size": "Infinity"}', "{}"])
def test_typos_and_infinite_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Box.model_validate_json(text)
