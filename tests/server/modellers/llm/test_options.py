"""Prices are per million tokens."""

import pytest

from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.modellers.llm.options import LlmOptions, PriceTable


def test_the_cost_of_some_tokens() -> None:
    prices = PriceTable(prompt=3.0, completion=15.0, currency="EUR")
    usage = DecisionUsage(prompt_tokens=2_000_000, completion_tokens=100_000)
    assert prices.cost(usage) == pytest.approx(7.5)


def test_by_default_data_are_summarised_and_nobody_counts() -> None:
    assert (LlmOptions().data_visibility, LlmOptions().prices) == ("summary", None)
