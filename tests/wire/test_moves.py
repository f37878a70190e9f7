"""The table of moves, written a second time by hand, against every pair of phase and kind."""

from typing import Any, get_args

import pytest

from decision_ai.client.schemas.chat_messages.container import AssistantMessage, UserMessage
from decision_ai.client.schemas.chat_messages.live import LiveMessage
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.wire.moves import MOVES, Phase, diagram

pytestmark = pytest.mark.core


def members(union: Any) -> tuple[Any, ...]:
    return get_args(get_args(union)[0])


def tag(message: Any, name: str) -> str:
    return str(message.model_fields[name].default)


STORED = {
    "user": {tag(message, "kind") for message in members(UserMessage)},
    "assistant": {tag(message, "kind") for message in members(AssistantMessage)},
    "tool": {tag(ToolOutput, "kind")},
}


def test_every_message_has_the_role_of_its_union() -> None:
    for union, role in ((UserMessage, "user"), (AssistantMessage, "assistant")):
        assert {tag(message, "origin") for message in members(union)} == {role}
    assert tag(ToolOutput, "origin") == "tool"
    assert {tag(message, "origin") for message in members(LiveMessage)} == {"user", "assistant"}


def test_every_stored_kind_is_a_move_somewhere_and_no_live_kind_is() -> None:
    moves = {kind for moves in MOVES.values() for kind in moves}
    assert moves == set().union(*STORED.values())
    assert not moves & {tag(message, "kind") for message in members(LiveMessage)}


def test_every_phase_has_moves_and_can_be_reached() -> None:
    assert set(MOVES) == set(Phase)
    reached = {Phase.OPENING}
    for _ in Phase:
        reached |= {after for phase in reached for after in MOVES[phase].values()}
    assert reached == set(Phase)


def test_only_a_person_ends_the_wait_for_a_prompt_but_the_assistant_may_tell_something_meanwhile() -> None:
    for phase in (Phase.AWAITING_PROMPT, Phase.AWAITING_FEEDBACK):
        assert set(MOVES[phase]) == {"prompt", "chat_response", "critical_error"}


def test_the_diagram_shows_every_move_once() -> None:
    first, start, *arrows = diagram().splitlines()
    assert (first, start.strip()) == ("stateDiagram-v2", "[*] --> opening")
    drawn = set()
    for arrow in arrows:
        ends, kinds = arrow.strip().split(": ")
        phase, after = ends.split(" --> ")
        drawn |= {(phase, kind, after) for kind in kinds.split(", ")}
    assert drawn == {(phase, kind, after) for phase, moves in MOVES.items() for kind, after in moves.items()}
