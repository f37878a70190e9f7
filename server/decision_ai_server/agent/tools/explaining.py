"""The tools that explain: every figure is of a solve that was made for the question. They change no model."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.explaining.binding import ConstraintUse, uses
from decision_ai.explaining.conflict import Conflict, find_conflict
from decision_ai.explaining.solves import Model, is_feasible, solved
from decision_ai.explaining.what_if import WhatIf, what_if
from decision_ai.modeling.comparing import MemberDifference
from decision_ai.modeling.parts import ConstraintPart, ObjectivePart, VariablePart
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, indexed_name
from decision_ai_server.agent.asking import compose
from decision_ai_server.agent.edits import Edit, to_changes
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.ports import ModelVersion, Output, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.rule_edits import SIDE, SetRule
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told
from decision_ai_server.agent.words import outcome_figures

_MOST_MEMBERS, _MOST_CONSTRAINTS = 10, 20
_FORCED = "forced_rule"
_NOT_KEPT = "Nothing of this is kept; the model is as it was."


class Timed(ToolInput):
    """An explanation may take this long."""

    seconds: float = Field(default=20.0, gt=0, le=600)
    """Time limit of each solve, in seconds; for explain_infeasibility of all solves together."""


class WhatIfInput(Timed):
    """What to try."""

    edits: list[Edit] = Field(min_length=1)
    """The edits to try, as in propose_changes."""


class WhyNotInput(Timed):
    """The rule that plans are to obey for once, such as left `v.open['North']`, sense `==`, right `1`."""

    for_each: list[str] = []
    """Loops over index sets, as in set_rule; empty for a single rule."""
    left: str = Field(json_schema_extra=SIDE)
    """Left side, a linear Python expression; no comparison here."""
    sense: Literal["<=", ">=", "=="]
    right: str = Field(json_schema_extra=SIDE)
    """Right side, such as `1`."""


class WhatIfTool:
    """Try a change."""

    spec = ToolSpec(
        name="what_if",
        description=(
            "Answer what happens if: solve the model as it is and with the edits, and compare. Nothing is "
            "kept and nobody is asked. To change the model, use propose_changes."
        ),
        input_schema=WhatIfInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Solve both."""
        wanted, head = read(WhatIfInput, args), context.head
        changes = to_changes(wanted.edits, head.program, head.json_data)
        found, conflict = await _tried(context, changes, wanted.seconds)
        return _compared(found, "with the change", conflict)


