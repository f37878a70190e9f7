"""Each narrow tool proposes one edit, and says what is wrong with its own fields."""

import pytest

from decision_ai_server.agent.ports import Output, Propose
from decision_ai_server.agent.tools.edit_tools import EDIT_TOOLS

TOOLS = {tool.name: tool for tool in EDIT_TOOLS}
OBJECTIVE = '@objective("minimize", "w")\ndef goal(self, data, v):\n    return pulp.lpSum(v.take.values())\n'
FAMILY = "late: dict[str, Var] = binary(over=lambda data: data.items)"
RULE = {"id": "cap", "description": "At most 3.", "left": "lpSum(take.values())", "sense": "<=", "right": "3"}
CALLS = {
    "add_constraint": RULE,
    "remove_constraint": {"id": "capacity"},
    "switch_component": {"id": "capacity", "enabled": False},
    "set_priority": {"id": "capacity", "priority": "A"},
    "set_objective": {"code": OBJECTIVE},
    "extend_objective": {"term": "lpSum(take.values())", "sign": "-"},
    "set_variable": {"code": FAMILY},
    "remove_variable": {"id": "take"},
    "change_data": {"changes": [{"path": ["capacity"], "value": 7}]},
}


@pytest.mark.parametrize("name", TOOLS)
async def test_every_tool_proposes_its_edit_with_the_sentence(name, turn):
    context = turn("cap it")
    result = await TOOLS[name].run(context, CALLS[name] | {"reading": "so", "doubt": None})

    assert isinstance(result, Propose), result
    assert len(result.changes) == 1
    assert (result.card["sentence"], result.card["reading"], result.card["doubt"]) == ("cap it", "so", None)


@pytest.mark.parametrize("name", TOOLS)
def test_the_schema_has_the_fields_of_the_edit_without_op(name):
    schema = TOOLS[name].spec.input_schema
    assert set(CALLS[name]) <= set(schema["properties"])
    assert "op" not in schema["properties"]
    assert {"reading", "doubt"} <= set(schema["properties"]) - set(schema.get("required", []))
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("name", "args", "told"),
    [
        ("add_constraint", RULE | {"sense": "<"}, "sense: Input should be '<=', '>=' or '=='"),
        ("add_constraint", RULE | {"left": "v.take['Tent'] <= 3"}, "left: the comparison"),
        ("remove_constraint", {}, "id: Field required"),
        ("remove_constraint", {"op": "remove_constraint", "id": "capacity"}, "op: "),
        ("set_priority", {"id": "capacity", "priority": "hard"}, "already is as these edits would make it"),
        ("change_data", {"changes": []}, "changes: "),
    ],
)
async def test_what_is_wrong_is_told_by_field(name, args, told, turn):
    result = await TOOLS[name].run(turn("cap it"), args)

    assert isinstance(result, Output)
    assert result.failed
    assert told in result.text
