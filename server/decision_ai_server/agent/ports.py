"""What the agent needs from outside, and the values it works on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, ReasoningDelta
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult, ModelDescription
from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.journal import Entry, Figure, Note, Spent
from decision_ai_server.model_client.decisions import ModelDecision

CallState: TypeAlias = Literal["open", "done", "approved", "failed", "rejected", "solved", "cancelled"]


@dataclass(frozen=True, kw_only=True)
class ModelVersion:
    """One approved state of the model, parsed.

    Attributes:
        id: the version's id.
        parent: id of the version it came from; None for the first.
        program: the program as approved.
        json_data: the input data as JSON text.
        data_id: content address of `json_data`.
        sentence: what the person said; "" for the first.
        summary: one line per change, such as "added constraint at_most_4".
        incompatible: parts that do not build on the data; they stay in the program and are left out of what
            runs.
    """

    id: str
    parent: str | None
    program: Program
    json_data: str
    data_id: str
    sentence: str
    summary: str
    incompatible: tuple[IncompatiblePart, ...] = ()


@dataclass(frozen=True, kw_only=True)
class VersionTree:
    """Every version of a session, and where among them it stands.

    Attributes:
        versions: all of them, oldest first: the one of number n is `versions[n]`.
        branches: name → id of the newest version of every branch.
        branch: the branch the session is on; the next version becomes its newest.
        head: id of the present version, which may be older than the newest of the branch.
    """

    versions: tuple[ModelVersion, ...]
    branches: Mapping[str, str]
    branch: str
    head: str

    def line(self, version_id: str | None = None) -> tuple[ModelVersion, ...]:
        """A version and those it came from, newest first; the present one unless told otherwise."""
        known = {version.id: version for version in self.versions}
        line = [known[version_id or self.head]]
        while line[-1].parent is not None:
            line.append(known[line[-1].parent])
        return tuple(line)

    def number(self, version_id: str) -> int:
        """Number of a version, counted from 0 for the model as it was opened."""
        return next(n for n, version in enumerate(self.versions) if version.id == version_id)


@dataclass(frozen=True)
class Move:
    """Another version becomes the present one, on a branch; one that does not exist yet is made there."""

    head: str
    branch: str


Run: TypeAlias = Callable[[Job], Awaitable[JobResult]]
"""Runs a job on the server's executor."""
Delta: TypeAlias = ChatResponseDelta | ReasoningDelta


def keep_nothing(note: Note) -> None:
    """A journal for whoever keeps none."""


def tell_nobody(delta: Delta) -> None:
    """An audience for whoever has none."""


