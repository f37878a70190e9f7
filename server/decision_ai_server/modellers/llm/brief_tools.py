"""Tools in few words, for a language model that reads slowly: the examples are in its prompt."""

import re
from collections.abc import Mapping
from typing import Any

from decision_ai_server.agent.ports import ToolSpec
from decision_ai_server.model_client.context import AllowedTool

_LEFT_OUT = frozenset(
    {"title", "description", "default", "discriminator", "additionalProperties", "$defs"}
    | {"minItems", "maxItems", "minLength", "maxLength"}
)
"""Prose, and limits that the tools check themselves."""
_REST = re.compile(r"(?<=.{25})[.:,;]\s.*|\.$", re.DOTALL)
"""What comes after the first clause of a description."""
_PLAIN = frozenset({"string", "number", "integer"})


def brief(tool: ToolSpec) -> AllowedTool:
    """A tool by the beginning of its description, and the fields without which a call says nothing."""
    beginning = _REST.sub("", tool.description) + "."
    parts = tool.input_schema.get("$defs", {})
    return AllowedTool(name=tool.name, description=beginning, input_schema=_brief(tool.input_schema, parts))


def _brief(schema: Any, parts: Mapping[str, Any]) -> Any:
    """A schema without prose, with its parts where they are used; parts of schemas here contain no loops."""
    if isinstance(schema, list):
        return [_brief(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _brief(parts[schema["$ref"].removeprefix("#/$defs/")], parts)
    kept = {key: _brief(value, parts) for key, value in schema.items() if key not in _LEFT_OUT}
    if "properties" in schema:
        required = schema.get("required", [])
        kept["properties"] = {
            name: _brief(field, parts)
            for name, field in schema["properties"].items()
            if name in required or not _may_go(field)
        }
    return kept


def _may_go(field: dict[str, Any]) -> bool:
    """Whether an optional field says how, not what: a plain value with a default."""
    return field.get("type") in _PLAIN or any(one.get("type") == "null" for one in field.get("anyOf", ()))
