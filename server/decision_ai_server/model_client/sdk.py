"""The only file that imports `openai`: it makes the library's clients and reads its exceptions."""

import ipaddress
import json
from typing import Any
from urllib.parse import urlsplit

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.model_client.failures import address, quoted
from decision_ai_server.model_client.replies import Failure, failure_in_body, part, text
from decision_ai_server.model_client.retrying import looks_blank

PLACEHOLDER = "none-needed"
"""What an endpoint on this machine is given for a key; the library insists on one."""


def open_client(config: HarnessConfig) -> Any:
    """A client that holds connections until it is closed.

    Raises:
        TransportError: if the library or a key is missing.
    """
    openai = _library()
    return _made(openai.OpenAI, openai.DefaultHttpxClient, config)


def open_async_client(config: HarnessConfig) -> Any:
    """A client for one event loop, which holds connections until it is closed. Slow to make: not on the loop.

    Raises:
        TransportError: if the library or a key is missing.
    """
    openai = _library()
    return _made(openai.AsyncOpenAI, openai.DefaultAsyncHttpxClient, config)


def failure_of(error: Exception) -> Failure:
    """What an exception of a call means; every one of them is a failure of the call."""
    if isinstance(error, TimeoutError):
        return Failure("timeout", "")
    if isinstance(error, json.JSONDecodeError):
        return Failure("empty" if looks_blank(error.doc) else "unreadable", error.doc)
    if isinstance(error, UnicodeDecodeError):
        return Failure("unreadable", str(error))
    status = part(error, "status_code")
    if isinstance(status, int):
        headers = dict(part(part(error, "response"), "headers") or {})
        return Failure("status", _said(error), status=status, headers=headers)
    return _without_status(error)


def kind_of_stream(stream: Any) -> str:
    """The content type an endpoint gave a stream; "" where it is not known."""
    headers = part(part(stream, "response"), "headers") or {}
    return text(headers.get("content-type")).partition(";")[0].strip().lower()


def _library() -> Any:
    try:
        import openai
    except ImportError:
        raise TransportError(
            "a language model needs the package 'openai': pip install 'decision-ai[openai]'"
        ) from None
    return openai


def _made(kind: Any, http: Any, config: HarnessConfig) -> Any:
    from openai import OpenAIError

    key = config.api_key.get_secret_value() if config.api_key else ""
    local = _is_loopback(config.base_url)
    options: dict[str, Any] = {"http_client": http(trust_env=False)} if local else {}
    # Without a key the library reads OPENAI_API_KEY; that one is not for whatever runs on this machine.
    sent = key or (PLACEHOLDER if local else None)
    try:
        return kind(api_key=sent, base_url=config.base_url, max_retries=0, **options)
    except OpenAIError:
        raise TransportError(
            f"there is no API key for the language model at {address(config)}: "
            "set DECISION_AI_LLM_API_KEY or OPENAI_API_KEY"
        ) from None
    except Exception as error:
        # What the library raises for an address it cannot use has no common class.
        raise TransportError(
            f"the language model at {address(config)} cannot be called: {quoted(str(error), key)!r}; "
            "check its address"
        ) from None


def _is_loopback(base_url: str) -> bool:
    try:
        host = urlsplit(base_url).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _without_status(error: Exception) -> Failure:
    match type(error).__name__:
        case "APITimeoutError":
            return Failure("timeout", "")
        case "APIConnectionError":
            # The library says "Connection error."; its cause knows more.
            cause = error.__cause__ or error
            unreachable = type(cause).__name__ in {"ConnectError", "UnsupportedProtocol", "InvalidURL"}
            return Failure("unreachable" if unreachable else "lost", str(cause) or type(cause).__name__)
    if isinstance(body := part(error, "body"), dict):
        return failure_in_body(body)
    return Failure("lost", f"{type(error).__name__}: {error}")


def _said(error: Exception) -> str:
    """The endpoint's own words in an error."""
    body = part(error, "body")
    for name in ("message", "error", "detail"):
        if said := text(part(body, name)):
            return said
    return text(body) or str(error)


def key_of(client: Any) -> str:
    """The key a client sends, so that it can be taken out of what is shown; "" where there is none."""
    key = text(part(client, "api_key"))
    return "" if key == PLACEHOLDER else key
