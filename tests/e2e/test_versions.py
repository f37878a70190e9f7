"""Versions with a real server: other data leave parts out, the chat says so, and nothing is ever lost."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from decision_ai import Approve, DecisionAI, Proposal
from decision_ai.client.approval import Card
from decision_ai.errors import StateConflict
from decision_ai.examples import example

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


def without_ladder(json_data: str) -> str:
    data = json.loads(json_data)
    ladder = next(name for name in data["items"] if "ladder" in name.lower())
    del data["items"][ladder]
    return json.dumps(data)


async def said(chat: Any, prompt: str) -> list[str]:
    return [
        message.response async for message in chat.stream_messages(prompt) if message.kind == "chat_response"
    ]


async def test_other_data_leave_out_what_does_not_fit_and_going_back_brings_it_back(
    new_server: Callable[..., Any],
) -> None:
    source, json_data = example("knapsack")
    server = new_server("offline")
    server.start()
    with DecisionAI(server.url, server.key) as client:
        session = await asyncio.to_thread(client.create_chat_session, source, json_data)
        async with session.connect(approve=lambda proposal: Approve()) as chat:
            await said(chat, "The ladder has to come along.")
            new_id = await asyncio.to_thread(
                client.request_handler.create_opt_input_data, without_ladder(json_data)
            )

            def change_data() -> None:
                with session.remote_state() as state:
                    state.opt_input_data_id = new_id

            await asyncio.to_thread(change_data)
            state = await asyncio.to_thread(session.state)
            (rule,) = state.user_constraint_ids
            assert state.constraints[rule].incompatible
            assert state.constraints[rule].incompatibility_reason
            answers = await said(chat, "solve")
            assert answers[0].startswith("In version 2, these parts do not fit the data")
            assert rule in answers[0]
            assert chat.current_solution

            await asyncio.to_thread(session.undo)
            state = await asyncio.to_thread(session.state)
            assert not state.constraints[rule].incompatible
            history = await asyncio.to_thread(session.history)
            assert [version.is_head for version in history] == [False, True, False]
            assert [part.id for part in history[2].incompatible] == [rule]
            comparison = await asyncio.to_thread(session.compare, 0, 2)
            assert comparison.a.outcome is not None
            assert comparison.b.outcome is not None
            assert comparison.data_count == 1


async def test_marks_last_over_a_killed_server_and_are_said_once(new_server: Callable[..., Any]) -> None:
    source, json_data = example("knapsack")
    server = new_server("offline")
    server.start()
    cards: list[Card] = []

    def approve(proposal: Proposal) -> Approve:
        cards.append(proposal.card)
        return Approve()

    with DecisionAI(server.url, server.key) as client:
        session = await asyncio.to_thread(client.create_chat_session, source, json_data)
        async with session.connect(approve=approve) as chat:
            await said(chat, "The ladder has to come along.")
            other = await asyncio.to_thread(
                client.request_handler.create_opt_input_data, without_ladder(json_data)
            )

            def change_data() -> None:
                with session.remote_state() as state:
                    state.opt_input_data_id = other

            await asyncio.to_thread(change_data)
            answers = await said(chat, "solve")
            assert answers[0].startswith("In version 2, these parts do not fit the data")
            assert answers[-1].endswith("Left out, because the data do not fit: constraint force_ladder.")

            server.kill()
            server.start()
            assert len(await said(chat, "solve")) == 1, "what is left out was said once"
            await said(chat, "At most 4 items.")
            assert [part.id for part in cards[-1].incompatible] == ["force_ladder"]
            assert cards[0].incompatible == ()
            (answer,) = await said(chat, "undo the last two and redo")
            assert answer.startswith("Undone: ")

            exported = await asyncio.to_thread(session.export_text, "py")
            assert "force_ladder" not in exported
            await asyncio.to_thread(session.reset, "force_ladder")
            history = await asyncio.to_thread(session.history)
            assert [[part.id for part in version.incompatible] for version in history] == [
                [],
                [],
                ["force_ladder"],
                ["force_ladder"],
                [],
            ]
            comparison = await asyncio.to_thread(session.compare, 1, 3)
            assert comparison.a.outcome is not None
            assert comparison.b.outcome is not None
            assert [part.id for part in comparison.b.incompatible] == ["force_ladder"]
            await asyncio.to_thread(session.checkout, 1)
            state = await asyncio.to_thread(session.state)
            assert not state.constraints["force_ladder"].incompatible


async def test_an_overtaken_edit_and_one_broken_off_write_nothing(new_server: Callable[..., Any]) -> None:
    server = new_server("offline")
    server.start()

    def run() -> None:
        with DecisionAI(server.url, server.key) as client, DecisionAI(server.url, server.key) as other:
            session = client.create_chat_session(*example("knapsack"))

            def edit(meanwhile: Callable[[], object]) -> None:
                with session.remote_state() as state:
                    state.constraints["max_items"].enabled = False
                    meanwhile()

            with pytest.raises(StateConflict, match="revision"):
                edit(lambda: other.continue_chat_session(session.id).branch("theirs"))
            with pytest.raises(ZeroDivisionError):
                edit(lambda: 1 / 0)
            assert len(session.history()) == 1
            assert session.state().constraints["max_items"].enabled
            edit(lambda: None)
            assert not session.state().constraints["max_items"].enabled

    await asyncio.to_thread(run)
