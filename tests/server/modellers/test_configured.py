import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.modellers.configured import llm_modeller, llm_options, refuse_unusable
from decision_ai_server.modellers.figure_checked import FigureChecked
from decision_ai_server.modellers.llm.options import LlmOptions, PriceTable
from decision_ai_server.settings import LlmSettings

LOCAL = "http://127.0.0.1:9/v1"


async def test_figures_are_checked_whatever_the_language_model_says() -> None:
    async with llm_modeller(LlmSettings(base_url=LOCAL, model="m")) as modeller:
        assert isinstance(modeller, FigureChecked)


def test_nothing_is_made_of_no_settings() -> None:
    with pytest.raises(DecisionAIError, match="there is no language model: set DECISION_AI_LLM_BASE_URL"):
        refuse_unusable(LlmSettings())


def test_the_settings_say_how_requests_are_made_up() -> None:
    llm = LlmSettings(
        data_visibility="schema",
        tools="small",
        history_characters=7,
        price_prompt=1.0,
        price_completion=2.0,
        currency="EUR",
    )
    assert llm_options(llm) == LlmOptions(
        data_visibility="schema",
        tools="small",
        history_characters=7,
        prices=PriceTable(prompt=1.0, completion=2.0, currency="EUR"),
    )
    assert llm_options(LlmSettings()) == LlmOptions()
