"""Labels as the data spell them."""

import ast

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.spelling import labels, respelled, spelled


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("kettle", "Kettle"),
        ("KETTLE", "Kettle"),
        ("Kettle", "Kettle"),
        ("jar", "jar"),
        ("Jar", "Jar"),
        ("JAR", "JAR"),
        ("lid", "lid"),
        (3, 3),
        (True, True),
    ],
)
def test_a_key_is_what_one_known_key_only_is(key: object, meant: object) -> None:
    """`JAR` may be `jar` or `Jar`, so it stays what it is."""
    assert spelled(key, ["Kettle", "jar", "Jar", 3]) == meant


@given(st.text(), st.lists(st.text()))
def test_what_is_known_stays(key: str, others: list[str]) -> None:
    assert spelled(key, [*others, key]) == key


def test_labels_are_keys_and_texts() -> None:
    data = {"items": {"Kettle": {"weight": 3, "kind": "kitchen"}}, "days": ["Mon", 4, None]}
    assert set(labels(data)) == {"items", "Kettle", "weight", "kind", "kitchen", "days", "Mon"}


def test_texts_in_an_expression_are_respelled_and_nothing_else() -> None:
    tree = respelled(
        ast.parse("v.Take['kettle'] + f(KETTLE, b'kettle')", mode="eval").body, ["Kettle", "take"]
    )
    assert ast.unparse(tree) == "v.Take['Kettle'] + f(KETTLE, b'kettle')"
