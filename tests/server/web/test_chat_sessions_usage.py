"""What language models have cost is in the state of a session, from the first token on."""

from typing import Any

import httpx
import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai_server.agent.journal import Entry, Note, decision_note
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision
from decision_ai_server.storage.records import Append
from decision_ai_server.storage.store import Store

FREE = decision_note(ModelDecision(action=FinalAnswer(answer="hello")), seconds=1.0)


def costly(tokens: int, cost: float | None = 0.5) -> Note:
    usage = {"prompt_tokens": tokens, "completion_tokens": 1}
    return Note("decision", {"usage": usage, "seconds": 2.0, "cost": cost, "currency": "EUR"})


async def spend(store: Store, session: dict[str, Any]) -> None:
    """Two prompts; the first cost 100 tokens, the second 10 and a loss."""
    answer = ChatResponse(response="hello"), AskForPrompt()
    first, second = (Prompt(prompt="one"), *answer), (Prompt(prompt="two"), *answer)
    said = [SystemPrompt(content="x"), AskForPrompt(), *first, *second]
    messages = tuple(MessageContainer(chat_session_id=session["id"], message=message) for message in said)
    entries = (Entry(3, costly(100)), Entry(6, costly(10)), Entry(6, Note("loss", {"seconds": 1.0})))
    await store.append(session["id"], Append(messages=messages, journal=entries), now=99)


async def test_there_is_none_before_a_language_model_was_used(
    client: httpx.AsyncClient, store: Store, session: dict[str, Any]
) -> None:
    await store.append(session["id"], Append(journal=(Entry(1, FREE),)), now=99)
    state = (await client.get(f"/v1/chat_sessions/{session['id']}")).json()
    assert "usage" not in session
    assert "usage" not in state


async def test_the_session_and_its_last_turn_are_added_up(
    client: httpx.AsyncClient, store: Store, session: dict[str, Any]
) -> None:
    await spend(store, session)
    state = (await client.get(f"/v1/chat_sessions/{session['id']}")).json()
    common = {"currency": "EUR", "completion_tokens": 1}
    assert state["usage"] == {
        "prompt_tokens": 110,
        "completion_tokens": 2,
        "cost": 1.0,
        "currency": "EUR",
        "seconds": 5.0,
        "decisions": 3,
        "last_turn": {"prompt_tokens": 10, "cost": 0.5, "seconds": 3.0, "decisions": 2, **common},
    }
    listed = (await client.get("/v1/chat_sessions")).json()["items"]
    assert listed[0]["usage"] == state["usage"]
    parsed = ChatSessionState.model_validate(state)
    assert parsed.usage is not None
    assert parsed.usage.last_turn.prompt_tokens == 10


@pytest.mark.parametrize("sent", ["without", "old", "new", "wrong"])
async def test_a_state_is_written_whatever_usage_it_holds(
    client: httpx.AsyncClient, store: Store, session: dict[str, Any], sent: str
) -> None:
    url = f"/v1/chat_sessions/{session['id']}"
    await spend(store, session)
    state = (await client.get(url)).json()
    usage = state.pop("usage")
    if sent != "without":
        state["usage"] = {"old": usage | {"prompt_tokens": 1}, "new": usage, "wrong": None}[sent]
    state["constraints"]["room"]["enabled"] = False

    answer = await client.patch(url, json=state, headers={"If-Match": '"0"'})

    assert answer.status_code == 200, answer.text
    assert answer.json()["usage"] == usage
    assert not answer.json()["constraints"]["room"]["enabled"]
