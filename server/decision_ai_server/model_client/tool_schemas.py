"""What a model may call, as JSON schemas, and the way back from a call to a decision."""

import json
from typing import Any

from pydantic import ValidationError

from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.strict_json import read_json

DECISION_ACTIONS = {"final_answer": "answer", "ask_user": "question"}
"""The actions that are no tool, and the one field each has."""

_ACTION_WORDS = {
    "final_answer": "Answer the person and end the turn.",
    "ask_user": "Ask the person one question, when the request cannot be carried out without the answer.",
}
_FIELD_WORDS = {"final_answer": "The answer, in Markdown.", "ask_user": "The question, one sentence."}
# Small models think on and on where a grammar lets them.
_THOUGHT_CHARACTERS = 300
# `title` only repeats the name; `discriminator` is OpenAPI's, and grammars do not know it.
_NOISE = ("title", "discriminator")
_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")
"""Keywords whose keys are names that somebody chose, not keywords."""
_MOST_ERRORS = 3
_MOST_CHARACTERS = 600


def build_tool_schemas(context: ContextPacket) -> list[dict[str, Any]]:
    """The `tools=` entries of one decision: the allowed tools, then the decision actions.

    Args:
        context: the packet whose `allowed_tools` are advertised.
    """
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": _input(tool)},
        }
        for tool in [*context.allowed_tools, *action_tools(context)]
    ]


def action_tools(context: ContextPacket) -> list[AllowedTool]:
    """The decision actions as tools; one whose name an allowed tool has is left out."""
    taken = {tool.name for tool in context.allowed_tools}
    return [
        AllowedTool(name=name, description=_ACTION_WORDS[name], input_schema=_action_input(name))
        for name in DECISION_ACTIONS
        if name not in taken
    ]


def decision_schema(context: ContextPacket) -> dict[str, Any]:
    """The JSON schema of one decision: a short thought, then one of the actions that are allowed now.

    Definitions stand at the root, named after their tool, since grammars resolve `#/$defs/…` from there.
    """
    definitions: dict[str, Any] = {}
    actions: list[dict[str, Any]] = []
    for tool in context.allowed_tools:
        schema = _renamed(_input(tool), tool.name)
        definitions |= {f"{tool.name}.{name}": part for name, part in schema.pop("$defs", {}).items()}
        fixed = {"type": {"const": "tool_call"}, "name": {"const": tool.name}}
        actions.append(_object({**fixed, "input": schema}))
    for action in action_tools(context):
        fields = action.input_schema["properties"]
        actions.append(_object({"type": {"const": action.name}, **fields}))
    thought = {"type": "string", "maxLength": _THOUGHT_CHARACTERS}
    schema = _object({"thought_summary": thought, "action": {"anyOf": actions}})
    return schema | ({"$defs": definitions} if definitions else {})


def decision_of_call(name: str, arguments: str, thought: str) -> ModelDecision:
    """The decision that a call stands for: a decision action, or else a tool.

    Args:
        name: name of the function that was called.
        arguments: its arguments as JSON text; nothing at all counts as no arguments.
        thought: what was said beside the call.

    Raises:
        DecisionParseError: if the arguments are no JSON object, or an action misses its field.
    """
    values = read_json(arguments) if arguments.strip() else {}
    if isinstance(values, str):
        # Some servers encode the arguments twice.
        values = read_json(values)
    if not isinstance(values, dict):
        raise DecisionParseError(
            f"invalid decision: the arguments of {name!r} are {_kind(values)}; one JSON object was expected"
        )
    if name in DECISION_ACTIONS:
        action = {**values, "type": name}
    else:
        action = {"type": "tool_call", "name": name, "input": values}
    return validated({"thought_summary": readable(thought), "action": action})


def validated(value: Any) -> ModelDecision:
    """The decision in a parsed JSON value.

    Raises:
        DecisionParseError: `invalid decision: …`, with the fields that are wrong and what was expected.
    """
    if not isinstance(value, dict):
        raise DecisionParseError(
            f"invalid decision: the reply is {_kind(value)}; one JSON object with `thought_summary` and "
            "`action` was expected"
        )
    try:
        return ModelDecision.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        told = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in found[:_MOST_ERRORS])
        raise DecisionParseError(f"invalid decision: {told}"[:_MOST_CHARACTERS]) from None


def readable(text: str) -> str:
    """A text that every message can carry: no NUL, no half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _place(location: tuple[int | str, ...]) -> str:
    # Pydantic names the branch of the union after `action`; the JSON has no such level.
    return ".".join(str(key) for n, key in enumerate(location) if n != 1 or location[0] != "action")


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else "an object")


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _action_input(name: str) -> dict[str, Any]:
    return _object({DECISION_ACTIONS[name]: {"type": "string", "description": _FIELD_WORDS[name]}})


def _input(tool: AllowedTool) -> dict[str, Any]:
    return {"type": "object", "properties": {}, **_plain(tool.input_schema)}


def _plain(schema: Any) -> Any:
    """A schema without the keywords that say nothing to a model; names of properties are no keywords."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _plain(part) for name, part in value.items()}
        if key in _MAPS and isinstance(value, dict)
        else value
        if key in ("default", "const", "enum", "examples")
        else _plain(value)
        for key, value in schema.items()
        if key not in _NOISE
    }


def _renamed(schema: Any, tool: str) -> Any:
    """A schema whose references go to the definitions of its tool."""
    text = json.dumps(schema)
    return json.loads(text.replace('"$ref": "#/$defs/', f'"$ref": "#/$defs/{tool}.'))
