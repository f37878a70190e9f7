"""The tools that walk among the versions of the model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field, model_validator

from decision_ai_server.agent import moving
from decision_ai_server.agent.comparing import Budget, compare, comparison_figures
from decision_ai_server.agent.figure_sources import allowed_in
from decision_ai_server.agent.figures import unsupported
from decision_ai_server.agent.known_names import names_in
from decision_ai_server.agent.ports import (
    ModelVersion,
    Move,
    Output,
    Propose,
    ToolResult,
    ToolSpec,
    TurnContext,
    VersionTree,
)
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told

_COMPARE_SECONDS = 30.0


class StepsInput(ToolInput):
    """How far to go."""

    steps: int = Field(default=1, ge=1)


class BranchInput(ToolInput):
    """What to call the new branch."""

    name: str


class CheckoutInput(ToolInput):
    """Where to go: a version, or the time before a component was changed; one of the two."""

    version: str | int | None = None
    """A branch, a number of show_history (0 = the model as it was opened), or the id of a version."""
    before: str | None = None
    """Id of a component: go to the newest version from before it was added or last changed."""

    @model_validator(mode="after")
    def _one_of_two(self) -> "CheckoutInput":
        if (self.version is None) == (self.before is None):
            raise ValueError("give either version or before")
        return self


class CompareInput(ToolInput):
    """Which two versions to compare; each a branch, a number of show_history, or an id."""

    a: str | int
    b: str | int | None = None
    """None = the present version."""
    solve: bool = True
    """Whether both are solved."""


class ResetInput(ToolInput):
    """Which component to bring back."""

    id: str


class Undo:
    """Take back the newest approved change sets."""

    spec = ToolSpec(
        name="undo",
        description="Take back the newest approved change set, or the newest `steps` of them.",
        input_schema=StepsInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Say what is taken back; the session moves its head."""
        steps = read(StepsInput, args).steps
        move = moving.undo(context.tree, steps)
        taken_back = _enough(context.versions[:-1], steps, "undone")
        return Output(f"Undone: {_summaries(taken_back)}.", move=move, figures={"changes": steps})


class Redo:
    """Bring undone change sets back."""

    spec = ToolSpec(
        name="redo",
        description="Bring back what was undone: the next change set of the branch, or the next `steps`.",
        input_schema=StepsInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Say what comes back; the session moves its head."""
        steps = read(StepsInput, args).steps
        move = moving.redo(context.tree, steps)
        brought_back = _enough(moving.undone(context.tree), steps, "redone")
        return Output(f"Redone: {_summaries(brought_back)}.", move=move, figures={"changes": steps})


class Branch:
    """Start a branch."""

    spec = ToolSpec(
        name="branch",
        description="Start a new branch of versions at the present one and go on there.",
        input_schema=BranchInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Make the branch; its name is shown from then on, so it may say no figure that nobody said."""
        name = read(BranchInput, args).name
        move = moving.branch(context.tree, name)
        allowed = allowed_in(context)
        figures = unsupported(name, replace(allowed, names=allowed.names | names_in(name)))
        if figures:
            said = ", ".join(figures)
            raise Refused(f"the name says {said}; take one without figures, such as 'night shift'")
        return Output(f"This is now the branch {move.branch!r}; nothing else was changed.", move=move)


class Checkout:
    """Go to a version."""

    spec = ToolSpec(
        name="checkout",
        description=(
            "Go to another version or branch (`version`), or back to the time before a component was added "
            "or changed (`before`). Nothing is lost."
        ),
        input_schema=CheckoutInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Say where the session is then; it moves its head."""
        wanted = read(CheckoutInput, args)
        if wanted.before is not None:
            move = moving.before(context.tree, wanted.before)
        else:
            move = moving.checkout(context.tree, str(wanted.version))
        number = context.tree.number(move.head)
        text = f"The model is now {_place(context.tree, move)}."
        return Output(text, move=move, figures={"version": number})


class Compare:
    """Compare two versions."""

    spec = ToolSpec(
        name="compare",
        description="Compare two versions or branches: parts, data, and how good their best plans are.",
        input_schema=CompareInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Compare, solving both in the server's sandbox."""
        wanted = read(CompareInput, args)
        pair = str(wanted.a), None if wanted.b is None else str(wanted.b)
        tree = context.tree
        ids = {moving.find(tree, tree.head if name is None else name).id for name in pair}
        if len(ids) == 1:
            number = tree.number(ids.pop())
            text = f"Both are version {number}: nothing differs between them."
            return Output(text, figures={"version_a": number, "version_b": number})
        budget = Budget(solve=wanted.solve, seconds=_COMPARE_SECONDS)
        comparison = await compare(tree, pair, budget, context.run)
        return Output(str(comparison), figures=comparison_figures(comparison))


class Reset:
    """Bring a component back to what it was at first."""

    spec = ToolSpec(
        name="reset",
        description=(
            "Bring one component back to what it was when the model was opened: a change like any other, "
            "which the person approves."
        ),
        input_schema=ResetInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Propose the changes that bring it back."""
        id = read(ResetInput, args).id
        changes = moving.reset(context.tree, id)
        whole = all(change.added is None for change in changes)
        reading = (
            f"Take {id} out, which was not there when the model was opened."
            if whole
            else f"Bring {id} back to what it was when the model was opened."
        )
        card = {"sentence": context.sentence, "reading": reading}
        return Propose(changes=tuple(changes), card=card)


def _enough(versions: Sequence[ModelVersion], steps: int, done: str) -> Sequence[ModelVersion]:
    """That many of the versions; a person who says "undo three" must not get two."""
    if steps > len(versions):
        count = "1 change" if len(versions) == 1 else f"{len(versions)} changes"
        raise Refused(f"only {count} can be {done}, not {steps}")
    return versions[:steps]


def _summaries(versions: Sequence[ModelVersion]) -> str:
    return "; ".join(version.summary for version in versions)


def _place(tree: VersionTree, move: Move) -> str:
    number = tree.number(move.head)
    version = tree.versions[number]
    said = version.summary if number else "the model as it was opened"
    left_out = ", ".join(f"{part.kind} {part.id}" for part in version.incompatible)
    note = f"; left out, because the data do not fit: {left_out}" if left_out else ""
    return f"version {number} ({said}) on the branch {move.branch!r}{note}"
