from collections.abc import Callable

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.selecting import choose
from decision_ai_server.modellers.offline.meaning import Filter, Selection

Make = Callable[[str, str], Clause]


def chosen(clause: Clause, family: str) -> Selection:
    found = choose(clause, clause.vocabulary.family(family))
    assert found is not None
    return found.selection


def test_each_is_found_behind_adjectives(clause: Make) -> None:
    assert chosen(clause("harbour", "at each berth"), "moor").each == (1,)
    assert chosen(clause("staff_scheduling", "nobody on late shifts"), "work").each == (0,)
    assert chosen(clause("knapsack", "from every category"), "take").each_value == ("items", 0, "category")
    assert chosen(clause("harbour", "the berth"), "moor").each == ()


def test_of_two_indices_alike_from_is_the_first(clause: Make) -> None:
    filters = chosen(clause("vrp_time_windows", "from Aldo to Berit"), "drive").filters
    assert filters == {1: Filter(labels=("Aldo",)), 2: Filter(labels=("Berit",))}
    assert set(chosen(clause("vrp_time_windows", "visit Aldo"), "drive").filters) == {2}


def test_a_label_that_the_family_does_not_run_over(clause: Make) -> None:
    found = clause("harbour", "Oil Pier")
    assert choose(found, found.vocabulary.family("cranes")) is None
