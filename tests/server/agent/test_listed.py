"""What a text lists by name is counted."""

import pytest

from decision_ai_server.agent.listed import Listed, counts_at, lines_counted, side_by_side

NAMES = frozenset({"ana", "ben", "cem", "north wind", "capacity", "tent_or_stove"})


def count_of(text, figure):
    start = text.index(figure)
    return counts_at(text, (start, start + len(figure)), side_by_side(text, NAMES))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Ana, Ben and Cem", [3]),
        ("Ana, Ben, and Cem work", [3]),
        ("the two constraints capacity and 'tent_or_stove' are hard", [2]),
        ("on Monday: Ana, North Wind", [2]),
        ("Ana and Ben, but not Cem", [2]),
        ("Ana works and Ben rests", []),
        ("Ana and others", []),
        ("Ana. Ben", []),
        ("Ana and Ben rest; Cem and Ana work", [2, 2]),
        ("Ana, Ben\nCem", [2]),
    ],
)
def test_names_side_by_side(text, counts):
    assert [one.count for one in side_by_side(text, NAMES)] == counts


def test_where_they_stand():
    text = "both Ana and Ben rest"

    (found,) = side_by_side(text, NAMES)

    assert (found.start, text[found.start :].startswith("Ana")) == (5, True)
    assert found == Listed(5, len(text), 2)


@pytest.mark.parametrize(
    ("text", "figure", "counts"),
    [
        ("three people: Ana, Ben and Cem", "three", {3}),
        ("Ana, Ben and Cem, all three", "three", {3}),
        ("Ana, Ben and Cem earn three", "three", set()),
        ("it is three, for Ana, Ben and Cem", "three", set()),
        (f"three {'very ' * 20} good people: Ana, Ben and Cem", "three", set()),
    ],
)
def test_a_figure_counts_what_follows_it(text, figure, counts):
    assert count_of(text, figure) == counts


@pytest.mark.parametrize(
    ("text", "counts"),
    [("three items", {3, 4}), ("three.", set()), ("three kg", set()), ("three, now", set())],
)
def test_a_count_of_a_list_elsewhere_has_a_noun(text, counts):
    assert counts_at(text, (0, 5), [], {3, 4}) == counts


def test_lines_of_lists():
    text = "Load:\n  Ana: 4\n  Ben: 5\n  Cem\nIn all\n- a rule\n- one more\n\n- alone\n"

    assert lines_counted(text, NAMES) == {2, 3}
