import pytest

from decision_ai_server.modellers.offline.meaning import Filter, Selection, Subset
from decision_ai_server.modellers.offline.naming import Naming, listed
from decision_ai_server.modellers.offline.understanding import Subject


def test_long_lists_are_cut() -> None:
    assert listed([]) == ""
    assert listed(["a", "b"]) == "a and b"
    assert listed([str(number) for number in range(12)]).endswith("7 and 4 more")


@pytest.mark.parametrize(("model", "tag"), [("knapsack", ""), ("harbour", " (moor)")])
def test_a_family_is_named_only_where_there_are_several(
    subjects: dict[str, Subject], model: str, tag: str
) -> None:
    names = Naming(subjects[model].vocabulary())
    family = subjects[model].vocabulary().families[0].id
    assert names.tag(Selection(family=family)) == tag


def test_what_a_filter_leaves(subjects: dict[str, Subject]) -> None:
    names = Naming(subjects["harbour"].vocabulary())
    tankers = Subset(attribute=("vessels", 1, "tanker"), values=(True,))
    flags = Subset(attribute=("vessels", 1, "flag"), values=("Panama", "Malta"))
    assert names.filtered(1, Filter(), one=True) == "vessel"
    assert names.filtered(1, Filter(subsets=(tankers,))) == "tanker vessels"
    assert names.filtered(1, Filter(subsets=(flags,))) == "vessels with flag Panama or Malta"
    assert names.filtered(1, Filter(labels=("Petrel",))) == "Petrel"


def test_a_quantity_is_called_by_its_noun(subjects: dict[str, Subject]) -> None:
    found = {0: Filter(labels=("Alder",))}
    names = Naming(subjects["production_planning"].vocabulary())
    assert names.amount(Selection(family="stock", filters=found)) == "the stock of Alder"
    assert names.amount(Selection(family="make", filters=found), total=True) == (
        "the total amount of Alder (make)"
    )
