"""An attempt at a step keeps what was noted, and stopped, tells nothing more."""

import asyncio
import logging
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.errors import DecisionAIError
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.agent.ports import SessionView
from decision_ai_server.agent.steps import Emit, Step, Wait
from decision_ai_server.sessions import attempt as attempts
from decision_ai_server.sessions.attempt import Attempt

HELLO = ChatResponseDelta(delta="hello")
WITHDRAWN = ChatResponseDelta(delta="", restart=True)


@pytest.fixture
def told() -> list[Any]:
    return []


@pytest.fixture
def attempt(told: list[Any]) -> Attempt:
    nothing: Any = None
    view = SessionView(
        phase=Phase.WORKING,
        messages=(AskForPrompt(),) * 3,
        base=nothing,
        tree=nothing,
        describe=nothing,
        run=nothing,
    )
    return Attempt(view, told.append)


async def test_the_step_is_handed_on(attempt: Attempt) -> None:
    async def think() -> Step:
        return Wait()

    assert await attempt.work(think()) == Wait()


async def test_what_is_told_is_passed_on_until_it_is_stopped(attempt: Attempt, told: list[Any]) -> None:
    attempt.view.tell(HELLO)
    attempt.stop()
    attempt.view.tell(HELLO)
    attempt.stop()
    assert told == [HELLO, WITHDRAWN]


async def test_nothing_is_withdrawn_where_nothing_was_told(attempt: Attempt, told: list[Any]) -> None:
    attempt.stop()
    assert told == []


async def test_notes_are_kept_as_they_were_with_their_place(attempt: Attempt) -> None:
    payload = {"body": {"messages": [1]}}
    attempt.view.note(Note("request", payload))
    payload["body"]["messages"].append(2)
    attempt.stop()
    attempt.view.note(Note("loss", {}))
    assert attempt.entries == [
        Entry(3, Note("request", {"body": {"messages": [1]}})),
        Entry(3, Note("loss", {})),
    ]


async def test_a_note_that_is_no_json_is_the_fault_of_whoever_makes_it(attempt: Attempt) -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        attempt.view.note(Note("request", {"body": object()}))
    assert attempt.entries == []


async def test_stopped_it_ends_what_thinks_and_gives_no_step(attempt: Attempt) -> None:
    ends: list[str] = []

    async def think() -> Step:
        try:
            await asyncio.sleep(60)
        finally:
            attempt.view.note(Note("loss", {"error": "cancelled"}))
            ends.append("ended")
        return Wait()

    working = asyncio.ensure_future(attempt.work(think()))
    await asyncio.sleep(0.01)
    attempt.stop()
    assert await working is None
    assert ends == ["ended"]
    assert attempt.entries == [Entry(3, Note("loss", {"error": "cancelled"}))]


@pytest.mark.parametrize("swallowed", [1, 2])
async def test_a_cancellation_that_is_swallowed_is_said_again(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, swallowed: int
) -> None:
    monkeypatch.setattr(attempts, "_PATIENCE", 0.02)
    cancels: list[int] = []

    async def think() -> Step:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancels.append(1)
                if len(cancels) > swallowed:
                    raise

    working = asyncio.ensure_future(attempt.work(think()))
    await asyncio.sleep(0.01)
    attempt.stop()
    assert await working is None
    assert len(cancels) == swallowed + 1


async def test_what_never_ends_is_left_behind(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, told: list[Any]
) -> None:
    monkeypatch.setattr(attempts, "_PATIENCE", 0.01)
    enough = asyncio.Event()

    async def think() -> Step:
        while not enough.is_set():
            try:
                await enough.wait()
            except asyncio.CancelledError:
                attempt.view.tell(HELLO)
        raise ZeroDivisionError

    working = asyncio.ensure_future(attempt.work(think()))
    await asyncio.sleep(0.01)
    attempt.stop()
    with caplog.at_level(logging.WARNING):
        assert await working is None
    assert "left behind" in caplog.text
    assert told == []
    enough.set()
    await asyncio.sleep(0.01)


async def test_an_error_is_passed_on_and_one_after_the_stop_is_not(attempt: Attempt) -> None:
    async def fail() -> Step:
        raise DecisionAIError("no network")

    with pytest.raises(DecisionAIError, match="no network"):
        await attempt.work(fail())
    attempt.stop()
    assert await attempt.work(fail()) is None


async def test_a_step_that_cancels_itself_is_an_error_and_ends_nobody_else(attempt: Attempt) -> None:
    async def think() -> Step:
        raise asyncio.CancelledError

    with pytest.raises(DecisionAIError, match="broke off by itself"):
        await attempt.work(think())


async def test_a_caller_that_is_cancelled_takes_the_thinking_along(attempt: Attempt) -> None:
    ends: list[str] = []

    async def think() -> Step:
        try:
            await asyncio.sleep(60)
        finally:
            ends.append("ended")
        return Emit(messages=())

    working = asyncio.ensure_future(attempt.work(think()))
    await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert ends == ["ended"]
