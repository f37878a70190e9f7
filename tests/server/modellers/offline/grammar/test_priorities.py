from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.priorities import read_priorities
from decision_ai_server.modellers.offline.meaning import Prioritise
from decision_ai_server.modellers.offline.understanding import Subject, understand

Best = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "rule", "priority"),
    [
        ("make the capacity soft with priority B", "capacity", "B"),
        ("the rule on the number of items is soft, priority A", "max_items", "A"),
        ("make that new rule soft with priority A", "no_camera", "A"),
        ("set the priority of capacity to C", "capacity", "C"),
        ("the capacity rule can give way: make it soft, priority C", "capacity", "C"),
        ("give the camera rule priority B", "no_camera", "B"),
    ],
)
def test_soft(best: Best, text: str, rule: str, priority: Any) -> None:
    reading = best(read_priorities, "later", text)
    assert reading.meanings == (Prioritise(rule=rule, priority=priority),)
    assert reading.question is None


def test_a_missing_level_is_asked_for(best: Best) -> None:
    assert "A (kept first)" in best(read_priorities, "later", "make the capacity rule soft").question


def test_hard_again(subjects: dict[str, Subject]) -> None:
    later = subjects["later"]
    soft = later.program.apply(later.program.prioritise("capacity", "B"))
    (edit,) = understand("make it hard again", replace(later, program=soft)).proposals[0].edits
    assert edit.model_dump() == {"op": "set_priority", "id": "capacity", "priority": "hard"}


def test_that_all_else_stays_hard_asks_for_nothing(best: Best) -> None:
    assert best(read_priorities, "later", "the minimum amounts stay hard").meanings == ()


@pytest.mark.parametrize("text", ["take a soft tent", "the work is hard", "at most 3 items"])
def test_what_is_no_priority(best: Best, text: str) -> None:
    reading = best(read_priorities, "later", text)
    assert reading is None or reading.meanings == ()
