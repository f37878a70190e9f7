from collections.abc import Callable
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.moves import read_moves
from decision_ai_server.modellers.offline.meaning import Branch, Checkout, Meaning, Redo, Undo

Best = Callable[..., Any]


@pytest.mark.parametrize(
    ("model", "text", "meaning"),
    [
        ("later", "undo", Undo()),
        ("later", "undo the last two", Undo(steps=2)),
        ("later", "take back the last 3 changes", Undo(steps=3)),
        ("later", "take that back", Undo()),
        ("later", "undo everything", Undo(steps=5)),
        ("knapsack", "undo everything", Undo()),
        ("later", "revert that", Undo()),
        ("later", "go back two steps", Undo(steps=2)),
        ("later", "redo", Redo()),
        ("undone", "redo everything", Redo(steps=2)),
        ("undone", "redo the last two", Redo(steps=2)),
        ("undone", "do it again", Redo()),
        ("undone", "bring it back", Redo()),
        ("undone", "undo the undo", Redo()),
    ],
)
def test_undo_and_redo(best: Best, model: str, text: str, meaning: Meaning) -> None:
    assert best(read_moves, model, text).meanings == (meaning,)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("start a branch called cheap", Branch(name="cheap")),
        ("make a branch cheaper", Branch(name="cheaper")),
        ("make a new branch named 'Plan B'", Branch(name="Plan B")),
        ("create a branch called night-shift, please", Branch(name="night-shift")),
        ("try this on a branch", Branch(name="branch 4")),
        ("switch to main", Checkout(version="main")),
        ("go to branch cheap", Checkout(version="cheap")),
        ("go to the night shift branch", Checkout(version="Night shift")),
        ("check out version 3", Checkout(version="3")),
        ("go back to version 2", Checkout(version="2")),
        ("go back to the start", Checkout(version="0")),
        ("go back to the original model", Checkout(version="0")),
        ("start over", Checkout(version="0")),
        ("reset everything", Checkout(version="0")),
        ("go back to the previous version", Checkout(version="4")),
        ("go back to before version 2", Checkout(version="1")),
        ("go to version 99", Checkout(version="99")),
        ("go back to the very first version", Checkout(version="0")),
        ("save this as Plan B", Branch(name="Plan B")),
        ("call this version final", Branch(name="final")),
        ("go back to before the capacity change", Checkout(version="2")),
        ("go back to before I changed the capacity", Checkout(version="2")),
    ],
)
def test_branches_and_versions(best: Best, text: str, meaning: Meaning) -> None:
    assert best(read_moves, "later", text).meanings == (meaning,)


@pytest.mark.parametrize(
    ("text", "component"),
    [
        ("go back to before the ladder rule", "force_ladder"),
        ("go back to the version before you added the ladder rule", "force_ladder"),
        ("go back to how it was before the total weight limit", "max_weight"),
        ("go back to before the camera was forbidden", "no_camera"),
        ("undo back to before max_items", "max_items"),
        ("go back to the state before the rule about the number of items changed", "max_items"),
    ],
)
@pytest.mark.parametrize("model", ["later", "undone"])
def test_before_a_part_that_is_there_or_was(best: Best, model: str, text: str, component: str) -> None:
    assert best(read_moves, model, text).meanings == (Checkout(before=component),)


def test_before_the_last_change_is_undo(best: Best) -> None:
    assert best(read_moves, "later", "go back to before that").meanings == (Undo(),)
    assert best(read_moves, "later", "go back to before the last two").meanings == (Undo(steps=2),)


def test_an_unknown_part_is_asked_for_with_what_there_is(best: Best) -> None:
    reading = best(read_moves, "later", "go back to before the overtime rule")
    assert reading.meanings == ()
    assert "'the overtime rule'" in reading.question
    assert "force_ladder" in reading.question


def test_parts_that_fit_alike_are_asked_for(best: Best) -> None:
    reading = best(read_moves, "production_planning", "go back to before the overtime rule")
    assert reading.question == "Which do you mean: 'overtime_limit' or 'overtime_month'?"


@pytest.mark.parametrize(
    "text",
    ["undo 2.5", "undo 0 changes", "undo the tent", "switch to two drivers", "make a branch in Oslo",
     "do it again",
     "try it on a branch: no tent",
     "the tent must not go back", "bring it back", "go to the tent"],
)  # fmt: skip
def test_what_is_no_move(best: Best, text: str) -> None:
    assert best(read_moves, "later", text) is None
