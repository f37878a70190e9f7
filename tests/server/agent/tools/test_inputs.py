"""The first problem of a tool's input, in one sentence."""

import pytest
from pydantic import BaseModel, ValidationError

from decision_ai_server.agent.tools.inputs import first_problem


class Input(BaseModel):
    a: int
    b: int


def test_the_first_problem_is_named_and_the_others_counted():
    with pytest.raises(ValidationError) as caught:
        Input.model_validate({"a": "x"})

    assert first_problem(caught.value).startswith("a: ")
    assert first_problem(caught.value).endswith("(and 1 more problems)")
