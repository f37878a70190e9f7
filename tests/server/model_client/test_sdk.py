import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

import httpx2
import openai
import pytest
from pydantic import SecretStr

from decision_ai_server.model_client import sdk
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.model_client.replies import Failure

REQUEST = httpx2.Request("POST", "http://h/v1/chat/completions")
AWAY = HarnessConfig(base_url="https://llm.example/v1", api_key=SecretStr("k-1"))


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def status_error(status: int, body: object, headers: dict[str, str] | None = None) -> Exception:
    response = httpx2.Response(status, headers=headers, request=REQUEST)
    return openai.APIStatusError("Error code", response=response, body=body)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (TimeoutError(), Failure("timeout", "")),
        (openai.APITimeoutError(REQUEST), Failure("timeout", "")),
        (
            caused(openai.APIConnectionError(request=REQUEST), httpx2.ConnectError("refused")),
            Failure("unreachable", "refused"),
        ),
        (
            caused(openai.APIConnectionError(request=REQUEST), httpx2.ReadError("")),
            Failure("lost", "ReadError"),
        ),
        (openai.APIConnectionError(request=REQUEST), Failure("lost", "Connection error.")),
        (json.JSONDecodeError("m", "\0\0", 0), Failure("empty", "\0\0")),
        (json.JSONDecodeError("m", "<p>", 0), Failure("unreadable", "<p>")),
        (status_error(400, {"message": "m"}), Failure("status", "m", status=400)),
        (status_error(400, {"error": "m"}), Failure("status", "m", status=400)),
        (status_error(400, {"detail": "m"}), Failure("status", "m", status=400)),
        (status_error(502, "<html>"), Failure("status", "<html>", status=502)),
        (status_error(502, None), Failure("status", "Error code", status=502)),
        (
            status_error(429, {"message": "m"}, {"retry-after": "3"}),
            Failure("status", "m", status=429, headers={"retry-after": "3"}),
        ),
        (
            openai.APIError("m", REQUEST, body={"code": 503, "message": "b"}),
            Failure("status", "b", status=503),
        ),
        (openai.APIError("m", REQUEST, body=None), Failure("lost", "APIError: m")),
        (ZeroDivisionError("z"), Failure("lost", "ZeroDivisionError: z")),
    ],
)
def test_what_an_exception_means(error: Exception, failure: Failure) -> None:
    assert sdk.failure_of(error) == failure


def test_text_that_is_no_unicode_is_unreadable() -> None:
    with pytest.raises(UnicodeDecodeError) as raised:
        b"\xff".decode()
    assert sdk.failure_of(raised.value).kind == "unreadable"


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("http://127.0.0.1:8000/v1", ""),
        ("http://127.9.9.9/v1", ""),
        ("http://localhost:8000/v1", ""),
        ("http://llm.localhost/v1", ""),
        ("http://[::1]:8000/v1", ""),
        ("https://llm.example/v1", "sk-of-the-environment"),
        ("http://10.0.0.1/v1", "sk-of-the-environment"),
    ],
)
def test_the_key_of_the_environment_is_for_other_machines(
    monkeypatch: pytest.MonkeyPatch, base_url: str, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    with sdk.open_client(HarnessConfig(base_url=base_url)) as client:
        assert sdk.key_of(client) == key
        assert client.max_retries == 0


def test_the_key_of_the_settings_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    with sdk.open_client(AWAY) as client:
        assert sdk.key_of(client) == "k-1"


def test_an_asynchronous_client_is_made_off_the_loop() -> None:
    async def key() -> str:
        async with await asyncio.to_thread(sdk.open_async_client, AWAY) as client:
            return sdk.key_of(client)

    assert asyncio.run(key()) == "k-1"


@pytest.mark.parametrize("opened", [sdk.open_client, sdk.open_async_client])
def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, opened: Any) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(TransportError, match="there is no API key"):
        opened(HarnessConfig(base_url="https://llm.example/v1"))
    with pytest.raises(TransportError, match="check its address"):
        opened(HarnessConfig(base_url="http://h:p", api_key=SecretStr("k-1")))
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(TransportError, match=r"pip install 'decision-ai\[openai\]'"):
        opened(AWAY)


def test_the_kind_of_a_stream() -> None:
    response = SimpleNamespace(headers={"content-type": "Text/HTML; charset=utf-8"})
    assert sdk.kind_of_stream(SimpleNamespace(response=response)) == "text/html"
    assert sdk.kind_of_stream(object()) == ""
