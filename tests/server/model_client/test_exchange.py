"""An exchange without any I/O: whatever comes back, it ends in a decision or in one of two errors."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.capabilities import Capabilities
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import DecisionUsage, ModelDecision
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.model_client.events import ClientEvent, RequestSent, Restarted, ignore
from decision_ai_server.model_client.exchange import (
    Arrived,
    Came,
    Ended,
    Exchange,
    Known,
    Opened,
    Pause,
    Receive,
    Send,
    Surroundings,
)
from decision_ai_server.model_client.replies import Failure, RawCall, RawReply
from tests.server.model_client.endpoints import PACKET

USAGE = DecisionUsage(prompt_tokens=2, completion_tokens=1)
GOOD = RawReply(calls=(RawCall("t", "show", "{}"),), usage=USAGE)
BAD = RawReply(calls=(RawCall("t", "show", "{"),), usage=USAGE)
CAME = st.one_of(
    st.sampled_from([GOOD, BAD, RawReply("prose", usage=USAGE), RawReply("{", finish_reason="length")]),
    st.builds(
        Failure,
        st.sampled_from(["timeout", "unreachable", "lost", "empty", "unreadable", "cut", "unstreamable"]),
        st.text(max_size=5),
        usage=st.none() | st.just(USAGE),
    ),
    st.builds(
        Failure,
        st.just("status"),
        st.sampled_from(
            ["", "stream unsupported", "tool_choice", "tools unsupported", "parallel_tool_calls"]
        ),
        status=st.sampled_from([400, 401, 404, 408, 422, 429, 500, 501, 503]),
    ),
)


def around(known: Known, **changes: Any) -> Surroundings:
    values: dict[str, Any] = {
        "config": HarnessConfig(base_url="http://h/v1", model="m"),
        "known": known,
        "parse_retries": 2,
        "transport_retries": 2,
        "streams": False,
        "secret": "",
        "jitter": lambda: 0.25,
        "clock": lambda: 0.0,
    }
    return Surroundings(**values | changes)


def known(**changes: Any) -> Known:
    return Known(Capabilities.wanted(HarnessConfig(**changes)))


def played(
    came: list[Came], surroundings: Surroundings, events: list[ClientEvent] | None = None
) -> tuple[ModelDecision, list[Any]]:
    """The decision and the steps of an exchange that is answered from the list, then with `GOOD`."""
    watch = ignore if events is None else events.append
    steps = Exchange(PACKET, surroundings, watch).run()
    seen: list[Any] = []
    answer: Came = None
    left = list(came)
    while True:
        try:
            seen.append(steps.send(answer))
        except StopIteration as end:
            return end.value, seen
        answer = None if isinstance(seen[-1], Pause) else left.pop(0) if left else GOOD


@given(st.lists(CAME, max_size=30), st.booleans())
def test_it_always_ends_and_counts_every_token(came: list[Came], native: bool) -> None:
    events: list[ClientEvent] = []
    steps = Exchange(PACKET, around(known(native_tool_calls=native)), events.append).run()
    answer: Came = None
    consumed: list[Came] = []
    left = list(came)
    try:
        while True:
            if isinstance(steps.send(answer), Pause):
                answer = None
                continue
            answer = left.pop(0) if left else GOOD
            consumed.append(answer)
    except StopIteration as end:
        usage = end.value.usage
    except (DecisionParseError, TransportError) as error:
        usage = error.usage
    assert len(events) == len(consumed) <= 100
    tokens = sum(2 for each in consumed if isinstance(each, RawReply | Failure) and each.usage)
    assert (usage.prompt_tokens if usage else 0) == tokens


def test_the_waits_grow_and_the_request_stays_the_same() -> None:
    lost = Failure("lost", "reset")
    decision, steps = played([lost, lost], around(known()))
    first, pause, second, longer, third = steps
    assert (pause, longer) == (Pause(1.25), Pause(2.25))
    assert first == second == third
    assert decision.transport_trace == ["lost: reset", "lost: reset"]


def test_each_try_of_the_model_has_attempts_of_its_own() -> None:
    lost = Failure("lost", "reset")
    decision, steps = played([lost, lost, BAD, lost, lost, GOOD], around(known()))
    assert len([step for step in steps if isinstance(step, Pause)]) == 4
    assert decision.usage == DecisionUsage(prompt_tokens=4, completion_tokens=2)


def test_lost_for_good() -> None:
    with pytest.raises(TransportError, match="in 3 attempts") as raised:
        played([Failure("timeout", "", usage=USAGE)] * 3, around(known()))
    assert raised.value.usage == DecisionUsage(prompt_tokens=6, completion_tokens=3)


def test_what_was_lowered_is_kept_only_after_a_reply() -> None:
    shared = known()
    refusal = Failure("status", "tool_choice", status=400)
    with pytest.raises(TransportError):
        played([refusal, Failure("status", "", status=401)], around(shared))
    assert shared.able.tool_choice == "required"
    played([refusal], around(shared))
    assert shared.able.tool_choice == "auto"


def test_a_lowering_survives_a_lost_reply_in_between() -> None:
    refusal = Failure("status", "bad", status=400)
    shared = known(native_tool_calls=False)
    _, steps = played(
        [refusal, Failure("timeout", ""), RawReply('{"name": "show", "input": {}}')], around(shared)
    )
    sent = [step.body["response_format"]["type"] for step in steps if isinstance(step, Send)]
    assert sent == ["json_schema", "json_object", "json_object"]
    assert shared.able.response_format == "json_object"


def test_a_stream_is_received_to_its_end() -> None:
    function = {"name": "show", "arguments": "{}"}
    delta = {"tool_calls": [{"index": 0, "id": "t", "function": function}]}
    chunk = {"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}
    decision, steps = played([Opened(), Arrived(chunk), Ended()], around(known(), streams=True))
    assert [type(step) for step in steps] == [Send, Receive, Receive]
    assert decision.transport == "native_stream"


def test_restarts_are_told_only_after_something_was() -> None:
    lost = Failure("lost", "reset")
    events: list[ClientEvent] = []
    played([lost], around(known()), events)
    assert [type(event) for event in events] == [RequestSent, RequestSent]
    events.clear()
    chunk = Arrived({"choices": [{"delta": {"reasoning": "hm"}}]})
    played([Opened(), chunk, lost], around(known(), streams=True), events)
    assert events[2] == Restarted("the reply was lost: lost: reset")


def test_the_key_is_in_no_text() -> None:
    told = Failure("status", "key abc-xyz is wrong", status=401)
    with pytest.raises(TransportError) as raised:
        played([told], around(known(), secret="abc-xyz"))
    assert "abc-xyz" not in str(raised.value)
