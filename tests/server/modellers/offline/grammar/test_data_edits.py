from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.data_edits import read_data_edits

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("knapsack", "set the capacity to 33", "data_set"),
        ("knapsack", "raise the capacity by 3", "data_set"),
        ("knapsack", "halve all weights", "data_scale"),
        ("harbour", "cargo of all vessels falls by 20 percent", "data_scale"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_data_edits(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"),
    [("knapsack", "at most 3"), ("knapsack", "the tent 5"), ("knapsack", "10 % of the weight")],
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_data_edits(whole) if not whole.important - reading.used] == []
