import pytest

from decision_ai.tabular.names import Heading, heading, matched, nearest, same_unit, singular, unit_factor


@pytest.mark.parametrize(
    ("text", "name", "unit"),
    [
        ("Weight [kg]", "Weight", "kg"),
        ("Cost (EUR/t)", "Cost", "EUR/t"),
        ("Weight[kg]", "Weight", "kg"),
        ("Weight", "Weight", ""),
        ("(kg)", "(kg)", ""),
    ],
)
def test_a_header_is_taken_apart(text: str, name: str, unit: str) -> None:
    assert heading(text) == Heading(text, name, unit)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("max_weight", "max_weight"),
        ("Max. Weight", "max_weight"),
        ("MAX-WEIGHTS", "max_weight"),
        ("Item", "items"),
        ("cities", "city"),
        ("product demand", "products.demand"),
        ("max weigth", None),
        ("", None),
    ],
)
def test_a_name_means_a_known_one_whatever_its_case_signs_and_number(name: str, found: str | None) -> None:
    assert matched(name, ["max_weight", "items", "city", "products.demand"]) == found


def test_a_name_that_may_mean_two_means_neither() -> None:
    assert matched("Unit Cost", ["unit_cost", "unitcost"]) is None
    assert matched("unit_cost", ["unit_cost", "unitcost"]) == "unit_cost"


def test_a_wrong_name_gets_a_proposal() -> None:
    assert nearest("wieght", ["weight", "value"]) == "did you mean 'weight'?"
    assert nearest("zzz", ["weight", "value"]) == "there are 'weight', 'value'"
    assert nearest("zzz", map(str, range(10))).endswith(", …")
    assert nearest("zzz", []) == "there are none"


@pytest.mark.parametrize(
    ("plural", "one"),
    [("boxes", "box"), ("glasses", "glass"), ("buses", "buse"), ("class", "class"), ("as", "as")],
)
def test_plurals(plural: str, one: str) -> None:
    assert singular(plural) == one


def test_units_are_compared_as_written_and_by_what_they_measure() -> None:
    assert same_unit("€ / t", "EUR/t")
    assert not same_unit("mW", "MW")
    assert unit_factor("t", "kg") == 1000
    assert unit_factor("t", "EUR") is None
    assert unit_factor("?!", "kg") is None