@dataclass(frozen=True, kw_only=True)
class CallRecord:
    """One tool call of the present turn and how it ended.

    Attributes:
        call: the call.
        state: `open` (no output yet), `done` (a tool without an ask), `approved` (the set became a version),
            `failed` (a check failed, or the edits could not be made into a change), `rejected` (the person
            said no, or typed something else instead), `solved` (with or without a plan), `cancelled`.
        output: the text that went to the modeller; None while open.
        asks: what was asked of the client, in order.
        answers: what the client answered, in order.
        rejection: the person's words, when rejected.
        asked_anew: whether something was asked once more because the model had changed.
        figures: the named figures of its result; an answer may quote these.
    """

    call: ToolData
    state: CallState
    output: str | None
    asks: tuple[AskForValidation | AskForSolve, ...] = ()
    answers: tuple[ValidationResponse | SolveResponse, ...] = ()
    rejection: str | None = None
    asked_anew: bool = False
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TurnContext:
    """What a modeller decides on.

    Attributes:
        sentence: what the person said last; a prompt typed over an open question counts.
        question: the assistant's clarifying question that `sentence` answers, or None.
        history: every stored message of the session, oldest first.
        calls: the tool calls of this turn, oldest first.
        base: the program the session started from.
        versions: the present version and its ancestors, newest first.
        last_solution: text of the newest plan of this session, or None; `solution_is_current` tells
            whether it belongs to the present version.
        tools: what may be called.
        describe: build the present version in the sandbox; None if it does not build.
        tree: all versions and branches.
        run: run a job in the server's sandbox.
        checks: the named checks that the person keeps; a proposal's preview says how it does on them.
        latest_error: why the last decision was sent back; None if it was not.
        interactive: whether somebody is there to answer a question.
        spent: what the decisions of this turn have cost so far.
        tell: shows a piece of what is being written to whoever watches live; the final message counts.
        note: keeps evidence in the session's journal, also where the decision is never made.
    """

    sentence: str
    question: str | None
    history: tuple[ChatMessage, ...]
    calls: tuple[CallRecord, ...]
    base: Program
    versions: tuple[ModelVersion, ...]
    last_solution: str | None
    solution_is_current: bool
    tools: tuple["ToolSpec", ...]
    describe: Callable[[], Awaitable[ModelDescription | None]]
    tree: VersionTree
    run: Run
    checks: tuple[PlanCheck, ...] = ()
    latest_error: str | None = None
    interactive: bool = True
    spent: Spent = field(default_factory=Spent)
    tell: Callable[[Delta], None] = tell_nobody
    note: Callable[[Note], None] = keep_nothing

    @property
    def head(self) -> ModelVersion:
        """The present version."""
        return self.versions[0]


@dataclass(frozen=True, kw_only=True)
class SessionView:
    """What a step sees of a session.

    Attributes:
        phase: whose turn it is.
        messages: every stored message, oldest first.
        base: the program the session started from.
        tree: all versions and branches.
        describe: build the present version in the sandbox; None if it does not build.
        run: run a job in the server's sandbox.
        checks: the named checks that the person keeps.
        reasoning: whether what the modeller thought is said before what it does.
        interactive: whether somebody is there to answer a question.
        journal: the entries of kind `decision`, `loss` and `result`, oldest first.
        tell: shows a piece of what is being written to whoever watches live.
        note: keeps evidence in the session's journal, whatever becomes of the step.
    """

    phase: Phase
    messages: tuple[ChatMessage, ...]
    base: Program
    tree: VersionTree
    describe: Callable[[], Awaitable[ModelDescription | None]]
    run: Run
    checks: tuple[PlanCheck, ...] = ()
    reasoning: bool = False
    interactive: bool = True
    journal: tuple[Entry, ...] = ()
    tell: Callable[[Delta], None] = tell_nobody
    note: Callable[[Note], None] = keep_nothing


class Modeller(Protocol):
    """Whoever turns a conversation into the next decision."""

    async def decide(self, context: TurnContext) -> ModelDecision:
        """One decision for the present turn; must not change anything itself."""
        ...


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """What a modeller is told about a tool.

    Attributes:
        name: the name to call it by.
        description: when to use it.
        input_schema: JSON schema of its input.
    """

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True)
class Output:
    """The tool is done; `text` goes back to the modeller.

    Attributes:
        text: the result in words; figures in it may be quoted.
        move: the version to go to, if any.
        failed: whether it could not be done.
        checks: all the checks the person keeps from now; None leaves them.
        figures: the result's figures by name, such as {"objective": 104.0}; an answer quotes them by
            `{tool.name}` and may state no others.
    """

    text: str
    move: Move | None = None
    failed: bool = False
    checks: tuple[PlanCheck, ...] | None = None
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class Propose:
    """A change set to ask the client about, part by part."""

    changes: tuple[ModelChanges, ...]
    card: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RequestSolve:
    """A solve to ask the client for."""

    parameters: dict[str, Any] = field(default_factory=dict)


ToolResult = Output | Propose | RequestSolve


class Tool(Protocol):
    """One tool of the toolbox."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description, input schema."""
        ...

    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Run it; bad arguments are an `Output` with `failed=True` that says what is wrong."""
        ...
