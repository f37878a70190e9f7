"""Composing what the client is asked: the parts of a change set, and solves. Recomputed, never remembered.

Because an ask is a function of the present version and the open call, a version that changed under an open
ask shows as another hash, and the ask is simply made again.
"""

from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.changes import ModelChanges, OptInputDataDiff
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.parameters import SolveParameters
from decision_ai_server.agent.ports import CallRecord, ModelVersion, Propose, RequestSolve


@dataclass(frozen=True, kw_only=True)
class Composed:
    """The model with the first parts of a change set in it."""

    program: Program
    json_data: str


def compose(head: ModelVersion, changes: tuple[ModelChanges, ...]) -> Composed:
    """Apply diffs to a version.

    Raises:
        ProgramError: if one does not fit.
    """
    program, json_data = head.program, head.json_data
    for change in changes:
        program = program.apply(change)
        if isinstance(change, OptInputDataDiff) and change.added is not None:
            json_data = change.added.json_data
    return Composed(program=program, json_data=json_data)


def edited_changes(proposal: Propose, record: CallRecord) -> tuple[ModelChanges, ...]:
    """The changes of the set with the person's edits, known from asks and answers, in their place."""
    changes = list(proposal.changes)
    for ask in record.asks:
        if isinstance(ask, AskForValidation) and ask.tool_origin.args.get("edited"):
            changes[part_of(ask) - 1] = ask.changes
    if record.answers:
        ask, answer = record.asks[len(record.answers) - 1], record.answers[-1]
        if isinstance(ask, AskForValidation) and isinstance(answer, ValidationResponse) and answer.changes:
            changes[part_of(ask) - 1] = answer.changes
    return tuple(changes)


def part_of(ask: AskForValidation) -> int:
    """Which part of its set an ask is about, from 1."""
    return int(ask.tool_origin.args["part"]["i"])


def validation_ask(
    head: ModelVersion, call: ToolData, proposal: Propose, changes: tuple[ModelChanges, ...], part: int
) -> tuple[AskForValidation, Composed]:
    """The ask for one part of a change set.

    Args:
        head: the version to build on.
        call: the tool call behind it.
        proposal: what the tool proposed.
        changes: the changes with edits in their place.
        part: which one to ask about, from 1.

    Raises:
        ProgramError: if the changes do not fit the version.
    """
    composed = compose(head, changes[:part])
    code = composed.program.composed()
    data = data_id(composed.json_data)
    args = {
        **call.args,
        "part": {"set": call.id, "i": part, "n": len(changes)},
        "hash": program_hash(code, data, None),
        "input_data_id": data,
        "card": proposal.card,
    }
    if changes[part - 1] != proposal.changes[part - 1]:
        args["edited"] = True
    origin = call.model_copy(update={"args": args})
    return AskForValidation(code=code, changes=changes[part - 1], tool_origin=origin), composed


def solve_ask(head: ModelVersion, call: ToolData, request: RequestSolve) -> AskForSolve:
    """The ask to solve the present version."""
    parameters = SolveParameters.model_validate(request.parameters)
    code = head.program.composed()
    args = {
        **call.args,
        "hash": program_hash(code, head.data_id, parameters),
        "input_data_id": head.data_id,
        "parameters": parameters.model_dump(mode="json"),
    }
    return AskForSolve(code=code, tool_origin=call.model_copy(update={"args": args}))


def belongs_to(head: ModelVersion, origin: ToolData) -> bool:
    """Whether a solve that was asked for was of this version."""
    parameters = SolveParameters.model_validate(origin.args.get("parameters", {}))
    return origin.args.get("hash") == program_hash(head.program.composed(), head.data_id, parameters)
