"""What is read off a scripted endpoint, over real HTTP in a process of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.models.endpoint import Endpoint
from decision_ai_server.testing import Manner, Peer, Reply, Script, Usage, scripted_process

KEY = "sk-the-secret-of-this-test"
ASK = {"messages": [{"role": "user", "content": "Hello"}]}
STREAM = {**ASK, "stream": True, "stream_options": {"include_usage": True}}


@contextmanager
def endpoint(*replies: Reply, peer: Peer = Peer(), key: str | None = None) -> Iterator[Endpoint]:  # noqa: B008
    with scripted_process(Script(replies=replies, peer=peer)) as server:
        config = HarnessConfig(
            base_url=server.base_url,
            model="m",
            api_key=None if key is None else SecretStr(key),
            request_timeout_seconds=2,
        )
        with Endpoint(config) as opened:
            yield opened


def test_models_are_listed() -> None:
    with endpoint(peer=Peer(models=("a", "b"))) as opened:
        names, problem, seconds = opened.models()
    assert (names, problem) == (["a", "b"], "")
    assert seconds > 0


def test_a_reply_with_its_time_and_usage() -> None:
    with endpoint(Reply.text("ready", usage=Usage(prompt_tokens=3, completion_tokens=1))) as opened:
        answered = opened.ask(**ASK)
    assert answered.problem == ""
    assert answered.reply is not None
    assert answered.reply.content == "ready"
    assert answered.reply.usage is not None
    assert answered.seconds > 0
    assert answered.first_seconds is None


def test_a_stream_is_put_together_and_timed() -> None:
    slow = Manner(fragment=2, delay_seconds=0.05)
    with endpoint(Reply.text("ready", manner=slow), Reply.text("", usage=None)) as opened:
        answered = opened.ask(**STREAM)
        nothing = opened.ask(**STREAM)
    assert answered.reply is not None
    assert (answered.reply.content, answered.reply.usage is not None) == ("ready", True)
    assert answered.first_seconds is not None
    assert answered.first_seconds < answered.seconds
    assert nothing.problem == "the stream has no text in it"


@pytest.mark.parametrize("body", [ASK, STREAM])
def test_a_refusal_is_told_without_the_key(body: dict[str, object]) -> None:
    said = Reply.error(400, f"your key {KEY} may not")
    with endpoint(said, peer=Peer(api_key=KEY), key=KEY) as opened:
        answered = opened.ask(**body)
    assert answered.problem == "HTTP 400: your key [key] may not"
    assert answered.reply is None


def test_a_wrong_key_is_told_everywhere() -> None:
    with endpoint(peer=Peer(api_key="other"), key=KEY) as opened:
        assert opened.models()[:2] == ([], "HTTP 401: Incorrect API key provided.")
        assert opened.ask(**ASK).problem.startswith("HTTP 401: ")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply.text("ready", manner=Manner(body="nul")), "no chat completion"),
        (Reply.text("ready", manner=Manner(body="empty")), "no chat completion"),
        (Reply.text(""), "the reply is empty"),
        (Reply.error(500, html=True), "HTTP 500: "),
        (Reply.text("ready", manner=Manner(cut_after_bytes=90)), ""),
        (Reply.text("ready", manner=Manner(stall_seconds=30)), ""),
    ],
)
def test_whatever_comes_is_told(reply: Reply, problem: str) -> None:
    with endpoint(reply) as opened:
        answered = opened.ask(**ASK)
    assert answered.reply is None
    assert problem in answered.problem
    assert answered.problem


def test_the_newer_name_of_the_limit_is_learnt_once() -> None:
    said = Reply.error(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
    with endpoint(said, Reply.text("ready"), Reply.text("again")) as opened:
        assert opened.ask(**ASK).problem == ""
        assert opened.ask(**ASK).problem == ""


def test_nobody_there_is_told() -> None:
    with endpoint() as opened:
        pass
    with Endpoint(HarnessConfig(base_url="http://127.0.0.1:9/v1")) as opened:
        assert opened.models()[1]
        assert opened.ask(**ASK).problem
