from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.kept_checks import read_check_questions, read_kept_checks
from decision_ai_server.modellers.offline.meaning import KeepCheck, RemoveCheck, Show
from decision_ai_server.modellers.offline.understanding import Subject, understand

Best = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("always check that at most 3 kitchen items are packed", "cardinality"),
        ("keep a check that the tent is never taken", "forbid"),
        ("from now on test that the total weight is at most 20", "total_limit"),
        ("From now on, check that the ladder comes along", "force"),
        ("check that the tent and the stove are not both taken", "pair_conflict"),
        ("keep an eye on this: at most 3 kitchen items are packed", "cardinality"),
        ("keep checking that at least 2 kitchen items are taken", "cardinality"),
    ],
)
def test_a_rule_to_check(best: Best, text: str, kind: str) -> None:
    (meaning,) = best(read_kept_checks, "later", text).meanings
    assert isinstance(meaning, KeepCheck)
    assert meaning.rule.kind == kind


@pytest.mark.parametrize(
    ("model", "text", "name"),
    [
        ("later", "stop checking the kitchen items", "max_kitchen_items"),
        ("later", "stop checking that the tent is not taken", "no_tent"),
        ("later", "remove the check max_kitchen_items", "max_kitchen_items"),
        ("later", "remove the tent check", "no_tent"),
        ("later", "don't check the tent any more", "no_tent"),
        ("knapsack", "stop checking the tent", "the tent"),
    ],
)
def test_a_check_to_drop(best: Best, model: str, text: str, name: str) -> None:
    assert best(read_kept_checks, model, text).meanings == (RemoveCheck(name=name),)


def test_that_check_is_the_only_one_or_is_asked_for(best: Best, subjects: dict[str, Subject]) -> None:
    for text in ("drop that check", "stop checking that", "remove the last check"):
        reading = best(read_kept_checks, "later", text)
        assert reading.question == "Which check do you mean: 'max_kitchen_items' or 'no_tent'?"
    subject = subjects["later"]
    one = replace(subject, checks=subject.checks[:1])
    (command,) = understand("drop that check", one).proposals[0].commands
    assert command == RemoveCheck(name="max_kitchen_items")


def test_what_is_unclear_is_asked(best: Best) -> None:
    reading = best(read_kept_checks, "later", "stop checking")
    assert reading.question == "Which check do you mean: 'max_kitchen_items' or 'no_tent'?"
    reading = best(read_kept_checks, "later", "always check that the frobnicator is blue")
    assert "'the frobnicator is blue'" in reading.question


@pytest.mark.parametrize("text", ["which checks are there?", "show the checks", "what do you check"])
def test_which_checks_there_are(best: Best, text: str) -> None:
    assert best(read_check_questions, "later", text).meanings == (Show(what="checks"),)


@pytest.mark.parametrize("text", ["check the weight of the tent", "keep at most 3 items", "take the tent"])
def test_what_is_no_check(best: Best, text: str) -> None:
    assert best(read_kept_checks, "later", text) is None
