"""What the journal keeps of one decision besides what it keeps of any: the model, the tool and the price."""

from dataclasses import replace
from typing import Any

from decision_ai_server.agent import journal
from decision_ai_server.agent.journal import Note
from decision_ai_server.model_client.decisions import DecisionUsage, ModelDecision, ToolCall
from decision_ai_server.modellers.llm.options import PriceTable


def request_note(body: dict[str, Any]) -> Note:
    """The exact body of a request."""
    return Note("request", {"body": body})


def decision_note(decision: ModelDecision, *, model: str, seconds: float, prices: PriceTable | None) -> Note:
    """A decision: what it is, what it took and how it came about."""
    note = journal.decision_note(decision, seconds=seconds)
    called = {"name": decision.action.name} if isinstance(decision.action, ToolCall) else {}
    return replace(note, payload=note.payload | called | {"model": model} | _price(decision.usage, prices))


def loss_note(error: BaseException, *, seconds: float, prices: PriceTable | None) -> Note:
    """An attempt that brought no decision."""
    note = journal.loss_note(error, seconds=seconds)
    return replace(note, payload=note.payload | _price(getattr(error, "usage", None), prices))


def _price(usage: DecisionUsage | None, prices: PriceTable | None) -> dict[str, Any]:
    """What tokens cost; nothing where nobody counts, or the endpoint did not say how many there were."""
    if usage is None or prices is None:
        return {}
    return {"cost": prices.cost(usage), "currency": prices.currency}
