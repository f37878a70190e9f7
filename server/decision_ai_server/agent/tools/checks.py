"""The tools for the checks a person keeps. They change no model, so nobody is asked to approve."""

from collections.abc import Sequence
from typing import Any

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.modeling.check_text import plan_check
from decision_ai.solving.executors.base import Job
from decision_ai.solving.findings import PlanCheck
from decision_ai.solving.outcome import Plan
from decision_ai_server.agent import words
from decision_ai_server.agent.asking import running
from decision_ai_server.agent.kept_checks import with_check, without_check
from decision_ai_server.agent.ports import Output, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told


class KeepCheckInput(ToolInput):
    """A check with its name."""

    name: str
    """A name as Python has them, such as tent_or_stove."""
    sentence: str = ""
    """What must hold, in the person's words; empty for what the person said last."""
    code: str
    """An expression over `data` and `v` that must hold at a plan, such as `v.open['North'] <= 1`, or one
    method `def name(self, data, v): ...` that returns or yields comparisons, returns a bool, or asserts."""


class RemoveCheckInput(ToolInput):
    """Which check to keep no longer."""

    name: str


class KeepCheck:
    """Keep a check."""

    spec = ToolSpec(
        name="keep_check",
        description=(
            "Keep a named check of plans: the preview of every later change says whether the new plan obeys "
            "it. It does not change the model; for a rule that plans must obey, use propose_changes."
        ),
        input_schema=KeepCheckInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Try the check on a plan of zeros; keep it if it can be told whether it holds."""
        wanted = read(KeepCheckInput, args)
        check = plan_check(wanted.name, wanted.sentence or context.sentence, wanted.code)
        same = next((known for known in context.checks if known.sentence == check.sentence != ""), None)
        if same is not None and same.name != check.name:
            return Output(f"This is kept already, as the check {_line(same)}.")
        kept = with_check(context.checks, check)
        problem = await _problem(context, check)
        if problem is not None:
            raise Refused(f"the check {check.name!r} cannot be evaluated: {problem}")
        text = f"The check {_line(check)} is kept. Kept are now:\n{_list(kept)}"
        return Output(text, checks=kept, figures={"checks": len(kept)})


class RemoveCheck:
    """Keep a check no longer."""

    spec = ToolSpec(
        name="remove_check",
        description="Keep a named check of plans no longer.",
        input_schema=RemoveCheckInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Say what is left."""
        name = read(RemoveCheckInput, args).name
        left = without_check(context.checks, name)
        text = f"The check {name} is no longer kept. {_kept_words(left)}"
        return Output(text, checks=left, figures={"checks": len(left)})


class ShowChecks:
    """The checks that are kept."""

    spec = ToolSpec(
        name="show_checks",
        description="List the named checks of plans that the person keeps.",
        input_schema=ToolInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """One line per check."""
        return Output(_kept_words(context.checks), figures={"checks": len(context.checks)})


async def _problem(context: TurnContext, check: PlanCheck) -> str | None:
    """Why it cannot be told whether a plan obeys a check; None if it can."""
    head = context.head
    result = await context.run(
        Job(
            task="price",
            source=running(head),
            json_data=head.json_data,
            plan=Plan(values={}),
            checks=[check],
        )
    )
    if not isinstance(result.validation, ValidationSucceeded):
        return f"the model does not build; {words.validation_words(result.validation)}"
    return next((found.message for found in result.findings.checks if found.holds is None), None)


def _kept_words(checks: Sequence[PlanCheck]) -> str:
    return f"Kept are:\n{_list(checks)}" if checks else "No check is kept."


def _list(checks: Sequence[PlanCheck]) -> str:
    return "\n".join(f"- {_line(check)}" for check in checks)


def _line(check: PlanCheck) -> str:
    return f"{check.name} ({check.sentence})"
