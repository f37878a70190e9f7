"""JSON as a language model writes it, read strictly: whatever is wrong is told, nothing else is raised."""

import json
import math
from typing import Any, NoReturn

from decision_ai.wire import limits
from decision_ai_server.model_client.errors import DecisionParseError

# A decision travels inside a message of the wire, which takes up the rest of the nesting allowed there.
_NESTING = limits.NESTING - 8


def read_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        DecisionParseError: `not valid JSON: …`, whatever the text; also for what no message could carry: a
            number that is not finite, a key that occurs twice, a NUL, half a surrogate pair, deep nesting.
    """
    try:
        value = READER.decode(text)
    except RecursionError:
        raise DecisionParseError(_too_deep()) from None
    except (ValueError, TypeError) as error:
        raise DecisionParseError(f"not valid JSON: {error}") from None
    check_carried(value)
    return value


def check_carried(value: Any) -> None:
    """Refuse a parsed value that no message of the wire could carry.

    Raises:
        DecisionParseError: `not valid JSON: …`.
    """
    if limits.nesting(value) > _NESTING:
        raise DecisionParseError(_too_deep())
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text and "\0" in "".join(_texts(value)):
        raise DecisionParseError("not valid JSON: a text holds the NUL character; leave it out")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DecisionParseError("not valid JSON: a text holds half a surrogate pair") from None


def _too_deep() -> str:
    return f"not valid JSON: objects and lists are nested more than {_NESTING} deep"


def _texts(value: Any) -> list[str]:
    texts, level = [], [value]
    while level:
        item = level.pop()
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            level += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            level += item
    return texts


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:80]!r} occurs twice in one object")
    return found


_HOOKS: dict[str, Any] = {
    "parse_constant": _constant,
    "parse_float": _finite,
    "object_pairs_hook": _unique,
}
READER = json.JSONDecoder(**_HOOKS)
LENIENT_READER = json.JSONDecoder(strict=False, **_HOOKS)
"""Takes line breaks in texts as they are: models write them so."""
