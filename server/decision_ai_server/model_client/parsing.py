"""From what a model wrote to a validated decision: nothing here touches a network or raises anything odd."""

import json
import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.strict_json import LENIENT_READER, check_carried, read_json
from decision_ai_server.model_client.tool_schemas import (
    DECISION_ACTIONS,
    decision_of_call,
    readable,
    validated,
)

_HARNESS_FIELDS = ("retry_trace", "transport_trace", "streaming_fallback", "usage", "transport")
_ARGUMENTS = ("arguments", "input", "parameters")
# What may begin an object: the braces of formulas and of code are not followed by a quote.
_OPENING = re.compile(r'\{(?=\s*")')
# Reading begins at every one of them and may fail late. So often it is tried, and so many times the length of
# the content is read, at most; a failure also costs its place in the text, which Python counts in lines.
_MOST_READINGS = 1000
_LENGTHS_READ = 8
# What a failed reading cost that does not say where it failed: as far as the recursion limit lets it go.
_COST_OF_A_DEEP_END = 10_000
# A text, closed or not, is one piece, so that braces inside it are left alone and every quote is met once.
_DOUBLED = re.compile(r'"(?:[^"\\]|\\.)*+"?|\{\{|\}\}', re.DOTALL)
_TAIL = re.compile(r"(?:\s|`{3,}\w*|<tool_call>|<function_call>)+\Z")
_THOUGHT_CHARACTERS = 2000


def parse_decision(raw: str) -> ModelDecision:
    """The decision in a reply that is one JSON object.

    What belongs to the harness (`retry_trace`, `transport_trace`, `streaming_fallback`, `usage`,
    `transport`) is never taken from a model.

    Raises:
        DecisionParseError: `not valid JSON: …` or `invalid decision: …`, whatever the text is.
    """
    value = read_json(raw)
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if key not in _HARNESS_FIELDS}
    return validated(value)


def find_decision(content: str, names: Collection[str]) -> ModelDecision | None:
    """The first decision or tool call written in a text, fenced or tagged or bare, or None.

    Args:
        content: what the model wrote, prose and all; what precedes the call becomes the thought.
        names: the tools that may be called. A call of anything else but a decision action does not count.
    """
    found = _first(content, names)
    if found is None and "{{" in content:
        # Qwen's own template shows calls with doubled braces, and the model copies them.
        found = _first(_DOUBLED.sub(_single, content), names)
    return found


def _single(match: re.Match[str]) -> str:
    return {"{{": "{", "}}": "}"}.get(match[0], match[0])


def _first(content: str, names: Collection[str]) -> ModelDecision | None:
    for start, value in _objects(content):
        try:
            check_carried(value)
            decision = _decision(value, _thought(content[:start]))
        except DecisionParseError:
            continue
        if decision is not None and _may(decision, names):
            return decision
    return None


def _may(decision: ModelDecision, names: Collection[str]) -> bool:
    return not isinstance(decision.action, ToolCall) or decision.action.name in names


def _thought(before: str) -> str:
    return readable(_TAIL.sub("", before[-_THOUGHT_CHARACTERS:]).strip())


def _decision(value: dict[str, Any], thought: str) -> ModelDecision | None:
    """The decision an object stands for, in one of the shapes that models write; None if it is another."""
    if "action" in value:
        return parse_decision(json.dumps(value))
    if value.get("type") in DECISION_ACTIONS:
        return validated({"thought_summary": thought, "action": value})
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    name = value.get("name")
    arguments = next((value[key] for key in _ARGUMENTS if key in value), None)
    if not isinstance(name, str) or arguments is None:
        return None
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return decision_of_call(name, written, thought)


def _objects(content: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every JSON object in a text with its place, the outermost ones only; work is bounded by the length."""
    budget, end = _LENGTHS_READ * (len(content) + 1), 0
    for brace in islice(_OPENING.finditer(content), _MOST_READINGS):
        start = brace.start()
        if start < end:
            continue
        if budget <= 0:
            return
        try:
            value, end = LENIENT_READER.raw_decode(content, start)
        except (ValueError, RecursionError) as error:
            budget -= _cost(error, start, len(content))
        else:
            budget -= end - start
            yield start, value


def _cost(error: Exception, start: int, length: int) -> int:
    """How many characters a failed reading went through, at least one."""
    if isinstance(error, RecursionError):
        return _COST_OF_A_DEEP_END
    if isinstance(error, json.JSONDecodeError) and not error.msg.startswith("Unterminated"):
        return max(error.pos - start, 1)
    return max(length - start, 1)
