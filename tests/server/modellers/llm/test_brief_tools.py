"""A tool in few words is still the same tool."""

import json

import pytest

from decision_ai_server.agent.ports import ToolSpec
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.agent.tools.edit_tools import EDIT_TOOLS
from decision_ai_server.modellers.llm.brief_tools import brief

TOOLS = {tool.spec.name: tool.spec for tool in [*EDIT_TOOLS, *standard_toolbox().values()]}


@pytest.mark.parametrize("name", TOOLS)
def test_it_is_shorter_and_asks_for_the_same_fields(name: str) -> None:
    spec, short = TOOLS[name], brief(TOOLS[name])

    assert short.name == name
    assert spec.description.startswith(short.description.removesuffix("."))
    assert short.input_schema.get("required") == spec.input_schema.get("required")
    assert len(json.dumps(short.input_schema)) <= len(json.dumps(spec.input_schema))
    assert "$ref" not in json.dumps(short.input_schema)


def test_a_rule_keeps_its_sides_its_loops_and_what_may_stand_there() -> None:
    schema = brief(TOOLS["add_constraint"]).input_schema

    assert set(schema["properties"]) == {"id", "description", "for_each", "left", "sense", "right"}
    assert schema["properties"]["left"] == {"pattern": "^[^<>=]*$", "type": "string"}
    assert schema["properties"]["sense"]["enum"] == ["<=", ">=", "=="]


def test_a_value_of_any_kind_stays() -> None:
    change = brief(TOOLS["change_data"]).input_schema["properties"]["changes"]["items"]
    assert change["properties"]["value"] == {}
    assert set(change["properties"]) == {"path", "value", "remove"}


def test_a_field_may_be_called_like_a_keyword() -> None:
    fields = {"title": {"type": "string"}, "default": {"type": "string", "description": "Which."}}
    spec = ToolSpec(
        name="a",
        description="Do this, and nothing but this. Then stop.",
        input_schema={"properties": fields, "required": list(fields)},
    )
    short = brief(spec)
    assert short.description == "Do this, and nothing but this."
    assert short.input_schema["properties"] == {"title": {"type": "string"}, "default": {"type": "string"}}
