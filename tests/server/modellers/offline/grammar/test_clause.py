from collections.abc import Callable

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.meaning import Filter, Subset

Make = Callable[[str, str], Clause]


def test_a_list_is_a_union_and_neighbours_restrict(clause: Make) -> None:
    union = clause("harbour", "Petrel and Sea Otter").label_filters()
    assert union == {1: Filter(labels=("Sea Otter", "Petrel"))}
    both = clause("harbour", "Panama tankers").label_filters()
    assert both == {1: Filter(labels=("Black Swan",))}


def test_two_values_of_one_field_stay_a_condition(clause: Make) -> None:
    found = clause("knapsack", "kitchen and outdoor").label_filters()
    assert found[0].subsets == (Subset(attribute=("items", 0, "category"), values=("kitchen", "outdoor")),)


def test_a_number_that_repeats_a_size_is_no_amount(clause: Make) -> None:
    assert clause("harbour", "all four vessels").numbers == ()
    assert len(clause("harbour", "at most four vessels").numbers) == 1


def test_fields_are_rated_by_name_then_description(clause: Make) -> None:
    fit, attribute = clause("harbour", "the late fee of the ship").attributes()[0]
    assert attribute.name == "vessels.late_fee"
    assert fit.named
