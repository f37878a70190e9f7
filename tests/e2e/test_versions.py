"""Versions with a real server: other data leave parts out, the chat says so, and nothing is ever lost."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from decision_ai import Approve, DecisionAI
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
