"""Slacks and binding rows are read off the rows of a plan."""

import pytest
from hypothesis import given, strategies as st

from decision_ai.explaining.binding import slack_of, uses
from decision_ai.solving.outcome import RowState

pytestmark = pytest.mark.core
NUMBERS = st.floats(-1e6, 1e6)


def row(id="cap", **fields):
    return RowState(constraint_id=id, **fields)


@pytest.mark.parametrize(
    ("fields", "slack", "binding"),
    [
        ({"activity": 3, "upper": 5}, 2, False),
        ({"activity": 5, "upper": 5}, 0, True),
        ({"activity": 3, "lower": 1, "upper": 9}, 2, False),
        ({"activity": 7, "upper": 5, "violation": 2}, 0, False),
        ({"activity": 5, "lower": 5, "upper": 5}, 0, True),
    ],
)
def test_slack_is_the_distance_to_the_nearer_bound(fields, slack, binding):
    found = slack_of(row(**fields))
    assert (found.slack, found.binding) == (slack, binding)


def test_a_constraint_is_summed_up_over_its_rows():
    rows = [
        row(index=("a",), activity=5, upper=5),
        row(index=("b",), activity=3, upper=5),
        row("balance", activity=2, lower=2, upper=2),
        row("soft", activity=7, upper=5, violation=2),
    ]
    cap, balance, soft = uses(rows)
    assert (cap.id, cap.rows, cap.equalities, cap.binding, cap.least_slack) == ("cap", 2, 0, 1, 0)
    assert (balance.equalities, balance.binding, balance.least_slack) == (1, 0, None)
    assert (soft.violated, soft.least_slack) == (1, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), NUMBERS, NUMBERS, st.floats(0, 1e3))))
def test_every_row_is_counted_once_and_no_slack_is_negative(given_rows):
    rows = [
        row(id, activity=activity, lower=lower, upper=lower + width)
        for id, activity, lower, width in given_rows
    ]
    found = uses(rows)
    assert sum(use.rows for use in found) == len(rows)
    assert all(use.least_slack is None or use.least_slack >= 0 for use in found)
    assert all(use.binding + use.equalities <= use.rows for use in found)
