from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.goals import read_goals

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("knapsack", "minimise total weight instead", "objective_replace"),
        ("knapsack", "maximise the number of items", "objective_replace"),
        ("knapsack", "minimize instead", "objective_sense"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_goals(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"),
    [("knapsack", "the weight"), ("knapsack", "minimise to 5"), ("knapsack", "do not minimise the weight")],
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_goals(whole) if not whole.important - reading.used] == []
