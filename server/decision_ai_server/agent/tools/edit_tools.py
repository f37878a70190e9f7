"""One narrow tool per edit, for language models that lose their way in the union of all edits."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from decision_ai_server.agent.edits import (
    ChangeData,
    RemoveConstraint,
    RemoveVariable,
    SetObjective,
    SetPriority,
    SetVariable,
    Switch,
)
from decision_ai_server.agent.ports import ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.rule_edits import ExtendObjective, ModelEdit, SetRule
from decision_ai_server.agent.tools.inputs import Refused, first_problem, told
from decision_ai_server.agent.tools.propose import ProposeChanges

_ABOUT_THE_READING = {
    "reading": {"type": "string", "description": "The sentence as you understood it."},
    "doubt": {"type": "string", "description": "Why that may be wrong, if so."},
}


@dataclass(frozen=True)
class EditTool:
    """Proposes one edit of one kind; the person approves or rejects it like any other change.

    Attributes:
        name: the name to call it by.
        edit: the kind of edit; its fields, without `op`, are the tool's input.
        description: when to use it, with an example of a call.
    """

    name: str
    edit: type[ModelEdit]
    description: str

    @property
    def spec(self) -> ToolSpec:
        """Name, description, and the fields of the edit."""
        schema = self.edit.model_json_schema()
        fields = {key: field for key, field in schema["properties"].items() if key != "op"}
        schema["properties"] = {**fields, **_ABOUT_THE_READING}
        return ToolSpec(name=self.name, description=self.description, input_schema=schema)

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Propose the edit."""
        about = {key: value for key, value in args.items() if key in _ABOUT_THE_READING and value}
        fields = {key: value for key, value in args.items() if key not in _ABOUT_THE_READING}
        if "op" in fields:
            raise Refused("op: this tool makes one kind of edit; leave `op` out")
        try:
            edit = self.edit.model_validate(fields)
        except ValidationError as error:
            raise Refused(first_problem(error)) from error
        proposal = {"edits": [edit.model_dump()], "sentence": context.sentence, **about}
        return await ProposeChanges().run(context, proposal)


EDIT_TOOLS = (
    EditTool(
        "add_constraint",
        SetRule,
        "Add a rule that every plan must obey, or change the rule of the same name. "
        'Example, "at most 3 stages": {"id": "at_most_three", "description": "At most three stages are '
        'open.", "left": "pulp.lpSum(v.open[s] for s in data.stages)", "sense": "<=", "right": "3"}. '
        'Example, "a and b not together": left "v.open[\'a\'] + v.open[\'b\']", sense "<=", right "1".',
    ),
    EditTool(
        "remove_constraint",
        RemoveConstraint,
        "Delete a rule for good. To leave it out for a while, use switch_component.",
    ),
    EditTool(
        "switch_component",
        Switch,
        "Switch a rule or a variable family off, or on again. It stays in the model. "
        'Example: {"id": "capacity", "enabled": false}.',
    ),
    EditTool(
        "set_priority",
        SetPriority,
        "Say how strictly a rule holds: hard = always; A, B, C = soft, broken only if need be, C first. "
        'Example: {"id": "one_per_day", "priority": "B"}.',
    ),
    EditTool(
        "set_objective",
        SetObjective,
        "Replace what is minimised or maximised. To add a term and keep the rest, use extend_objective.",
    ),
    EditTool(
        "extend_objective",
        ExtendObjective,
        "Add a term to the objective and keep the rest of it. "
        'Example, "every open site costs 5 more": {"term": "5 * pulp.lpSum(v.open.values())", "sign": "+"}.',
    ),
    EditTool(
        "set_variable",
        SetVariable,
        "Add a family of decision variables, or change the one of the same name.",
    ),
    EditTool("remove_variable", RemoveVariable, "Delete a family of decision variables that nothing uses."),
    EditTool(
        "change_data",
        ChangeData,
        "Change, add or remove values of the input data. "
        'Example, "the jazz fee is 4": {"changes": [{"path": ["bands", "jazz", "fee"], "value": 4}]}.',
    ),
)
