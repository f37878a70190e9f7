"""A foreign model that cannot be one is refused when it is made."""

import math

import pytest

from decision_ai.errors import DataError
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow

pytestmark = pytest.mark.core
X = ForeignColumn(name="x")
ROW = ForeignRow(name="r", lower=0, upper=1, terms=((0, 1.0),))


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [
        ([X, X], [], "the column name 'x' occurs twice"),
        ([X], [ROW, ROW], "the row name 'r' occurs twice"),
        ([ForeignColumn(name="")], [], "empty or not printable"),
        ([ForeignColumn(name="a\nb")], [], "empty or not printable"),
        ([ForeignColumn(name="x", lower=2, upper=1)], [], "above its upper bound"),
        ([ForeignColumn(name="x", lower=math.inf)], [], "no plan can exist"),
        ([ForeignColumn(name="x", cost=math.nan)], [], "objective coefficient"),
        ([X], [ForeignRow(name="r", lower=math.nan, upper=1, terms=())], "the bounds of row"),
        ([X], [ForeignRow(name="r", lower=0, upper=1, terms=((1, 1.0),))], "column number 1 does not exist"),
        ([X], [ForeignRow(name="r", lower=0, upper=1, terms=((0, 1.0), (0, 2.0)))], "occurs twice"),
        ([X], [ForeignRow(name="r", lower=0, upper=1, terms=((0, math.inf),))], "a coefficient is inf"),
    ],
)
def test_impossible_models(columns: list[ForeignColumn], rows: list[ForeignRow], said: str) -> None:
    with pytest.raises(DataError, match=said):
        ForeignModel(name="m", sense="minimize", columns=tuple(columns), rows=tuple(rows))


def test_the_constant_must_be_finite() -> None:
    with pytest.raises(DataError, match="the constant of the objective is nan"):
        ForeignModel(name="m", sense="minimize", columns=(), rows=(), offset=math.nan)
