"""Random data of any described class, for round trips."""

from datetime import date
from typing import Any

from hypothesis import strategies as st

from decision_ai.tabular.cells import ERRORS
from decision_ai.tabular.shapes import Mapping, Record, Scalar, Sequence, Shape, Tuple
from decision_ai.tabular.totals import is_total

LABELS = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" ;,.=+-@#'\"\n"), min_size=1, max_size=8
).filter(
    lambda text: (
        text.strip() == text and not text.startswith("\ufeff") and text not in ERRORS and not is_total(text)
    )
)
NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False, width=64).filter(lambda x: x == 0 or abs(x) > 1e-300),
)


def values(shape: Shape) -> st.SearchStrategy[Any]:
    match shape:
        case Record(fields=fields):
            return st.fixed_dictionaries({field.name: values(field.shape) for field in fields})
        case Mapping(key=key, value=value):
            keys = values(key).map(str) if key.kind == "whole" else values(key)
            return st.dictionaries(keys, values(value), max_size=3)
        case Sequence(item=item):
            return st.lists(values(item), max_size=3)
        case Tuple(items=items):
            return st.tuples(*map(values, items)).map(list)
        case Scalar(choices=choices) if choices:
            return st.sampled_from(choices)
        case Scalar(kind=kind):
            kinds: dict[str, st.SearchStrategy[Any]] = {
                "number": NUMBERS,
                "whole": st.integers(-(10**9), 10**9),
                "truth": st.booleans(),
                "date": st.dates(date(1901, 1, 1)).map(date.isoformat),
            }
            return kinds.get(kind, LABELS)
    raise AssertionError(shape)
