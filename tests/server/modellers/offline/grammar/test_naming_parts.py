from collections.abc import Callable

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.naming_parts import (
    Chosen,
    component,
    either,
    listed_parts,
    named,
    unknown_part,
)

Make = Callable[[str, str], Clause]


def chosen(clause: Clause, *, changed: bool = True) -> str | None:
    part = component(clause, lambda known: known.changed is changed).part
    return None if part is None else part.id


def test_ids_descriptions_and_kinds_name_a_part(clause: Make) -> None:
    assert chosen(clause("later", "max_weight")) == "max_weight"
    assert chosen(clause("later", "the rule that no camera is taken")) == "no_camera"
    assert chosen(clause("later", "the goal")) == "objective"
    assert chosen(clause("later", "the variables")) == "take"


def test_of_parts_that_fit_alike_the_preferred_one_is_meant(clause: Make) -> None:
    weight = clause("later", "weight")
    assert chosen(weight) == "max_weight"
    assert component(clause("later", "frobnication"), lambda _: True) == Chosen()
    assert "There are capacity" in unknown_part(weight)


def test_lists(clause: Make) -> None:
    whole = clause("later", "capacity, the camera rule and max_items")
    assert [len(part.places) for part in listed_parts(whole)] == [1, 3, 1]
    parts = named(whole, whole.vocabulary.past.components)
    assert either(parts).count("'") % 2 == 0
