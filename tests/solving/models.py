"""Small linear models for tests, written as rows of dicts."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from decision_ai.solving.linear import LinearModel

RowText = tuple[dict[int, float], float | None, float | None]


def model(
    sense: Literal["minimize", "maximize"],
    cost: Sequence[float],
    rows: Sequence[RowText],
    *,
    lower: Sequence[float] | None = None,
    upper: Sequence[float] | None = None,
    integral: Sequence[bool] | None = None,
    offset: float = 0.0,
) -> LinearModel:
    """Columns are non-negative and continuous unless said otherwise."""
    count = len(cost)

    def floats(values: Sequence[Any]) -> Any:
        return np.array(values, dtype=np.float64)

    return LinearModel(
        sense=sense,
        offset=offset,
        cost=floats(cost),
        lower=floats(lower or [0] * count),
        upper=floats(upper or [math.inf] * count),
        integral=np.array(integral or [False] * count, dtype=np.bool_),
        row_lower=floats([-math.inf if low is None else low for _, low, _ in rows]),
        row_upper=floats([math.inf if up is None else up for _, _, up in rows]),
        start=np.cumsum([0, *(len(terms) for terms, _, _ in rows)]).astype(np.int32),
        index=np.array([j for terms, _, _ in rows for j in terms], dtype=np.int32),
        value=floats([a for terms, _, _ in rows for a in terms.values()]),
    )


def hard_knapsack(items: int = 60, rows: int = 10, seed: int = 1) -> LinearModel:
    """Binary, several rows, some seconds of branching, offset 7."""
    random = np.random.default_rng(seed)
    return model(
        "maximize",
        random.integers(10, 100, items).tolist(),
        [({j: float(random.integers(5, 60)) for j in range(items)}, None, items * 8.0) for _ in range(rows)],
        upper=[1] * items,
        integral=[True] * items,
        offset=7,
    )
