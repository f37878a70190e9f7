from typing import Any

import pytest
from pydantic import ValidationError

from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData

pytestmark = pytest.mark.core


def circular() -> dict[str, Any]:
    args: dict[str, Any] = {}
    args["self"] = args
    return args


@pytest.mark.parametrize(
    "args", [{"x": float("nan")}, {"x": [float("inf")]}, {"x": {1, 2}}, {"x": object()}, circular()]
)
def test_args_are_what_json_can_carry(args: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="has a value that JSON cannot carry"):
        ToolData(name="solve", args=args)


def test_a_list_of_wrong_items_is_refused_at_the_first() -> None:
    with pytest.raises(ValidationError) as refused:
        ToolCall.model_validate({"tool_data": [0] * 100_000})
    assert refused.value.error_count() == 1
