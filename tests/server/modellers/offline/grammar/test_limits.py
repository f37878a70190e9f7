from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.limits import read_limits

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("harbour", "at most one Panama vessel at each berth", "cardinality"),
        ("harbour", "the total delay must not exceed 10 hours", "total_limit"),
        ("knapsack", "total weight at most 25", "total_limit"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_limits(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("production_planning", "Cedar in no more than three months"),
        ("knapsack", "the tent must be taken"),
        ("knapsack", "at most 4"),
    ],
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_limits(whole) if not whole.important - reading.used] == []
