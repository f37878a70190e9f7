"""Names become families and indices by their patterns, and nothing is merged."""

import pytest
from hypothesis import given, strategies as st

from decision_ai.modeling.importing.grouping import Group, Index, group_names

pytestmark = pytest.mark.core


def families(*names: str, rows: bool = False) -> dict[str, list[Index]]:
    groups = group_names(names, rows=rows)
    assert len({group.name for group in groups}) == len(groups)
    return {group.name: [index for _, index in group.members] for group in groups}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["x[1,2]", "x[1,3]"], {"x": [(1, 2), (1, 3)]}),
        (["x[a]", "x[b]"], {"x": [("a",), ("b",)]}),
        (["x[1][2]", "x[3][4]"], {"x": [(1, 2), (3, 4)]}),
        (["x['New York', 3]"], {"x": [("New York", 3)]}),
        (["x(1_2)", "x(1_3)", "x(2_2)"], {"x": [(1, 2), (1, 3), (2, 2)]}),
        (["x(peanut_b)", "x(wheat)"], {"x": [("peanut_b",), ("wheat",)]}),
        (
            ["x(a_route_1)", "x(a_route_2)", "x(b_route_1)"],
            {"x": [("a", "route_1"), ("a", "route_2"), ("b", "route_1")]},
        ),
        (["x_(1,_2)", "x_('a',_'b')"], {"x": [("1", "2"), ("a", "b")]}),
        (["x_A_B", "x_A_C", "x_D_B"], {"x": [("A", "B"), ("A", "C"), ("D", "B")]}),
        (["supply_limit_A", "supply_limit_B", "supply_limit_C"], {"supply_limit": [("A",), ("B",), ("C",)]}),
        (["ship_New_York", "ship_Boston", "ship_LA"], {"ship": [("New_York",), ("Boston",), ("LA",)]}),
        (
            ["x(12pm_6am_1)", "x(6am_9am_1)", "x(9am_3pm_2)"],
            {"x": [("12pm_6am", 1), ("6am_9am", 1), ("9am_3pm", 2)]},
        ),
        (["x(1_2)", "x(2_3)", "x(3_4)"], {"x": [(1, 2), (2, 3), (3, 4)]}),
        (["x1", "x2", "x10"], {"x": [(1,), (2,), (10,)]}),
        (["x_1_2", "x_1_3"], {"x": [(1, 2), (1, 3)]}),
        (["x01", "x02"], {"x": [("01",), ("02",)]}),
        (["x_1_2_", "x_1_3_"], {"x": [(1, 2), (1, 3)]}),
        (
            ["cost", "x1", "total_cost", "total_time"],
            {name: [()] for name in ("cost", "x1", "total_cost", "total_time")},
        ),
    ],
)
def test_patterns(names: list[str], expected: dict[str, list[Index]]) -> None:
    assert families(*names) == expected


def test_pyomos_names_of_rows_lose_their_sense() -> None:
    found = families("c_e_bal(1)_", "c_l_bal(2)_", "c_u_bal(3)_", "c_e_total_", "r_l_cap(1)_", rows=True)

    assert found == {"bal": [(1,), (2,), (3,)], "total": [()], "cap": [(1,)]}


def test_rows_that_would_get_one_index_keep_their_names_as_labels() -> None:
    found = families("c_l_bal(1)_", "c_u_bal(1)_", rows=True)

    assert found == {"bal": [("c_l_bal(1)_",), ("c_u_bal(1)_",)]}


def test_quotes_are_dropped_only_where_nothing_is_lost() -> None:
    assert families("x['a']", "x[b]") == {"x": [("a",), ("b",)]}
    assert families("x['a']", "x[a]") == {"x": [("x['a']",), ("x[a]",)]}


def test_labels_are_numbers_only_where_all_of_the_position_are() -> None:
    assert families("x[1,a]", "x[2,3]") == {"x": [(1, "a"), (2, "3")]}


def test_members_of_another_shape_are_a_family_of_their_own() -> None:
    groups = group_names(["x[1]", "x[1,2]", "x[2]"])

    assert [(group.name, group.depth, len(group.members)) for group in groups] == [("x", 1, 2), ("x", 2, 1)]


def test_kinds_are_not_mixed() -> None:
    groups = group_names(["x[1]", "x[2]", "y[1]"], kinds=["integer", "continuous", "integer"])

    assert [group.name for group in groups] == ["x_integer", "x_continuous", "y"]


def test_what_the_origin_says_wins_and_keeps_its_types() -> None:
    groups = group_names(
        ["pack_Tent", "x1", "x2"], known={"pack_Tent": ("pack", ("Tent",)), "x1": ("y", ("1",))}
    )

    assert groups[0] == Group("pack", ((0, ("Tent",)),))
    assert groups[1] == Group("y", ((1, ("1",)),))


def test_many_names_without_a_pattern_become_one_family() -> None:
    names = [f"{chr(97 + first)}{chr(97 + second)}q" for first in range(9) for second in range(9)]

    (group,) = group_names(names)

    assert (group.name, group.depth, len(group.members)) == ("column", 1, 81)


@given(st.lists(st.text("xy_1[](),' ce", min_size=1, max_size=10), unique=True), st.booleans())
def test_every_name_is_somewhere_and_no_index_occurs_twice(names: list[str], rows: bool) -> None:
    groups = group_names(names, rows=rows)

    assert sorted(number for group in groups for number, _ in group.members) == list(range(len(names)))
    for group in groups:
        indices = [index for _, index in group.members]
        assert len(set(indices)) == len(indices)
        assert {len(index) for index in indices} == {group.depth}
        for position, whole in enumerate(group.whole):
            assert {type(index[position]) for index in indices} == {int if whole else str}


def test_an_empty_label_stays_where_its_origin_says_it() -> None:
    known = {"x_": ("x", ("",)), "x_b": ("x", ("b",))}
    assert group_names(["x_", "x_b"], known=known) == [Group("x", ((0, ("",)), (1, ("b",))))]


def test_the_smallest_of_too_many_families_become_one() -> None:
    names = ["x[1]", "a1", "a2", "x[2]", "b1", "x[3]", "b2", "alone"]
    assert group_names(names, most=1) == [
        Group("x", ((0, (1,)), (3, (2,)), (5, (3,)))),
        Group("column", ((1, ("a1",)), (2, ("a2",)), (4, ("b1",)), (6, ("b2",)))),
        Group("alone", ((7, ()),)),
    ]
