"""Safe names are safe and unique whatever the user's are, and the map survives the file."""

import re

import pytest
from hypothesis import given, strategies as st

from decision_ai.errors import DataError
from decision_ai.modeling.exporting.name_map import (
    LONGEST_NAME,
    Name,
    NameMap,
    comment_lines,
    names_in_comments,
    names_in_sidecar,
    safe_names,
    shown,
    sidecar_text,
)

pytestmark = pytest.mark.core

LABELS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
    st.sampled_from(["+", "-", "a b", "a_b", "4", "e4", "", "*/", "\\ decision-ai names 1/1: {}", "\n", "ß"]),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)
NAMES = st.tuples(
    st.sampled_from(["x", "x_1", "e1", "st", "free", "größe", "_"]), st.lists(LABELS, max_size=3).map(tuple)
)


def named(names: list[Name]) -> list[str]:
    return list(safe_names(names, set()))


@given(st.lists(NAMES, max_size=30))
def test_every_name_becomes_one_that_all_readers_take_and_none_are_merged(names: list[Name]) -> None:
    safe = named(names)
    assert len(set(safe)) == len(names)
    for name in safe:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
        assert len(name) <= LONGEST_NAME
        assert not re.match(r"[eE]([0-9eE]|$)", name)
        assert name.lower() not in {"st", "free", "inf", "end", "bounds"}


@given(st.lists(NAMES, max_size=30), st.lists(NAMES, max_size=30), st.none() | st.just("total"))
def test_the_map_survives_comments_and_sidecar_with_the_types_of_labels(
    columns: list[Name], rows: list[Name], objective: str | None
) -> None:
    taken: set[str] = set()
    names = NameMap(
        columns=dict(zip(safe_names(columns, taken), columns, strict=True)),
        rows=dict(zip(safe_names(rows, taken), rows, strict=True)),
        objective=objective,
    )
    for lines in (comment_lines(names, "lp"), comment_lines(names, "mps")):
        assert max(map(len, lines)) < 250
        assert all(line.isascii() and line == line.strip() for line in lines)
        read = names_in_comments(["NAME model", *lines, "ENDATA"])
        assert repr(read) == repr(names)  # 1 and 1.0 are different labels
        assert repr(names_in_sidecar(sidecar_text(names))) == repr(names)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        (("pack", ("Tent",)), "pack_Tent"),
        (("window", ("Ana", 3)), "window_Ana_3"),
        (("total", ()), "total"),
        (("x", ("Zürich",)), "x_Zurich"),
        (("e4", ()), "n_e4"),
        (("e", ()), "n_e"),
        (("free", ()), "n_free"),
        (("extra", ()), "extra"),
    ],
)
def test_names_stay_readable(name: Name, safe: str) -> None:
    assert named([name]) == [safe]


def test_names_that_collide_are_numbered_in_the_order_of_the_model() -> None:
    assert named([("x", ("+",)), ("x", ("-",)), ("x", ("*",))]) == ["x__", "x___2", "x___3"]
    long = [("x", ("a" * 400 + end,)) for end in "bc"]
    assert [len(name) for name in named(long)] == [LONGEST_NAME - 2, LONGEST_NAME]


def test_many_collisions_take_no_long_time() -> None:
    assert len(set(named([("x", (chr(0x4E00 + n),)) for n in range(20_000)]))) == 20_000


def test_names_are_shown_as_people_read_them() -> None:
    assert [shown(("total", ())), shown(("window", ("Ana", 2)))] == ["total", "window[Ana, 2]"]
    names = NameMap(columns={"pack_Tent": ("pack", ("Tent",))}, rows={"capacity": ("capacity", ())})
    assert names.shown() == {"pack_Tent": "pack[Tent]", "capacity": "capacity"}


def test_a_file_without_a_map_has_none() -> None:
    assert names_in_comments(["\\ written by somebody", "Minimize", " obj: x"]) is None


def test_a_map_that_lost_a_line_is_refused() -> None:
    names = NameMap(columns={f"x_{n}": ("x", (n,)) for n in range(50)})
    lines = comment_lines(names, "lp")
    assert len(lines) > 2
    for broken in (lines[1:], lines[:-1], lines[::-1], [*lines, lines[0]]):
        with pytest.raises(DataError, match="the map of names is spoilt: it should have"):
            names_in_comments(broken)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "no JSON object"),
        ('{"columns": 3}', "must be objects"),
        ('{"columns": {"x": ["x"]}}', "must stand for"),
        ('{"columns": {"x": ["x", [null]]}}', "must stand for"),
        ('{"rows": {"x": ["x", [true]]}}', "must stand for"),
        ('{"rows": {"x": ["x", "ab"]}}', "must stand for"),
        ('{"objective": 3}', "is no name"),
    ],
)
def test_a_sidecar_that_is_no_map_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        names_in_sidecar(text)
