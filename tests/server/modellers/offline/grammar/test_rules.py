from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.rules import read_rules

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("knapsack", "switch off the weight limit", "switch_rule"),
        ("knapsack", "remove the max_items rule", "switch_rule"),
        ("knapsack", "eight items instead of seven", "right_hand_side"),
        ("knapsack", "max_items should be 8", "right_hand_side"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_rules(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("knapsack", "eight items instead of five"),
        ("harbour", "forget about the delay"),
        ("knapsack", "bring it back"),
    ],
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_rules(whole) if not whole.important - reading.used] == []
