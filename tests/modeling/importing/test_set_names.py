"""The lists of a script that name its index sets."""

from typing import Any

import numpy as np
import pytest

from decision_ai.modeling.importing.recorder import Recorder
from decision_ai.modeling.importing.set_names import named_sets

pytestmark = pytest.mark.core


def names(*spaces: dict[str, Any], most: int = 9) -> dict[str, tuple[str | int, ...]]:
    return dict(named_sets(spaces, most=most))


def test_lists_tuples_ranges_and_sets_of_labels_have_names() -> None:
    space = {
        "months": ["Jan", "Feb"],
        "sites": ("A", "B"),
        "T": range(3),
        "days": list(np.arange(1, 3)),
        "only": {7},
        "keys": {"k": 1}.keys(),
    }
    assert names(space) == {
        "months": ("Jan", "Feb"),
        "sites": ("A", "B"),
        "T": (0, 1, 2),
        "days": (1, 2),
        "only": (7,),
        "keys": ("k",),
    }


def test_what_is_no_set_of_labels_has_no_name() -> None:
    space = {
        "cost": {"A": 1, "B": 2},
        "twice": ["A", "A"],
        "mixed": ["A", 1],
        "prices": [1.5, 2.5],
        "flags": [True, False],
        "none": [],
        "word": "AB",
        "_hidden": ["A", "B"],
        "set_": ["A", "B"],
        "huge": range(10**30),
        "long": list("ABC"),
    }
    assert names(space, most=2) == {}


def test_the_innermost_name_counts() -> None:
    outer = {"sites": ["A", "B"], "days": ["Mon"], "items": ["nut"]}
    assert names({"places": ["B", "A"], "items": ["nut", "bolt"]}, outer) == {
        "places": ("B", "A"),
        "items": ("nut", "bolt"),
        "days": ("Mon",),
    }


@pytest.mark.parametrize(
    ("candidates", "name"),
    [
        (["T", "periods"], "periods"),
        (["long_periods", "periods", "order"], "periods"),
        (["weeks", "spans"], None),
        (["first", "last"], None),
    ],
)
def test_of_several_names_the_shortest_plural_counts(candidates: list[str], name: str | None) -> None:
    assert list(names({one: [1, 2] for one in candidates}, {"Times": [1, 2]})) == ([name] if name else [])


def test_names_of_functions_that_have_ended_are_found() -> None:
    recorder = Recorder()
    space: dict[str, Any] = {"pulp": recorder.module(), "__name__": "__main__"}
    exec(
        "def build(periods):\n"
        "    p = pulp.LpProblem('p')\n    x = pulp.LpVariable.dicts('x', periods)\n"
        "    for t in periods:\n        p += x[t] >= 1\n    return p\n"
        "class Plan:\n"
        "    def build(self, p):\n        self.sites = ['A', 'B']\n"
        "        y = pulp.LpVariable.dicts('y', self.sites)\n        p += pulp.lpSum(y.values()) >= 1\n"
        "p = build([1, 2, 3])\nPlan().build(p)\n",
        space,
    )
    assert dict(recorder.finish(space)["sets"]) == {"sites": ("A", "B"), "periods": (1, 2, 3)}
