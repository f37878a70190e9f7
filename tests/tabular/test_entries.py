from typing import Any

import pytest

from decision_ai.tabular.entries import NOTHING, read_entries
from decision_ai.tabular.problems import Problems
from decision_ai.tabular.shapes import TEXT, Field, Opaque, Record, Scalar, Sequence, Shape, Tuple
from decision_ai.tabular.tables import make_table

NUMBER = Scalar("number")
ITEM = Record("Item", (Field("name", TEXT, False), Field("weight", NUMBER, True)))


def entries(
    header: list[Any], rows: list[list[Any]], keys: int, leaf: Shape, name: str = "cost"
) -> tuple[list[tuple[tuple[str, ...], Any]], list[str]]:
    problems = Problems()
    named = [(f"line {n}", row) for n, row in enumerate(rows, start=2)]
    table = make_table("t", ("line 1", header), named, problems)
    found = read_entries(name, table, (TEXT,) * keys, leaf, problems)
    missing = [f"missing {path}" for path in found.missing]
    told = [str(problem) for problem in problems.found] + missing
    return [(entry.keys, entry.value) for entry in found.found], told


@pytest.mark.parametrize(
    ("header", "rows", "keys", "leaf", "expected"),
    [
        (["item", "cost"], [["a", 1]], 1, NUMBER, [(("a",), 1)]),
        (["Jan", "Feb", "Mar"], [[1, 2, 3]], 1, NUMBER, [(("Jan",), 1), (("Feb",), 2), (("Mar",), 3)]),
        (["", "x", "y"], [["a", 1, 2]], 2, NUMBER, [(("a", "x"), 1), (("a", "y"), 2)]),
        (["", "1", "2"], [["a", 1, 2]], 2, NUMBER, [(("a", "1"), 1), (("a", "2"), 2)]),
        (["from", "to", "km"], [["a", "x", 1]], 2, NUMBER, [(("a", "x"), 1)]),
        (["from", "to", "value"], [[1, 2, 3]], 2, NUMBER, [(("1", "2"), 3)]),
        (["from", "to", "cost"], [[1, 2, 3]], 2, NUMBER, [(("1", "2"), 3)]),
        (["from", "to", "km"], [[1, 2, 3], [1, 3, 4]], 2, NUMBER, [(("1", "2"), 3), (("1", "3"), 4)]),
        (["i", "j", "x", "y"], [["a", "b", 1, 2]], 3, NUMBER, [(("a", "b", "x"), 1), (("a", "b", "y"), 2)]),
        (["i", "j", "k", "value"], [["a", "b", "c", 1]], 3, NUMBER, [(("a", "b", "c"), 1)]),
        (["i", "j", "value"], [["a", None, None]], 2, NUMBER, [(("a",), NOTHING)]),
        (["label", "weight"], [["a", 1]], 1, ITEM, [(("a",), {"weight": 1})]),
        (["name", "weight"], [["a", 1]], 1, ITEM, [(("a",), {"name": "a", "weight": 1})]),
        (["weight"], [[1], [2]], 0, Sequence(ITEM), [((), {"weight": 1}), ((), {"weight": 2})]),
        (
            ["k", "weight"],
            [["a", 1], ["b", None]],
            1,
            Sequence(ITEM),
            [(("b",), NOTHING), (("a",), {"weight": 1})],
        ),
        (["month"], [["Jan"], ["Feb"]], 0, Sequence(TEXT), [((), "Jan"), ((), "Feb")]),
        (["no", "cost"], [[1, "Jan"]], 0, Sequence(TEXT), [((), "Jan")]),
        (
            ["who", "what"],
            [["a", "x"], ["a", "y"], ["b", None]],
            1,
            Sequence(TEXT),
            [(("a",), "x"), (("a",), "y"), (("b",), NOTHING)],
        ),
        (
            ["who", "what"],
            [["a", "x; y"], ["b", "z"]],
            1,
            Sequence(TEXT),
            [(("a",), "x"), (("a",), "y"), (("b",), "z")],
        ),
        (
            ["who", "p", "q"],
            [["a", "x", None], ["b", None, None]],
            1,
            Sequence(TEXT),
            [(("a",), "p"), (("b",), NOTHING)],
        ),
        (["who", "p"], [["a", "x"]], 1, Sequence(TEXT), [(("a",), "p")]),
        (["who", "1", "2"], [["a", 0, 1]], 1, Sequence(Scalar("whole")), [(("a",), 2)]),
        (["from", "to"], [["a", "b"]], 0, Sequence(Tuple((TEXT, TEXT))), [((), ["a", "b"])]),
        (["k", "x", "y"], [["a", 1, 2]], 1, Tuple((NUMBER, NUMBER)), [(("a",), [1, 2])]),
        (["k", "at"], [["a", "1;2"]], 1, Tuple((NUMBER, NUMBER)), [(("a",), [1, 2])]),
        (["a", "b"], [[1, 2], [3, None]], 0, Sequence(Sequence(NUMBER)), [((), [1, 2]), ((), [3])]),
    ],
)
def test_the_forms_of_tables(
    header: list[Any], rows: list[list[Any]], keys: int, leaf: Shape, expected: list[Any]
) -> None:
    assert entries(header, rows, keys, leaf) == (expected, [])


@pytest.mark.parametrize(
    ("header", "rows", "keys", "leaf", "words"),
    [
        (["a"], [[1]], 1, NUMBER, "needs a column of labels and one of values, not 1 columns"),
        (["a", "b", "c"], [["x", 1, 2], ["y", 1, 2]], 1, NUMBER, "begins with # leaves its column out"),
        (["i", "x", "y"], [["a", 1, None]], 2, NUMBER, "the value is missing"),
        (["i", "c"], [["a", None]], 1, NUMBER, "the value is missing"),
        (["i", "c"], [[None, 1]], 1, NUMBER, "the label is missing"),
        (["i", "j", "value"], [["a", None, 2]], 2, NUMBER, "the label is missing"),
        (["i", "", "y"], [["a", 1, 2]], 2, NUMBER, "the column has no name"),
        (["i", "a", "b"], [["a", "q", "r"]], 2, TEXT, "may be a long table"),
        (["k", "name", "wieght"], [["a", "b", 1]], 1, ITEM, "did you mean 'weight'?"),
        ([], [], 1, ITEM, "a column of labels and the columns of values are needed"),
        (["a", "b", "c"], [[1, 2, 3]], 0, Sequence(TEXT), "needs 0 columns of labels"),
        (["a", "b", "c"], [[1, 2, 3]], 0, Sequence(Tuple((TEXT, TEXT))), "needs 2 columns, not 3"),
        (["a", "b"], [["x", None]], 0, Sequence(Tuple((TEXT, TEXT))), "the value is missing"),
        (["a", "b"], [[1, None], [None, 2]], 0, Sequence(Sequence(NUMBER)), "the value is missing"),
        (["k", "x", "y"], [["a", None, None]], 1, Tuple((NUMBER, NUMBER)), "the value is missing"),
        (["a", "b"], [["x", 1]], 1, Opaque("X"), "has no form as a table"),
    ],
)
def test_what_does_not_fit_is_told(
    header: list[Any], rows: list[list[Any]], keys: int, leaf: Shape, words: str
) -> None:
    _, problems = entries(header, rows, keys, leaf)
    assert words in problems[0]


def test_a_record_without_a_column_for_a_field_is_told() -> None:
    assert entries(["k"], [["a"]], 1, ITEM)[1] == ["missing ('weight',)"]
