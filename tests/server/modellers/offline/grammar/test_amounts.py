from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.amounts import amounts
from decision_ai_server.modellers.offline.grammar.clause import Clause

Make = Callable[[str, str], Clause]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at most 4 items", [("<=", 4, False)]),
        ("five items at most", [("<=", 5, False)]),
        ("four items or fewer", [("<=", 4, False)]),
        ("it must not weigh more than 12 kg", [("<=", 12, False)]),
        ("never take fewer than 3", [(">=", 3, False)]),
        ("more than 3 items", [(">=", 3, True)]),
        ("between five and 3 items", [(">=", 3, False), ("<=", 5, False)]),
        ("exactly two", [("==", 2, False)]),
        ("only one item", [("<=", 1, False)]),
        ("limit the weight to 20", [("<=", 20, False)]),
        ("the weight is 20", []),
        ("at most some", []),
    ],
)
def test_amounts(clause: Make, text: str, found: list[tuple[str, float, bool]]) -> None:
    assert [(a.relation, a.value, a.strict) for a in amounts(clause("knapsack", text))] == found
