"""Names with digits in them are no figures."""

import json

import pytest

from decision_ai_server.agent.known_names import Names, names_in, names_of, names_of_data

CODES = ["2026-Q1", "7-Eleven", "4x4", "5-Million", "1e5", "3M"]
NAMES = names_of(["at_most_4", "Tour 3", "A-7", "2024-05-01", "10 kg", "twelve", "Three Peaks", "7", *CODES])


def covered(text, figure, names=NAMES):
    start = text.index(figure)
    return names.cover(text, start, start + len(figure))


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("drop at_most_4.", "4"),
        ("tour 3, then home", "3"),
        ("TOUR 3", "3"),
        ("(A-7)", "7"),
        ("on 2024-05-01 at", "05"),
        ("the Three Peaks", "Three"),
        ("pack[Tour 3] = 1", "3"),
        ("in 2026-Q1", "2026"),
        ("7-Eleven is closed", "7"),
        ("7-Eleven is closed", "Eleven"),
        ("the 4x4", "4"),
    ],
)
def test_a_figure_within_a_name(text, figure):
    assert covered(text, figure)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("at_most_44", "44"),
        ("Tour 3.5", "3.5"),
        ("Tour 3%", "3"),
        ("Tour 3,000", "3"),
        ("Tour 3 000", "3"),
        ("Detour 3", "3"),
        ("Tour 30", "30"),
        ("it weighs 10 kg", "10"),
        ("twelve", "twelve"),
        ("7", "7"),
        ("in 2026-Q2", "2026"),
        ("5-Million", "5-Million"),
        ("1e5", "1e5"),
        ("3M", "3M"),
    ],
)
def test_a_figure_that_only_resembles_one(text, figure):
    assert not covered(text, figure)


def test_words_with_digits_in_a_text():
    assert names_in("solve_2 gave x1 and 4you, -A-3-") == Names(frozenset({"solve_2", "x1", "a-3"}))
    assert names_in("a") - names_in("a") == Names()


DATA = json.dumps(
    {
        "periods": {"1": {"demand": 104}, "2": {}},
        "days": [1, 2, 3],
        "demands": [5, 104, 9],
        "shifts": ["7am", "24h", "late"],
        "years": ["2026", "2027"],
        "capacity": "104",
        "tours": {"Tour 3": {}},
    }
)


@pytest.mark.parametrize(
    ("text", "figure", "is_name"),
    [
        ("in period 1", "1", True),
        ("in periods 2", "2", True),
        ("in period 3", "3", False),
        ("on day 3", "3", True),
        ("make[A, 3] is full", "3", True),
        ("make[4]", "4", False),
        ("shift 7am", "7", True),
        ("the 24h shift", "24", True),
        ("the 24h plan", "24", False),
        ("in 2026", "2026", True),
        ("in 2026.5", "2026.5", False),
        ("in 2028", "2028", False),
        ("by 2026", "2026", False),
        ("2 periods", "2", False),
        ("the list [3]", "3", False),
        ("demand 104", "104", False),
        ("capacity 104", "104", False),
        ("period 1.5", "1.5", False),
        ("period 1%", "1", False),
        ("Tour 3", "3", True),
    ],
)
def test_labels_of_data(text, figure, is_name):
    assert covered(text, figure, names_of_data(DATA)) is is_name


def test_data_that_cannot_be_read_have_no_names():
    assert names_of_data("{") == Names()


def test_names_are_joined():
    both = names_of_data(DATA) | names_of_data('{"periods": {"9": 0}}')

    assert covered("period 9", "9", both)
    assert covered("period 1", "1", both)


def test_small_letters_do_not_move_what_follows():
    assert covered("İİ at_most_4", "4")
