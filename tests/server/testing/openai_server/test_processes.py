"""A scripted endpoint in a process of its own answers, can be killed, and comes back at the same address."""

from urllib.parse import urlsplit

import httpx
import pytest
from asking import ask, message

from decision_ai_server.testing import Manner, Reply, Script, scripted_process

SCRIPT = Script(
    replies=(Reply.text("here"), Reply.text("late", manner=Manner(stall_seconds=60, stall_after=1)))
)


async def test_a_process_answers_until_it_is_killed_and_another_takes_its_place(http: httpx.AsyncClient):
    with scripted_process(SCRIPT) as process:
        assert message(await ask(http, process.base_url))["content"] == "here"
        address = f"{process.base_url}/chat/completions"
        request = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        async with http.stream("POST", address, json=request) as answer:
            process.kill()
            with pytest.raises(httpx.TransportError):
                await answer.aread()
        process.kill()
        with pytest.raises(httpx.ConnectError):
            await ask(http, process.base_url)

        with scripted_process(SCRIPT, port=urlsplit(process.base_url).port or 0) as again:
            assert again.base_url == process.base_url
            assert again.pid != process.pid
            assert message(await ask(http, again.base_url))["content"] == "here"


def test_a_process_that_does_not_start_is_told(capfd: pytest.CaptureFixture[str]):
    with (
        scripted_process(SCRIPT) as first,
        pytest.raises(RuntimeError, match="did not start"),
        scripted_process(SCRIPT, port=urlsplit(first.base_url).port or 0),
    ):
        pass
    assert "address already in use" in capfd.readouterr().err
