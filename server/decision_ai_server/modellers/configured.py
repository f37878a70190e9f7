"""The modeller that the settings of a language model describe."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec

from decision_ai.errors import DecisionAIError
from decision_ai_server.agent.ports import Modeller
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.modellers.figure_checked import FigureChecked
from decision_ai_server.modellers.llm import LlmModeller
from decision_ai_server.modellers.llm.options import LlmOptions, PriceTable
from decision_ai_server.settings import LlmSettings


def refuse_unusable(llm: LlmSettings) -> None:
    """Find out before anything starts whether a modeller can be made.

    Raises:
        DecisionAIError: if no language model is set, or the extra `openai` is missing.
    """
    if not llm.is_set:
        raise DecisionAIError(
            "there is no language model: set DECISION_AI_LLM_BASE_URL and DECISION_AI_LLM_MODEL"
        )
    if find_spec("openai") is None:
        raise DecisionAIError(
            "a language model is set, and the extra `openai` is not installed; run: python -m pip install "
            "'decision-ai[openai]', or set DECISION_AI_SERVER_MODELLER=offline"
        )


@asynccontextmanager
async def llm_modeller(llm: LlmSettings) -> AsyncIterator[Modeller]:
    """A modeller that asks the language model of the settings; its connections end with the block."""
    client = OpenAIModelClient(llm.harness_config())
    try:
        yield FigureChecked(LlmModeller(client, llm_options(llm)))
    finally:
        await client.aclose()


def llm_options(llm: LlmSettings) -> LlmOptions:
    """How requests are made up."""
    prices = None
    if llm.price_prompt is not None and llm.price_completion is not None and llm.currency is not None:
        prices = PriceTable(prompt=llm.price_prompt, completion=llm.price_completion, currency=llm.currency)
    return LlmOptions(
        data_visibility=llm.data_visibility,
        tools=llm.tools,
        history_characters=llm.history_characters,
        prices=prices,
    )
