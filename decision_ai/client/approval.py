"""The values that pass between a connection and whoever approves: what is asked, what can be said."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import Validation
from decision_ai.solving.findings import CheckResult, IncompatiblePart
from decision_ai.solving.outcome import Label, Outcome
from decision_ai.solving.parameters import SolveParameters

RowName: TypeAlias = tuple[str, tuple[Label, ...]]
"""Constraint id and index of one row."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What the change does to the plan, from time-boxed solves of the model before and after.

    Attributes:
        before: outcome of the present model; None if it does not build.
        after: outcome with the change; None if it does not build.
        sense: `minimize` or `maximize`, to tell better from worse.
        newly_binding: rows that are used up with the change and were not before.
        newly_idle: rows that were used up before and are not with the change.
        rows_added: rows after minus rows before.
        columns_added: columns after minus columns before.
        checks: how the plan with the change does on the checks the person keeps.
    """

    before: Outcome | None
    after: Outcome | None
    sense: str
    newly_binding: tuple[RowName, ...] = ()
    newly_idle: tuple[RowName, ...] = ()
    rows_added: int = 0
    columns_added: int = 0
    checks: tuple[CheckResult, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Card:
    """How the sentence was understood (key `card` of the ask's `tool_origin.args`), and what to look at.

    Attributes:
        sentence: what the person said.
        reading: how it was read.
        unused_words: words of the sentence that nothing was made of.
        warnings: what a person should look at: the modeller's own, then those found on this machine.
        doubt: why the reading may be wrong.
        incompatible: parts that do not build on the data and are left out of what runs.
    """

    sentence: str = ""
    reading: str = ""
    unused_words: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    doubt: str | None = None
    incompatible: tuple[IncompatiblePart, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """One change set, checked, for the person to approve, edit or reject.

    Attributes:
        changes: every diff of the set in order; most sets have one.
        validation: the check of the composed program; a failed one never reaches a person.
        card: the sentence as understood, with doubts and warnings.
        tool_origin: the call behind the ask.
        preview: waits for the preview, boxed at five seconds; may be awaited more than once. None as result
            if no preview could be made in time.
        preview_result: the preview, for approvers that are not async: they are called when it is finished.
        units: unit by path of the data values that change, where it is declared.
    """

    changes: tuple[ModelChanges, ...]
    validation: Validation
    card: Card
    tool_origin: ToolData
    preview: Callable[[], Awaitable[Preview | None]] = field(repr=False)
    preview_result: Preview | None = None
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def change(self) -> ModelChanges:
        """The last diff of the set, the only one in most."""
        return self.changes[-1]


@dataclass(frozen=True)
class Approve:
    """Yes. `changes` replaces the last diff by the person's edit, which is checked before it is applied."""

    changes: ModelChanges | None = None


@dataclass(frozen=True)
class Reject:
    """No; the reason goes back to the modeller in the person's words."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class SolveRequest:
    """A solve the assistant asks for."""

    code: str
    parameters: SolveParameters
    tool_origin: ToolData


ApprovalDecision: TypeAlias = Approve | Reject
Approver: TypeAlias = Callable[[Proposal], ApprovalDecision | Awaitable[ApprovalDecision]]
SolveApprover: TypeAlias = Callable[[SolveRequest], ApprovalDecision | Awaitable[ApprovalDecision]]
