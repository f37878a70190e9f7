"""What the LLM modeller is told by the settings."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from decision_ai_server.model_client.decisions import DecisionUsage

Visibility: TypeAlias = Literal["schema", "summary", "full"]
ToolProfile: TypeAlias = Literal["full", "small"]


@dataclass(frozen=True, kw_only=True)
class PriceTable:
    """What tokens cost.

    Attributes:
        prompt: money per million tokens read.
        completion: money per million tokens written.
        currency: in which money, such as "EUR".
    """

    prompt: float
    completion: float
    currency: str

    def cost(self, usage: DecisionUsage) -> float:
        """What some tokens cost, in the currency of the table."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / 1_000_000


@dataclass(frozen=True, kw_only=True)
class LlmOptions:
    """How requests are made up.

    Attributes:
        data_visibility: how much of the data leaves this machine: `schema` the program and its classes only,
            `summary` also sizes, ranges, labels of small index sets and the results of tools, `full` all.
        tools: `full`, or `small`: short prompts and few narrow tools for a small local model.
        history_characters: how much of the earlier conversation goes out word for word.
        prices: what tokens cost; None where nobody counts.
    """

    data_visibility: Visibility = "summary"
    tools: ToolProfile = "full"
    history_characters: int = 16_000
    prices: PriceTable | None = None
