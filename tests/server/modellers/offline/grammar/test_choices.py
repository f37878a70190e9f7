from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.choices import read_choices
from decision_ai_server.modellers.offline.grammar.clause import Clause

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("knapsack", "the tent must be taken", "force"),
        ("knapsack", "leave the tent at home", "forbid"),
        ("knapsack", "never the tent together with the stove", "pair_conflict"),
        ("harbour", "Petrel and Sea Otter must be at the same berth", "together"),
        ("knapsack", "if the tent goes, the stove must go too", "implication"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_choices(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("knapsack", "the tent is heavy"),
        ("knapsack", "either the tent or the stove must go"),
        ("knapsack", "take 3 of the tent"),
    ],
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_choices(whole) if not whole.important - reading.used] == []
