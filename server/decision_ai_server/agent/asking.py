"""Composing what the client is asked: the parts of a change set, and solves. Recomputed, never remembered.

Because an ask is a function of the present version and the open call, a version that changed under an open
ask shows as another hash, and the ask is simply made again.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSnapshot,
    VariableDiff,
)
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.migration import migrated_again
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import refusal
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
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
            _check_present(change.removed, json_data)
            json_data = change.added.json_data
    return Composed(program=program, json_data=json_data)


def _check_present(removed: OptInputDataSnapshot | None, json_data: str) -> None:
    """Refuse a diff of other data than the present ones, which it would silently overwrite."""
    if removed is None or removed.json_data == json_data:
        return
    if data_id(removed.json_data) != data_id(json_data):
        raise refusal(
            "stale",
            "the input data are not as the diff says they were; start again from the present ones",
            component="input_data",
        )


def running(head: ModelVersion) -> str:
    """The text of a version as it runs: without the parts that do not build on its data."""
    return head.program.without(head.incompatible).composed()


def edited_changes(head: ModelVersion, proposal: Propose, record: CallRecord) -> tuple[ModelChanges, ...]:
    """The changes of the set with the person's edits, known from asks and answers, in their place.

    Raises:
        ProgramError: if edited input-data classes do not fit the version.
    """
    changes = list(proposal.changes)
    for ask in record.asks:
        if isinstance(ask, AskForValidation) and ask.tool_origin.args.get("edited"):
            changes[part_of(ask) - 1] = ask.changes
    if record.answers:
        ask, answer = record.asks[len(record.answers) - 1], record.answers[-1]
        if isinstance(ask, AskForValidation) and isinstance(answer, ValidationResponse) and answer.changes:
            changes[part_of(ask) - 1] = answer.changes
    return _with_data_following(head, proposal.changes, tuple(changes))


def _with_data_following(
    head: ModelVersion, proposed: tuple[ModelChanges, ...], changes: tuple[ModelChanges, ...]
) -> tuple[ModelChanges, ...]:
    """The changes with the data brought to input-data classes that the person edited."""
    pairs = list(zip(proposed, changes, strict=True))
    if not any(isinstance(change, OptInputDataSchemaDiff) and change != was for was, change in pairs):
        return changes
    followed = list(changes)
    for n, (was, change) in enumerate(pairs):
        if isinstance(change, OptInputDataDiff) and change == was and change.removed and change.added:
            made, edited = (compose(head, part[:n]).program for part in (proposed, changes))
            old, new = change.removed.json_data, change.added.json_data
            text = migrated_again(old, new, (head.program, made, edited))
            added = OptInputDataSnapshot(opt_input_data_id=data_id(text), json_data=text)
            followed[n] = change.model_copy(update={"added": added})
    return tuple(followed)


def part_of(ask: AskForValidation) -> int:
    """Which part of its set an ask is about, from 1."""
    return int(ask.tool_origin.args["part"]["i"])


def validation_ask(
    head: ModelVersion,
    call: ToolData,
    proposal: Propose,
    changes: tuple[ModelChanges, ...],
    part: int,
    *,
    checks: tuple[PlanCheck, ...] = (),
    building: Collection[tuple[str, str]] = (),
) -> tuple[AskForValidation, Composed]:
    """The ask for one part of a change set.

    Args:
        head: the version to build on.
        call: the tool call behind it.
        proposal: what the tool proposed.
        changes: the changes with edits in their place.
        part: which one to ask about, from 1.
        checks: the person's named checks, which the client evaluates on the plan it previews.
        building: what `fitting.repaired` found: marked parts that build again with the whole set.

    Raises:
        ProgramError: if the changes do not fit the version.
    """
    composed = compose(head, changes[:part])
    left_out = [
        marked
        for marked in _untouched(head.incompatible, changes[:part])
        if (marked.kind, marked.id) not in building
    ]
    code = composed.program.without(left_out).composed()
    data = data_id(composed.json_data)
    args = {
        **call.args,
        "part": {"set": call.id, "i": part, "n": len(changes)},
        "hash": program_hash(code, data, None),
        "input_data_id": data,
        "card": _card(proposal, left_out, building),
    }
    if changes[part - 1] != proposal.changes[part - 1]:
        args["edited"] = True
    if checks and part == len(changes):
        args["checks"] = [check.model_dump(mode="json") for check in checks]
    origin = call.model_copy(update={"args": args})
    return AskForValidation(code=code, changes=changes[part - 1], tool_origin=origin), composed


def same_ask(one: ToolData, other: ToolData) -> bool:
    """Whether two asks are about the same; checks that were kept in between show up at the next one."""
    return _without_checks(one) == _without_checks(other)


def _without_checks(origin: ToolData) -> ToolData:
    args = {key: value for key, value in origin.args.items() if key != "checks"}
    return origin.model_copy(update={"args": args})


def solve_ask(head: ModelVersion, call: ToolData, request: RequestSolve) -> AskForSolve:
    """The ask to solve the present version."""
    parameters = SolveParameters.model_validate(request.parameters)
    code = running(head)
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
    return origin.args.get("hash") == program_hash(running(head), head.data_id, parameters)


def _card(
    proposal: Propose, left_out: list[IncompatiblePart], building: Collection[tuple[str, str]]
) -> dict[str, Any]:
    """The card of a proposal, with what is left out and what counts again."""
    card = dict(proposal.card)
    if left_out:
        card["incompatible"] = [part.model_dump(mode="json") for part in left_out]
    if building:
        again = [f"{kind} {id} fits the data again and counts" for kind, id in sorted(building)]
        card["warnings"] = [*card.get("warnings", ()), *again]
    return card


def _untouched(
    marked: tuple[IncompatiblePart, ...], changes: Collection[ModelChanges]
) -> list[IncompatiblePart]:
    """The marked parts that no change touches: one that is touched is being repaired, so it must build."""
    touched = {place for change in changes for place in _places(change)}
    return [part for part in marked if touched.isdisjoint({(part.kind, part.id), (part.kind, None)})]


def _places(change: ModelChanges) -> set[tuple[str, str | None]]:
    """Kind and id of what a change touches; the one objective goes without an id."""
    match change:
        case ConstraintDiff():
            return {
                ("constraint", side.constraint_id)
                for side in (change.removed, change.added)
                if side is not None
            }
        case VariableDiff():
            return {
                ("variable", side.variable_id) for side in (change.removed, change.added) if side is not None
            }
        case ObjectiveDiff():
            return {("objective", None)}
        case _:
            return set()
