from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.readings import interpret, is_question

Make = Callable[[str, str], Clause]


def kinds(clause: Clause) -> list[str]:
    (best, *_) = interpret(clause.linked, clause.vocabulary)
    return [] if best.missed else [meaning.kind for meaning in best.meanings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at most 4 items, and not the tent together with the stove", ["cardinality", "pair_conflict"]),
        ("Leave the tent at home and raise the capacity to 33 kg.", ["forbid", "data_set"]),
        ("the tent and the stove together at most 10 kg", ["total_limit"]),
        ("The tent must go. The stove must not.", ["force", "forbid"]),
        ("The tent must go, whatever the capacity says", ["force"]),
        ("at most 4 items, but 3 tents", []),
    ],
)
def test_where_a_sentence_is_cut(clause: Make, text: str, found: list[str]) -> None:
    assert kinds(clause("knapsack", text)) == found


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how heavy is the tent?", True),
        ("what is the capacity", True),
        ("can you leave the tent out?", False),
        ("What leaves the shelf must stay within 7 items", False),
        ("take the tent", False),
    ],
)
def test_questions(clause: Make, text: str, asked: bool) -> None:
    assert is_question(clause("knapsack", text)) is asked


def test_endless_text_is_not_read(clause: Make) -> None:
    whole = clause("knapsack", "take the tent and " * 100)
    assert interpret(whole.linked, whole.vocabulary) == []
