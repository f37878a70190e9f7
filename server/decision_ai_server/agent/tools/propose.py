"""The tool that changes the model: one call, one change set."""

from typing import Any

from pydantic import Field

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff
from decision_ai.wire import limits
from decision_ai_server.agent.edits import Edit, to_changes
from decision_ai_server.agent.ports import Propose, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told


class ProposeInput(ToolInput):
    """What the modeller wants to change, and how it read the sentence."""

    edits: list[Edit] = Field(min_length=1)
    sentence: str = ""
    """The person's sentence."""
    reading: str = ""
    """The sentence as understood, in plain words."""
    unused_words: list[str] = []
    """Words of the sentence that the edits do not use."""
    warnings: list[str] = []
    doubt: str | None = None
    """Why the reading may be wrong."""


class ProposeChanges:
    """Propose edits of the model; the person approves or rejects them as one set."""

    spec = ToolSpec(
        name="propose_changes",
        description=(
            "Change the model: constraints, objective, variable families, input data, input-data classes, "
            "switches and priorities. Use it when the model is to be different from now on; to try something "
            "without changing the model, use what_if. All edits of one sentence go into one call. The person "
            "sees every change and decides. Prefer set_rule and extend_objective, which take expressions, "
            "to set_constraint and set_objective, which take whole methods. Example: "
            '{"edits": [{"op": "set_rule", "id": "at_most_three", "description": "At most three stages are '
            'open.", "left": "pulp.lpSum(v.open[s] for s in data.stages)", "sense": "<=", "right": "3"}], '
            '"reading": "At most three stages are open."}.'
        ),
        input_schema=ProposeInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Turn the edits into diffs against the present version."""
        wanted, head = read(ProposeInput, args), context.head
        changes = to_changes(wanted.edits, head.program, head.json_data)
        for change in changes:
            if isinstance(change, OptInputDataDiff) and change.added is not None:
                limits.check_size("json_data", change.added.json_data, limits.WIRE_DATA_BYTES)
        if all(change.removed == change.added for change in changes):
            raise Refused("the model already is as these edits would make it")
        card = wanted.model_dump(include={"sentence", "reading", "unused_words", "warnings", "doubt"})
        return Propose(changes=tuple(changes), card=card)
