"""Parameters refuse what no solver could do."""

import pytest
from pydantic import ValidationError

from decision_ai.solving.parameters import SolveParameters

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_limit": -1},
        {"relative_gap": -0.1},
        {"absolute_gap": float("nan")},
        {"threads": 0},
        {"seed": 2**31},
        {"solver": "cbc"},
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        SolveParameters.model_validate(wrong)


def test_equal_parameters_are_one_value() -> None:
    assert SolveParameters(time_limit=5) == SolveParameters(time_limit=5.0)
    assert SolveParameters(seed=1) != SolveParameters(seed=2)
