import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from decision_ai.client.schemas.chat_messages.chat import Prompt

pytestmark = pytest.mark.core


@given(st.text(alphabet=" \t\n\r\u00a0\u2003\u3000"))
def test_blank_text_is_no_prompt(blank: str) -> None:
    with pytest.raises(ValidationError, match="the prompt is empty; type what you want to know or change"):
        Prompt(prompt=blank)


def test_the_text_of_a_prompt_is_kept_as_typed() -> None:
    assert Prompt(prompt="  at most 4 items \n").prompt == "  at most 4 items \n"
