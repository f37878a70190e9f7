"""Where terms follow from the index of their row, the program says how instead of listing them."""

import pytest

from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.shapes import Terms
from decision_ai.modeling.importing.shaping import shaped

pytestmark = pytest.mark.core


def terms(columns: list[str], rows: dict[str, dict[str, float]]) -> list[Terms]:
    """The terms of the one constraint that the rows form."""
    number = {name: at for at, name in enumerate(columns)}
    model = ForeignModel(
        name="m",
        sense="minimize",
        columns=tuple(ForeignColumn(name=name) for name in columns),
        rows=tuple(
            ForeignRow(name=name, lower=0, upper=9, terms=tuple((number[x], a) for x, a in found.items()))
            for name, found in rows.items()
        ),
    )
    return list(shaped(model).rows[0].terms)


GRID = [f"x[{i},{j}]" for i in (1, 2) for j in (1, 2)]


def test_one_member_at_the_index_of_the_row() -> None:
    (found,) = terms(["x[1]", "x[2]"], {"r[1]": {"x[1]": -1}, "r[2]": {"x[2]": -1}})

    assert (found.kind, found.coefficient, found.match) == ("pattern", -1, (0,))


def test_a_slice_of_a_family() -> None:
    rows = {f"r[{j}]": {f"x[1,{j}]": 1.0, f"x[2,{j}]": 1.0} for j in (1, 2)}

    (found,) = terms(GRID, rows)

    assert (found.kind, found.match, found.gaps) == ("pattern", (None, 0), False)


def test_a_slice_with_gaps() -> None:
    rows = {"r[1]": {"x[1,1]": 1.0, "x[2,1]": 1.0}, "r[2]": {"x[1,2]": 1.0}}

    (found,) = terms(GRID[:3], rows)

    assert (found.kind, found.match, found.gaps) == ("pattern", (None, 0), True)


def test_a_whole_family() -> None:
    (found,) = terms(GRID, {"total": dict.fromkeys(GRID, 1.0)})

    assert (found.kind, found.match) == ("pattern", (None, None))


def test_some_members() -> None:
    (found,) = terms(GRID, {"total": {"x[1,1]": 1.0, "x[2,2]": 1.0}})

    assert found.kind == "members"


def test_coefficients() -> None:
    (found,) = terms(GRID, {"total": {"x[1,1]": 1.0, "x[2,2]": 2.0}})

    assert found.kind == "coefficients"


def test_a_coefficient_that_all_rows_share_is_one_number() -> None:
    rows = {f"r[{j}]": {f"x[1,{j}]": 2.5, f"x[2,{j}]": 2.5} for j in (1, 2)}

    (found,) = terms(GRID, rows)

    assert (found.kind, found.match, found.coefficient, found.factor_name) == (
        "pattern",
        (None, 0),
        2.5,
        "r_x",
    )


def test_one_member_with_a_coefficient_of_the_row() -> None:
    (found,) = terms(["x[1]", "x[2]"], {"r[1]": {"x[1]": 2}, "r[2]": {"x[2]": 3}})

    assert (found.kind, found.match, found.optional) == ("factor", (0,), False)


def test_a_scalar_that_some_rows_lack_has_a_coefficient() -> None:
    found = terms(["x[1]", "x[2]", "y"], {"r[1]": {"x[1]": 1, "y": 1}, "r[2]": {"x[2]": 1}})

    assert [(one.kind, one.optional) for one in found] == [("pattern", False), ("factor", True)]


def test_one_member_that_some_rows_lack() -> None:
    (found,) = terms(["x[1]", "x[2]", "x[3]"], {"r[1]": {"x[1]": 2}, "r[2]": {"x[2]": 3}})
    assert (found.kind, found.optional) == ("factor", False)

    _, found = terms(["y[1]", "y[2]", "x[1]", "x[2]"], {"r[1]": {"y[1]": 1, "x[1]": 2}, "r[2]": {"y[2]": 1}})
    assert (found.kind, found.match, found.optional) == ("factor", (0,), True)


def test_each_sign_may_have_its_pattern() -> None:
    rows = {f"r[{i},{j}]": {f"s[{i}]": 1.0, f"s[{j}]": -1.0} for i, j in ((1, 2), (1, 3), (2, 3))}

    into, out = terms(["s[1]", "s[2]", "s[3]"], rows)

    assert (into.kind, into.coefficient, into.match) == ("pattern", 1, (0,))
    assert (out.kind, out.coefficient, out.match) == ("pattern", -1, (1,))
