from collections.abc import Callable
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.resets import read_resets
from decision_ai_server.modellers.offline.meaning import DataReset, Filter, Meaning, Reset

Best = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("reset max_items", [Reset(id="max_items")]),
        ("reset the ladder rule", [Reset(id="force_ladder")]),
        ("restore the original objective", [Reset(id="objective")]),
        ("use the original objective again", [Reset(id="objective")]),
        ("bring the limit on the number of items back to how it was", [Reset(id="max_items")]),
        ("undo all changes to max_items", [Reset(id="max_items")]),
        ("reset the capacity rule", [Reset(id="capacity")]),
        ("reset max_items and the camera rule", [Reset(id="max_items"), Reset(id="no_camera")]),
        ("put the capacity back to how it was originally", [DataReset(attribute=("capacity",))]),
        (
            "reset the weight of the tent",
            [DataReset(attribute=("items", 0, "weight"), filters={0: Filter(labels=("Tent",))})],
        ),
    ],
)
def test_what_is_brought_back(best: Best, text: str, meanings: list[Meaning]) -> None:
    assert best(read_resets, "later", text).meanings == tuple(meanings)


def test_data_that_never_changed_are_not_meant(best: Best) -> None:
    assert best(read_resets, "knapsack", "reset the capacity").meanings == (Reset(id="capacity"),)


def test_an_unknown_part_is_asked_for(best: Best) -> None:
    assert "'the budget rule'" in best(read_resets, "later", "reset the budget rule").question


@pytest.mark.parametrize("text", ["reset everything", "put the tent back", "reset to version 2"])
def test_what_resets_no_part(best: Best, text: str) -> None:
    assert best(read_resets, "later", text) is None