class WhyNot:
    """Force what a plan does not do, and see what it costs."""

    spec = ToolSpec(
        name="why_not",
        description=(
            "Answer why not, and why something is not in the plan: force it by a rule, solve again, and tell "
            "what it costs or which constraints forbid it. Nothing is kept. "
            'Example, "why is North closed": {"left": "v.open[\'North\']", "sense": "==", "right": "1"}.'
        ),
        input_schema=WhyNotInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Solve with the rule."""
        wanted, head = read(WhyNotInput, args), context.head
        name = _free(_FORCED, head.program)
        fields = wanted.model_dump(include={"for_each", "left", "sense", "right"})
        rule = SetRule.model_validate({"id": name, "description": "What is asked about.", **fields})
        changes = to_changes([rule], head.program, head.json_data)
        found, conflict = await _tried(context, changes, wanted.seconds)
        return _compared(found, "with that forced", conflict, forced=name)


class ExplainInfeasibility:
    """Which constraints leave no plan."""

    spec = ToolSpec(
        name="explain_infeasibility",
        description=(
            "Find the constraints that together leave no plan, by leaving them out one by one and solving. "
            "Use it when a solve ended as infeasible."
        ),
        input_schema=Timed.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Filter the constraints."""
        wanted = read(Timed, args)
        found = await find_conflict(_present(context.head), context.run, wanted.seconds)
        figures: dict[str, Figure] = {"status": found.status, "solves": found.solves}
        if found.status == "conflict":
            figures["constraints"] = len(found.constraints)
        return Output(_conflict_words(found, None), figures=figures)


class Sensitivity:
    """What the best plan uses up."""

    spec = ToolSpec(
        name="sensitivity",
        description=(
            "Tell which constraints are binding at the best plan, and how much is left of the others. "
            "Binding does not yet mean that more of it would help; what_if tells that."
        ),
        input_schema=Timed.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Solve, and read the rows."""
        wanted = read(Timed, args)
        result = await solved(_present(context.head), context.run, wanted.seconds)
        assert result.outcome is not None
        if result.plan is None:
            raise Refused(f"there is no plan to look at: the solve ended as {_ended(result.outcome)}")
        return _used(result.outcome, uses(result.rows))


EXPLAINING_TOOLS = (WhatIfTool(), WhyNot(), ExplainInfeasibility(), Sensitivity())


def _present(head: ModelVersion) -> Model:
    return Model(head.program.without(head.incompatible), head.json_data)


async def _tried(
    context: TurnContext, changes: Sequence[ModelChanges], seconds: float
) -> tuple[WhatIf, Conflict | None]:
    """The model as it is and with changes, and what is in conflict where those leave no plan."""
    present, changed = _present(context.head), _with_changes(context.head, changes)
    found = await what_if(present, changed, context.run, seconds)
    if is_feasible(found.after) is not False:
        return found, None
    return found, await find_conflict(changed, context.run, seconds)


def _with_changes(head: ModelVersion, changes: Sequence[ModelChanges]) -> Model:
    """The version with changes, on a copy; what does not build is left out unless it was changed."""
    composed = compose(head, tuple(changes))
    same = [part for part in head.incompatible if _part(composed.program, part) == _part(head.program, part)]
    return Model(composed.program.without(same), composed.json_data)


def _part(program: Program, part: IncompatiblePart) -> str | None:
    """The code of a part, None if the program has no such."""
    goal = program.objective
    kinds: dict[str, Mapping[str, ConstraintPart | VariablePart | ObjectivePart]] = {
        "constraint": program.constraints,
        "variable": program.variables,
        "objective": {} if goal is None else {goal.id: goal},
    }
    found = kinds[part.kind].get(part.id)
    return None if found is None else found.code


def _free(name: str, program: Program) -> str:
    while name in program.source:
        name += "_"
    return name


def _ended(outcome: Outcome) -> str:
    return ": ".join([outcome.kind.value, *([", ".join(outcome.figures)] if outcome.figures else [])])


def _compared(found: WhatIf, how: str, conflict: Conflict | None, forced: str | None = None) -> Output:
    figures: dict[str, Figure] = {"plans": found.before.kind.has_plan + found.after.kind.has_plan}
    for mark, outcome in (("before", found.before), ("after", found.after)):
        figures |= {f"{name}_{mark}": value for name, value in outcome_figures(outcome).items()}
    lines = [f"As it is: {_ended(found.before)}.", f"{how.capitalize()}: {_ended(found.after)}."]
    if found.difference is not None:
        figures["difference"] = found.difference
        lines.append(f"The objective changes by {found.difference:+.10g}.")
    if found.missed:
        lines.append("Soft constraints count before the objective; they are missed by:")
    for one in found.missed:
        lines.append(f"- {one.constraint_id}: {one.before:.6g} → {one.after:.6g}")
        figures[f"{one.constraint_id}_missed_before"] = one.before
        figures[f"{one.constraint_id}_missed_after"] = one.after
    if found.before.kind.has_plan and found.after.kind.has_plan:
        if not found.proven:
            lines.append("At least one of the two plans is not proven best, so the difference may be off.")
        figures["changed_members"] = len(found.members)
        lines.append(f"Members of the plan that differ: {len(found.members)}.")
        lines += [f"- {_member(member)}" for member in found.members[:_MOST_MEMBERS]]
    if conflict is not None:
        lines.append(_conflict_words(conflict, forced))
    return Output("\n".join([*lines, _NOT_KEPT]), figures=figures)


def _member(member: MemberDifference) -> str:
    values = ("absent" if value is None else f"{value:.10g}" for value in (member.before, member.after))
    return f"{indexed_name(member.variable_id, member.index)}: {' → '.join(values)}"


def _conflict_words(found: Conflict, forced: str | None) -> str:
    if found.status == "feasible":
        return "The model has a plan; no constraints are in conflict."
    if found.status == "undecided":
        return "Whether there is a plan at all was not settled in the time; allow more seconds."
    names = ["what was forced" if id == forced else id for id in found.constraints]
    if not names:
        return "The bounds of the variables leave no plan, whatever the constraints."
    if len(names) == 1:
        return f"{names[0]} alone leaves no plan."
    proof = (
        "leave out any one of them and there is a plan"
        if found.irreducible
        else "not yet irreducible: time ran out before each of them was shown to be needed"
    )
    return f"Together these leave no plan: {', '.join(names)} ({proof})."


def _used(outcome: Outcome, found: list[ConstraintUse]) -> Output:
    lines = [f"The solve ended as {_ended(outcome)}."]
    if outcome.kind is not OutcomeKind.OPTIMAL:
        lines.append("The plan is not proven best; a better one may use up other rows.")
    lines += [f"- {_use_words(use)}" for use in found[:_MOST_CONSTRAINTS]]
    if len(found) > _MOST_CONSTRAINTS:
        lines.append(f"… and {len(found) - _MOST_CONSTRAINTS} constraints more")
    figures: dict[str, Figure] = outcome_figures(outcome)
    for use in found[:_MOST_CONSTRAINTS]:
        figures[f"{use.id}_binding"] = use.binding + use.equalities
        figures[f"{use.id}_rows"] = use.rows
        if use.least_slack is not None:
            figures[f"{use.id}_slack"] = use.least_slack
    return Output("\n".join(lines), figures=figures)


def _use_words(use: ConstraintUse) -> str:
    said = []
    if use.equalities:
        said.append(f"{use.equalities} equalities, which every plan uses up")
    if use.least_slack is not None:
        limits = use.rows - use.equalities
        said.append(f"{use.binding} of {limits} limits binding, least slack {use.least_slack:.10g}")
    if use.violated:
        said.append(f"{use.violated} of {use.rows} rows violated")
    return f"{use.id}: {'; '.join(said)}"
