from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.commands import read_commands

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("model", "text", "kind"),
    [
        ("knapsack", "solve it", "solve"),
        ("knapsack", "undo", "undo"),
        ("knapsack", "show the data", "show"),
        ("knapsack", "help", "help"),
    ],
)
def test_meanings(clause: Make, model: str, text: str, kind: str) -> None:
    whole = clause(model, text)
    readings = [reading for reading in read_commands(whole) if not whole.important - reading.used]
    assert readings
    assert readings[0].meanings[0].kind == kind


@pytest.mark.parametrize(
    ("model", "text"), [("knapsack", "do not solve"), ("knapsack", "undo the tent"), ("knapsack", "undo 2.5")]
)
def test_what_it_does_not_mean(clause: Make, model: str, text: str) -> None:
    whole = clause(model, text)
    assert [reading for reading in read_commands(whole) if not whole.important - reading.used] == []
