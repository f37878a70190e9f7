"""Plots of a solution. The only file that knows matplotlib, which is an optional extra."""

from importlib import import_module
from typing import Any

from decision_ai.client.solution import Solution
from decision_ai.errors import DecisionAIError
from decision_ai.solving.outcome import Label

MOST_BARS = 40


def bar_plot(solution: Solution, variable_id: str, *, used_only: bool = True, axes: Any = None) -> Any:
    """The values of one variable family as bars, in the order of the model.

    Args:
        solution: a solution with a plan.
        variable_id: the family.
        used_only: whether to leave out the values that are zero.
        axes: matplotlib axes to draw on; None makes a figure.

    Returns:
        The matplotlib axes.

    Raises:
        DecisionAIError: if there is no plan, no such family, or no matplotlib.
    """
    labels, values, left_out = bars(solution, variable_id, used_only=used_only)
    if axes is None:
        pyplot = _pyplot()
        _, axes = pyplot.subplots(figsize=(max(4.0, 0.5 * len(labels) + 1.5), 3.2), layout="constrained")
    places = range(len(labels))
    axes.bar(places, values)
    axes.set_xticks(places, labels, rotation=45, ha="right")
    axes.set_ylabel(variable_id)
    more = f" ({left_out} smaller left out)" if left_out else ""
    axes.set_title(f"{solution.outcome.kind.value.replace('_', ' ')}: {solution.objective_value:.10g}{more}")
    return axes


def bars(solution: Solution, variable_id: str, *, used_only: bool) -> tuple[list[str], list[float], int]:
    """Labels, values, and how many of the smallest were left out.

    Raises:
        DecisionAIError: if there is no plan or no such family.
    """
    if solution.plan is None:
        raise DecisionAIError(f"there is no plan to plot: the solve ended as {solution.status.value!r}")
    if variable_id not in solution.plan.values:
        known = ", ".join(solution.plan.values)
        raise DecisionAIError(f"there is no variable family {variable_id!r}; there are {known}")
    members = [
        (_label(index) or variable_id, value)
        for index, value in solution.plan.values[variable_id]
        if not used_only or abs(value) > 1e-9
    ]
    largest = sorted(range(len(members)), key=lambda n: -abs(members[n][1]))[:MOST_BARS]
    shown = [members[n] for n in sorted(largest)]
    return [label for label, _ in shown], [value for _, value in shown], len(members) - len(shown)


def _label(index: tuple[Label, ...]) -> str:
    # "$" would begin a formula in matplotlib.
    return ", ".join(map(str, index)).replace("$", r"\$")


def _pyplot() -> Any:
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise DecisionAIError("plots need matplotlib: pip install 'decision-ai[notebook]'") from error
