"""Lost replies against a real endpoint: what is tried again, after how long, and what a person is told."""

import asyncio
import socket

import pytest

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import DecisionUsage, ToolCall
from decision_ai_server.model_client.errors import EmptyResponseError, TransportError
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.testing.openai_server import Chunk, Exchange, Manner, Peer, Reply
from tests.server.model_client.endpoints import PACKET, SHOWN, Bench, bench

NOTHING = SHOWN.model_copy(update={"manner": Manner(body="nul")})
SHOW_CALL = ToolCall(name="show", input={"part": "capacity"})
BLANK = Reply.text(" \n\0")


def plain(body: str, kind: str = "application/json") -> Exchange:
    """A body as an endpoint wrote it."""
    return Exchange(request={}, status=200, headers={"Content-Type": kind}, chunks=(Chunk(at=0, data=body),))


async def refused(it: Bench) -> str:
    """What a person is told when a decision fails, on the loop and in a thread."""
    with pytest.raises(TransportError):
        await it.decide_in_thread()
    with pytest.raises(TransportError) as raised:
        await it.decide()
    return str(raised.value)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
async def test_passing_faults_are_tried_again(status: int) -> None:
    async with bench([Reply.error(status), SHOWN] * 2, tool_choice="auto") as it:
        for decide in (it.decide, it.decide_in_thread):
            decision = await decide()
            assert decision.action == SHOW_CALL
            assert decision.transport_trace == [f"HTTP {status}: the script says so"]
    assert it.bodies[0] == it.bodies[1]
    assert [1 <= pause < 2 for pause in it.pauses] == [True, True]


async def test_the_wait_doubles_and_an_endpoint_may_ask_for_more() -> None:
    asking = Reply.error(429, headers={"Retry-After": "7"})
    in_milliseconds = Reply.error(429, headers={"retry-after-ms": "9500"})
    replies = [Reply.error(503), Reply.error(503), asking, in_milliseconds, SHOWN]
    async with bench(replies, transport_max_retries=4) as it:
        await it.decide()
    assert [int(pause) for pause in it.pauses[:2]] == [1, 2]
    assert it.pauses[2:] == [7.0, 9.5]


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "check the settings"),
        (401, "check the API key"),
        (403, "check the API key"),
        (404, "name of the model and the address"),
    ],
)
async def test_a_refusal_is_not_tried_again(status: int, advice: str) -> None:
    async with bench([Reply.error(status, "No such thing.")] * 2) as it:
        told = await refused(it)
    assert f"{it.server.base_url} answered with HTTP {status}" in told
    assert advice in told
    assert "'No such thing.'" in told
    assert (len(it.bodies), it.pauses) == (2, [])


async def test_a_rate_limit_that_stays_is_told() -> None:
    async with bench([Reply.error(429)] * 6) as it:
        told = await refused(it)
    assert "HTTP 429 in 3 attempts" in told
    assert "rate limit or quota" in told
    assert len(it.pauses) == 4


@pytest.mark.parametrize("manner", [Manner(body="empty"), Manner(body="blank"), Manner(body="nul")])
async def test_nothing_in_the_body_is_a_lost_reply(manner: Manner) -> None:
    reply = SHOWN.model_copy(update={"manner": manner})
    async with bench([reply, SHOWN] * 2) as it:
        for decide in (it.decide, it.decide_in_thread):
            decision = await decide()
            assert (decision.action, decision.transport_trace) == (SHOW_CALL, ["empty"])


@pytest.mark.parametrize("reply", [BLANK, Reply.text(""), NOTHING])
async def test_an_endpoint_that_keeps_sending_nothing_is_told_as_such(reply: Reply) -> None:
    async with bench([reply] * 6) as it:
        assert "sent an empty reply in 3 attempts" in await refused(it)
    async with bench([reply]) as it:
        client = OpenAIModelClient(it.client._config, transport_max_retries=0)
        with pytest.raises(EmptyResponseError):
            await client.adecide(PACKET)
        await client.aclose()


async def test_tokens_of_lost_replies_count() -> None:
    async with bench([BLANK, BLANK, SHOWN]) as it:
        decision = await it.decide()
    assert decision.usage == DecisionUsage(prompt_tokens=60, completion_tokens=15)
    async with bench([BLANK] * 3) as it:
        with pytest.raises(EmptyResponseError) as raised:
            await it.decide()
    assert raised.value.usage == DecisionUsage(prompt_tokens=60, completion_tokens=15)


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ("<html>Welcome</html>", "text/html", "no chat completion"),
        ("not json", "application/json", "no chat completion"),
        ("{}", "application/json", "an empty reply"),
        ("[]", "application/json", "an empty reply"),
        ('{"choices": [{"message": {"content": 7}}]}', "application/json", "an empty reply"),
    ],
)
async def test_a_body_that_is_no_completion_is_told_in_one_sentence(body: str, kind: str, told: str) -> None:
    async with bench([plain(body, kind)] * 3) as it:
        with pytest.raises(TransportError, match=told):
            await it.decide_in_thread()


