"""Which parts of a model fit its data with a change set, and which do no longer. Asked of the sandbox."""

from collections.abc import Collection

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ModelChanges, ObjectiveDiff
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.executors.base import Job
from decision_ai.solving.findings import IncompatiblePart
from decision_ai_server.agent.asking import compose
from decision_ai_server.agent.ports import ModelVersion, Run


def is_local(changes: Collection[ModelChanges]) -> bool:
    """Whether changes touch rules and the objective only, on which no other part of a model rests."""
    return all(isinstance(change, ConstraintDiff | ObjectiveDiff) for change in changes)


async def repaired(
    head: ModelVersion, changes: tuple[ModelChanges, ...], run: Run
) -> frozenset[tuple[str, str]]:
    """Kind and id of the marked parts that build again with changes, so that they count in what is asked.

    Raises:
        ProgramError: if the changes do not fit the version.
    """
    if not head.incompatible or is_local(changes):
        return frozenset()
    broken = await _broken(head, changes, run)
    if broken is None:
        return frozenset()  # the client's check finds the same, and says so
    still = {(part.kind, part.id) for part in broken}
    return frozenset((part.kind, part.id) for part in head.incompatible) - still


async def newly_broken(
    head: ModelVersion, changes: tuple[ModelChanges, ...], run: Run
) -> list[IncompatiblePart]:
    """The parts that fit the data of a version and do no longer with changes.

    Raises:
        ProgramError: if the changes do not fit the version.
    """
    if is_local(changes):
        return []
    known = {(part.kind, part.id) for part in head.incompatible}
    broken = await _broken(head, changes, run) or []
    return [part for part in broken if (part.kind, part.id) not in known]


async def _broken(
    head: ModelVersion, changes: tuple[ModelChanges, ...], run: Run
) -> list[IncompatiblePart] | None:
    """All parts that do not build with changes; None where the data do not fit their classes."""
    composed = compose(head, changes)
    job = Job(task="compatibility", source=composed.program.composed(), json_data=composed.json_data)
    result = await run(job)
    return result.findings.incompatible if isinstance(result.validation, ValidationSucceeded) else None
