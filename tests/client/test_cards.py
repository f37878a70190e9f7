"""What an ask carries under reserved keys: taken where it has the right form, else left out."""

from typing import Any

import pytest

from decision_ai.client.approval import Card
from decision_ai.client.cards import MOST_CHECKS, read_card, read_checks
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.solving.findings import IncompatiblePart, PlanCheck

CHECK = {"name": "few", "sentence": "at most 3", "code": "def few(self, data, v): ..."}


def origin(**args: Any) -> ToolData:
    return ToolData(name="propose_changes", id="c", args=args)


def test_a_card_is_read_with_its_lists() -> None:
    left_out = {"kind": "constraint", "id": "window", "reason": "no item"}
    card = {"sentence": "s", "reading": "r", "unused_words": ["u"], "warnings": ["w", 3], "doubt": "d"}
    assert read_card(origin(card={**card, "incompatible": [left_out, {"kind": "?"}, 7]})) == Card(
        sentence="s",
        reading="r",
        unused_words=("u",),
        warnings=("w", "3"),
        doubt="d",
        incompatible=(IncompatiblePart(kind="constraint", id="window", reason="no item"),),
    )


@pytest.mark.parametrize("card", [None, 4, "text", [], {"warnings": "one", "incompatible": {"a": 1}}])
def test_a_card_of_another_form_is_empty(card: Any) -> None:
    assert read_card(origin(card=card)) == Card()


def test_checks_are_read_once_by_name_and_broken_ones_left_out() -> None:
    given = [CHECK, {"name": "broken"}, None, {**CHECK, "sentence": "at most 4"}, {**CHECK, "extra": 1}]
    assert read_checks(origin(checks=given)) == [PlanCheck.model_validate({**CHECK, "sentence": "at most 4"})]
    assert read_checks(origin(checks=CHECK)) == read_checks(origin()) == []


def test_there_is_a_limit_to_checks() -> None:
    many = [{**CHECK, "name": f"few{n}"} for n in range(MOST_CHECKS + 5)]
    assert len(read_checks(origin(checks=many))) == MOST_CHECKS
