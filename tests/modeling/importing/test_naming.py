"""Identifiers are safe, unique and close to the names they stand for."""

import keyword
import unicodedata

import pytest
from hypothesis import given, strategies as st

from decision_ai.modeling.importing.naming import Names, class_identifier, identifier

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unit cost", "unit_cost"),
        ("größe", "größe"),
        ("_C1", "C1"),
        ("1st", "n_1st"),
        ("x+y", "x_y"),
        ("---", ""),
        ("model_dump_x", "n_model_dump_x"),
    ],
)
def test_identifiers(text: str, expected: str) -> None:
    assert identifier(text) == expected


@given(st.text())
def test_an_identifier_is_one_for_python(text: str) -> None:
    name = identifier(text)

    assert not name or (name.isidentifier() and unicodedata.normalize("NFKC", name) == name)
    assert len(name) <= 62
    assert not name.startswith("_")


@given(st.lists(st.sampled_from(["x", "x_", "x+", "class", "copy", "data", "+", "x_2"]), max_size=12))
def test_no_identifier_is_handed_out_twice_or_reserved(texts: list[str]) -> None:
    names = Names()

    found = [names.unique(text, instead="column") for text in texts]

    assert len(set(found)) == len(found)
    assert not [name for name in found if keyword.iskeyword(name) or name in ("copy", "data")]


def test_a_suffix_tells_what_the_second_of_a_name_is() -> None:
    names = Names()

    assert [names.unique("x", instead="row", suffix="_row") for _ in range(3)] == ["x", "x_row", "x_2"]
    assert names.unique("class", instead="x") == "class_"


def test_class_names() -> None:
    assert class_identifier("unit_cost") == "UnitCost"
