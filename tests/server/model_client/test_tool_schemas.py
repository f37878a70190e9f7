import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.tool_schemas import (
    build_tool_schemas,
    decision_of_call,
    decision_schema,
)


class Cut(BaseModel):
    op: Literal["cut"] = "cut"
    title: str = "title"


class Join(BaseModel):
    op: Literal["join"] = "join"
    parts: "list[Edit]" = []


Edit = Annotated[Cut | Join, Field(discriminator="op")]


class Input(BaseModel):
    edits: list[Edit] = Field(min_length=1)


TOOL = AllowedTool(name="edit", description="Edit.", input_schema=Input.model_json_schema())
OTHER = AllowedTool(name="other", description="Another.", input_schema=Input.model_json_schema())
BARE = AllowedTool(name="solve", description="Solve.")


def packet(*tools: AllowedTool) -> ContextPacket:
    return ContextPacket(goal="g", allowed_tools=tools)


def parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(item)


def test_the_tools_come_first_and_the_decision_actions_last() -> None:
    entries = build_tool_schemas(packet(TOOL, BARE))
    assert [entry["function"]["name"] for entry in entries] == ["edit", "solve", "final_answer", "ask_user"]
    assert {entry["type"] for entry in entries} == {"function"}
    assert entries[1]["function"] == {
        "name": "solve",
        "description": "Solve.",
        "parameters": {"type": "object", "properties": {}},
    }
    answer = entries[2]["function"]["parameters"]
    assert (answer["required"], answer["properties"]["answer"]["type"]) == (["answer"], "string")


def test_a_tool_named_like_an_action_takes_its_place() -> None:
    tool = AllowedTool(name="final_answer", description="Mine.")
    names = [entry["function"]["name"] for entry in build_tool_schemas(packet(tool))]
    assert names == ["final_answer", "ask_user"]


def test_noise_goes_and_properties_of_that_name_stay() -> None:
    parameters = build_tool_schemas(packet(TOOL))[0]["function"]["parameters"]
    assert "discriminator" not in json.dumps(parameters)
    cut = parameters["$defs"]["Cut"]
    assert "title" not in cut
    assert cut["properties"]["title"] == {"default": "title", "type": "string"}


def test_every_reference_of_a_decision_schema_leads_to_the_root() -> None:
    schema = decision_schema(packet(TOOL, OTHER, BARE))
    references = [part["$ref"] for part in parts(schema) if isinstance(part.get("$ref"), str)]
    assert len(references) >= 4
    for reference in references:
        assert reference.removeprefix("#/$defs/") in schema["$defs"]
    assert [key for part in parts(schema["properties"]) for key in part if key == "$defs"] == []


def test_a_decision_schema_offers_each_action_once_and_a_bounded_thought_first() -> None:
    schema = decision_schema(packet(TOOL, BARE))
    assert list(schema["properties"]) == schema["required"] == ["thought_summary", "action"]
    assert schema["properties"]["thought_summary"]["maxLength"] == 300
    actions = schema["properties"]["action"]["anyOf"]
    kinds = [
        (a["properties"]["type"]["const"], a["properties"].get("name", {}).get("const")) for a in actions
    ]
    assert kinds == [
        ("tool_call", "edit"),
        ("tool_call", "solve"),
        ("final_answer", None),
        ("ask_user", None),
    ]
    assert all(action["additionalProperties"] is False for action in actions)


def test_schemas_are_the_same_each_time() -> None:
    one, other = (json.dumps(decision_schema(packet(TOOL, OTHER))) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("solve", '{"limit": 3}', ToolCall(name="solve", input={"limit": 3})),
        ("solve", "", ToolCall(name="solve")),
        ("solve", '"{\\"limit\\": 3}"', ToolCall(name="solve", input={"limit": 3})),
        ("final_answer", '{"answer": "104"}', FinalAnswer(answer="104")),
        ("final_answer", '{"type": "tool_call", "answer": "104"}', FinalAnswer(answer="104")),
        ("ask_user", '{"question": "which?"}', AskUser(question="which?")),
    ],
)
def test_a_call_becomes_a_decision(name: str, arguments: str, action: object) -> None:
    decision = decision_of_call(name, arguments, "so\0\ud800")
    assert decision.action == action
    assert decision.thought_summary == "so?"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("solve", "{", "not valid JSON: "),
        (
            "solve",
            "[1]",
            "invalid decision: the arguments of 'solve' are a list; one JSON object",
        ),
        ("solve", "true", "are true or false"),
        ("final_answer", "{}", "invalid decision: action.answer: Field required"),
    ],
)
def test_a_call_that_is_no_decision_is_told(name: str, arguments: str, told: str) -> None:
    with pytest.raises(DecisionParseError) as caught:
        decision_of_call(name, arguments, "")
    assert told in str(caught.value)
