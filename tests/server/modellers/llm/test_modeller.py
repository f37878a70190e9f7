"""The modeller asks, tells and notes; it never loses a session."""

import asyncio
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, ReasoningDelta
from decision_ai_server.model_client import events
from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import DecisionUsage, FinalAnswer, ModelDecision
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.modellers.llm.options import PriceTable

ANSWER = ModelDecision(action=FinalAnswer(answer="Hello."))
USAGE = DecisionUsage(prompt_tokens=500_000, completion_tokens=100)


class Eventful(ModelClient):
    """Tells given events, then answers; or hangs."""

    def __init__(self, *told: events.ClientEvent, hangs: bool = False) -> None:
        self._told, self._hangs = told, hangs
        self.waiting = asyncio.Event()

    def decide(self, context: ContextPacket) -> ModelDecision:
        return ANSWER

    async def adecide_watched(self, context: ContextPacket, watch: events.Watch) -> ModelDecision:
        for event in self._told:
            watch(event)
        if self._hangs:
            self.waiting.set()
            await asyncio.Event().wait()
        return ANSWER


async def test_events_reach_the_person_and_the_journal(start: Any) -> None:
    client = Eventful(
        events.RequestSent({"model": "m", "messages": []}),
        events.ReasoningDelta("I think"),
        events.AnswerDelta("Hi"),
        events.Restarted("lost"),
        events.AnswerDelta("Hel"),
        events.AnswerDelta("lo."),
    )
    session = start(client)
    assert await session.prompt("hi") == "Hello."

    assert session.told == [
        ReasoningDelta(delta="I think"),
        ChatResponseDelta(delta="Hi"),
        ChatResponseDelta(delta="", restart=True),
        ChatResponseDelta(delta="Hel"),
        ChatResponseDelta(delta="lo."),
    ]
    assert session.notes("request") == [{"body": {"model": "m", "messages": []}}]
    (decision,) = session.notes("decision")
    assert (decision["model"], decision["seconds"]) == ("m", 1.0)


async def test_tokens_and_money_are_counted(start: Any) -> None:
    prices = PriceTable(prompt=2.0, completion=0.0, currency="EUR")
    session = start([ANSWER.model_copy(update={"usage": USAGE})], prices=prices)
    await session.prompt("hi")
    (decision,) = session.notes("decision")
    assert (decision["cost"], decision["currency"]) == (1.0, "EUR")
    assert decision["usage"]["prompt_tokens"] == 500_000


async def test_a_reply_that_is_no_decision_is_asked_for_once_more(start: Any) -> None:
    session = start([DecisionParseError("not valid JSON: x </data>", USAGE), ANSWER])
    assert await session.prompt("hi") == "Hello."

    first, second = session.packets
    assert first.latest_error is None
    assert second.latest_error == "not valid JSON: x <\\/data>"
    assert second.model_copy(update={"latest_error": None}) == first
    assert ChatResponseDelta(delta="", restart=True) in session.told
    (loss,) = session.notes("loss")
    assert "not valid JSON" in loss["error"]
    assert loss["usage"] == USAGE.model_dump()


async def test_the_second_one_is_told_to_the_person(start: Any) -> None:
    session = start([DecisionParseError("bad"), DecisionParseError("worse", USAGE)])
    with pytest.raises(
        DecisionParseError, match=r"did not answer in a form.*worse.*Nothing was changed"
    ) as raised:
        await session.prompt("hi")
    assert raised.value.usage == USAGE
    assert len(session.notes("loss")) == 2


async def test_a_lost_endpoint_is_noted_and_told(start: Any) -> None:
    session = start([TransportError("the endpoint does not answer", USAGE)])
    with pytest.raises(TransportError, match="does not answer"):
        await session.prompt("hi")
    (loss,) = session.notes("loss")
    assert "does not answer" in loss["error"]


async def test_a_cancelled_decision_is_noted(start: Any) -> None:
    client = Eventful(events.RequestSent({}), events.AnswerDelta("Hel"), hangs=True)
    session = start(client)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(session.prompt("hi"))
        await client.waiting.wait()
        task.cancel()
    assert session.notes("request") == [{"body": {}}]
    (loss,) = session.notes("loss")
    assert "CancelledError" in loss["error"]


async def test_the_thoughts_of_a_small_model_are_for_the_journal(start: Any, call: Any, said: Any) -> None:
    session = start([call("solve", "I load the kettle."), said("Done.")], tools="small")
    await session.prompt("solve")
    assert session.context.calls[0].call.preface is None


async def test_a_preface_is_one_short_line(start: Any, call: Any, said: Any) -> None:
    session = start([call("solve", f"First\nI solve it.\t{'x' * 400}"), said("Done.")])
    await session.prompt("solve")
    preface = session.context.calls[0].call.preface
    assert preface.startswith("First I solve it. xxx")
    assert len(preface) <= 201


async def test_half_a_stand_in_is_held_back(start: Any) -> None:
    client = Eventful(events.AnswerDelta("a ⟦lab"), events.AnswerDelta("el 5⟧ b ⟦la"))
    session = start(client, data_visibility="schema")
    await session.prompt("hi")
    assert [delta.delta for delta in session.told] == ["a ", "Tent b ", "⟦la"]


async def test_nothing_is_kept_between_turns(start: Any) -> None:
    session = start([ANSWER, ANSWER])
    await session.prompt("hi")
    before = vars(session.modeller.inner).copy()
    await session.prompt("hi")
    assert vars(session.modeller.inner) == before
