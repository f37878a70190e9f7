"""Comparing two versions of a session, solving both where that is wanted."""

import asyncio
from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.modeling.comparing import (
    MOST_SHOWN,
    ComparedVersion,
    Comparison,
    component_differences,
    plan_differences,
    value_differences,
)
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.outcome import Plan
from decision_ai.solving.parameters import SolveParameters
from decision_ai_server.agent.asking import running
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.moving import find
from decision_ai_server.agent.ports import ModelVersion, Run, VersionTree
from decision_ai_server.agent.words import outcome_figures, validation_words


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a comparison may cost.

    Attributes:
        solve: whether both versions are solved.
        seconds: the time limit of each solve.
    """

    solve: bool
    seconds: float = 60.0


async def compare(tree: VersionTree, pair: tuple[str, str | None], budget: Budget, run: Run) -> Comparison:
    """What differs between two versions of a tree.

    Args:
        tree: all versions.
        pair: the two, each by branch, number or id; None for the present one.
        budget: whether to solve them, and how long; the second solve starts from the first one's plan.
        run: runs a job in the sandbox.

    Raises:
        UnknownVersion: if there is no such version.
    """
    first, second = (find(tree, tree.head if name is None else name) for name in pair)
    a, b = (_described(tree, version) for version in (first, second))
    values = await asyncio.to_thread(value_differences, first.json_data, second.json_data)
    comparison = Comparison(
        a=a,
        b=b,
        components=component_differences(first.program, second.program),
        data=values[:MOST_SHOWN],
        data_count=len(values),
    )
    if not budget.solve:
        return comparison
    old = await _solved(first, budget, run, start=None)
    new = old if first is second else await _solved(second, budget, run, start=old.plan)
    members = plan_differences(old.plan, new.plan) if old.plan and new.plan else []
    return comparison.model_copy(
        update={
            "a": _with_outcome(a, old),
            "b": _with_outcome(b, new),
            "plan": members[:MOST_SHOWN],
            "plan_count": len(members),
        }
    )


def comparison_figures(comparison: Comparison) -> dict[str, Figure]:
    """The figures of a comparison, those of its two sides with `_a` and `_b` behind their names."""
    sides = (("a", comparison.a), ("b", comparison.b))
    figures: dict[str, Figure] = {
        "versions": len(sides),
        "differing_parts": len(comparison.components),
        "differing_values": comparison.data_count,
    }
    if all(side.outcome is not None and side.outcome.kind.has_plan for _, side in sides):
        figures["differing_members"] = comparison.plan_count
    for mark, side in sides:
        figures[f"version_{mark}"] = side.number
        if side.outcome is not None:
            told = outcome_figures(side.outcome)
            figures |= {f"{name}_{mark}": figure for name, figure in told.items()}
    return figures


def _described(tree: VersionTree, version: ModelVersion) -> ComparedVersion:
    return ComparedVersion(
        id=version.id,
        number=tree.number(version.id),
        sentence=version.sentence,
        incompatible=list(version.incompatible),
    )


def _with_outcome(side: ComparedVersion, result: JobResult) -> ComparedVersion:
    built = isinstance(result.validation, ValidationSucceeded)
    problem = None if built else validation_words(result.validation)
    return side.model_copy(update={"outcome": result.outcome, "problem": problem})


async def _solved(version: ModelVersion, budget: Budget, run: Run, *, start: Plan | None) -> JobResult:
    job = Job(
        task="solve",
        source=running(version),
        json_data=version.json_data,
        parameters=SolveParameters(time_limit=budget.seconds),
        start=start,
    )
    return await run(job)
