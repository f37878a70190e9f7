"""What an ask carries besides its change, under reserved keys of `tool_origin.args`; read without trust."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from decision_ai.client.approval import Card
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.solving.findings import IncompatiblePart, PlanCheck

MOST_CHECKS = 100
Value = TypeVar("Value", bound=BaseModel)


def read_card(origin: ToolData) -> Card:
    """How the sentence was understood; empty where the call does not say."""
    given = origin.args.get("card")
    card = given if isinstance(given, dict) else {}
    doubt = card.get("doubt")
    return Card(
        sentence=str(card.get("sentence") or ""),
        reading=str(card.get("reading") or ""),
        unused_words=_texts(card.get("unused_words")),
        warnings=_texts(card.get("warnings")),
        doubt=None if doubt is None else str(doubt),
        incompatible=tuple(_values(card.get("incompatible"), IncompatiblePart)),
    )


def read_checks(origin: ToolData) -> list[PlanCheck]:
    """The checks the person keeps, each name once; what is none is left out."""
    checks = _values(origin.args.get("checks"), PlanCheck)
    return list({check.name: check for check in checks[:MOST_CHECKS]}.values())


def _texts(given: Any) -> tuple[str, ...]:
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def _values(given: Any, kind: type[Value]) -> list[Value]:
    found = []
    for item in given if isinstance(given, list | tuple) else ():
        try:
            found.append(kind.model_validate(item))
        except ValidationError:
            continue  # one that is broken does not hide the others
    return found