async def test_an_error_in_a_body_of_success_is_an_error() -> None:
    body = '{"error": {"code": 429, "message": "slow down"}}'
    async with bench([plain(body), SHOWN]) as it:
        decision = await it.decide_in_thread()
    assert decision.transport_trace == ["HTTP 429: slow down"]


@pytest.mark.parametrize(
    "manner", [Manner(cut_after_bytes=0), Manner(cut_after_bytes=60), Manner(cut_after_pieces=1)]
)
async def test_a_reset_is_tried_again(manner: Manner) -> None:
    async with bench([SHOWN.model_copy(update={"manner": manner}), SHOWN] * 2) as it:
        for decide in (it.decide, it.decide_in_thread):
            decision = await decide()
            assert decision.action == SHOW_CALL
            assert [line.partition(":")[0] for line in decision.transport_trace] == ["lost"]


@pytest.mark.parametrize("streamed", [True, False])
async def test_silence_is_a_time_out(streamed: bool) -> None:
    silent = SHOWN.model_copy(update={"manner": Manner(stall_seconds=15)})
    settings = {"request_timeout_seconds": 0.2, "request_idle_timeout_seconds": 0.2}
    async with bench([silent] * 2, stream_model_calls=streamed, transport_max_retries=0, **settings) as it:
        told = await refused(it)
    assert "did not answer in time" in told


async def test_bytes_that_drip_do_not_hold_an_unstreamed_request_for_ever() -> None:
    dripping = SHOWN.model_copy(
        update={"manner": Manner(delay_seconds=0.4, stall_seconds=0.4, stall_after=1)}
    )
    settings = {"request_timeout_seconds": 0.6, "stream_model_calls": False}
    async with bench([dripping, SHOWN], **settings) as it:
        decision = await it.decide()
    assert decision.transport_trace == ["timeout"]


async def test_nobody_listening_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    async with bench(base_url=address) as it:
        told = await refused(it)
    assert f"{address} cannot be reached in 3 attempts" in told
    assert "check that it is running" in told


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "http://", "", "http://[", "http://h:p"]
)
async def test_an_address_that_is_none_is_told(address: str) -> None:
    async with bench(base_url=address, api_key="k-123", transport_max_retries=0) as it:
        assert "check" in await refused(it)


async def test_what_an_endpoint_says_is_foreign_and_holds_no_key() -> None:
    said = "bad key sk-verysecret\x1b[31m\n\n" + "x" * 5_000
    async with bench(
        [Reply.error(401, said)] * 2, Peer(api_key="sk-verysecret"), api_key="sk-verysecret"
    ) as it:
        told = await refused(it)
    assert it.server.headers[0]["authorization"] == "Bearer sk-verysecret"
    assert "verysecret" not in told
    assert "\x1b" not in told
    assert "\n" not in told
    assert len(told) < 700


async def test_passwords_in_the_address_are_not_told() -> None:
    async with bench([Reply.error(404)] * 2) as it:
        with_password = it.server.base_url.replace("http://", "http://ann:hunter2@")
        client = OpenAIModelClient(HarnessConfig(base_url=with_password, model="m"))
        with pytest.raises(TransportError) as raised:
            await client.adecide(PACKET)
        await client.aclose()
    assert "hunter2" not in str(raised.value)


async def test_this_machine_is_not_given_the_key_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    async with bench() as it:
        await it.decide()
    assert it.server.headers[0]["authorization"] == "Bearer none-needed"


async def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    async with bench() as it:
        assert (await it.decide()).action == SHOW_CALL


async def test_a_key_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with bench(base_url="https://llm.example/v1") as it:
        told = await refused(it)
    assert told == (
        "there is no API key for the language model at https://llm.example/v1: "
        "set DECISION_AI_LLM_API_KEY or OPENAI_API_KEY"
    )


async def test_a_pause_can_be_cancelled() -> None:
    async with bench([Reply.error(503), SHOWN]) as it:
        client = OpenAIModelClient(it.client._config)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await client.adecide(PACKET)
        await client.aclose()
    assert len(it.bodies) == 1
