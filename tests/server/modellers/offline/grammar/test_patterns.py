from collections.abc import Callable

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.patterns import pattern, spoken

Make = Callable[[str, str], Clause]
PACK = pattern(r"pack (?P<what>.+?) twice", r"pack (?P<what>.+?)(?: into (?P<where>.+?))?")


def test_a_clause_as_one_line(clause: Make) -> None:
    assert spoken(clause("knapsack", 'Call it "Plan B", two of three')).text == 'call it "plan_b" , 2 of 3'


def test_politeness_is_no_part_of_it(clause: Make) -> None:
    found = spoken(clause("knapsack", "OK, now pack the Tent into Van-2, please")).match(PACK)
    assert found is not None
    assert found.said("what") == "the tent"
    assert found.name("where") == "Van-2"
    assert [found.part("what").tokens[place].text for place in found.part("what").places] == ["the", "Tent"]


def test_groups_belong_to_the_alternative_that_matched(clause: Make) -> None:
    found = spoken(clause("knapsack", "pack it twice")).match(PACK)
    assert found is not None
    assert found.said("what") == "it"
    assert found.said("where") is None
    assert list(found.part("where").places) == []
