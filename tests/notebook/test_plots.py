import importlib
import sys

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.solution import Solution
from decision_ai.errors import DecisionAIError
from decision_ai.notebook.plots import MOST_BARS, bar_plot, bars
from decision_ai.solving.outcome import Label, Outcome, OutcomeKind, Plan


def solution(values: dict[tuple[Label, ...], float]) -> Solution:
    return Solution(
        outcome=Outcome(kind=OutcomeKind.OPTIMAL, objective=12.5),
        validation=ValidationSucceeded(),
        plan=Plan(values={"take": list(values.items()), "total": [((), 7.0)]}),
    )


KNOWN = solution({("Tent",): 1.0, ("Drill",): 0.0, ("Saw", "Mon"): 2.0, ("$x$",): 3.0})


def test_bars_are_the_used_members_in_the_order_of_the_model() -> None:
    assert bars(KNOWN, "take", used_only=True) == (["Tent", "Saw, Mon", r"\$x\$"], [1.0, 2.0, 3.0], 0)
    assert bars(KNOWN, "take", used_only=False)[0][1] == "Drill"
    assert bars(KNOWN, "total", used_only=True) == (["total"], [7.0], 0)


def test_of_many_members_the_largest_are_kept_in_order() -> None:
    many = solution({(n,): float(n % 50 + 1) for n in range(100)})
    labels, values, left_out = bars(many, "take", used_only=True)
    assert (len(labels), left_out) == (MOST_BARS, 100 - MOST_BARS)
    assert labels == sorted(labels, key=int)
    assert min(values) == 31.0


def test_the_plot_has_a_bar_per_member(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = bar_plot(KNOWN, "take")
    assert [bar.get_height() for bar in axes.patches] == [1.0, 2.0, 3.0]
    assert axes.get_title() == "optimal: 12.5"
    other = axes.figure.add_subplot()
    assert bar_plot(KNOWN, "total", axes=other) is other
    axes.figure.canvas.draw()
    importlib.import_module("matplotlib.pyplot").close(axes.figure)


def test_what_cannot_be_plotted_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DecisionAIError, match="no variable family 'make'; there are take, total"):
        bar_plot(KNOWN, "make")
    nothing = Solution(outcome=Outcome(kind=OutcomeKind.INFEASIBLE), validation=ValidationSucceeded())
    with pytest.raises(DecisionAIError, match="no plan to plot: the solve ended as 'infeasible'"):
        bar_plot(nothing, "take")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(DecisionAIError, match="pip install"):
        bar_plot(KNOWN, "take")
