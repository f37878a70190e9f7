"""What a lost call means for a person: what happened, where, and what to do."""

import re
from urllib.parse import urlsplit, urlunsplit

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.errors import EmptyResponseError, TransportError
from decision_ai_server.model_client.replies import Failure

_QUOTED_CHARACTERS = 300
_KEY_LIKE = re.compile(r"(?i)\b(?:sk-|key-|bearer\s+)[\w.*-]{4,}")

_LOOK_AT_ITS_LOG = "try again, and if that brings the same, look at the endpoint's own log"
_HAPPENED = {
    "timeout": (
        "did not answer in time",
        "it may be overloaded, or the model slow: raise the time-outs of the requests or use a faster model",
    ),
    "unreachable": ("cannot be reached", "check that it is running and that the address is right"),
    "lost": ("broke off", _LOOK_AT_ITS_LOG),
    "empty": ("sent an empty reply", _LOOK_AT_ITS_LOG),
    "unreadable": (
        "sent something that is no chat completion",
        "check that the address is that of an OpenAI-compatible API (it often ends in /v1)",
    ),
    "cut": (
        "ended its reply in the middle",
        _LOOK_AT_ITS_LOG,
    ),
    "unstreamable": ("cannot stream this request", "turn streaming of model calls off"),
}
_OF_STATUS = {
    401: "check the API key",
    403: "check the API key and what it may use",
    404: "check the name of the model and the address",
    408: "try again later, or use a faster model",
    429: "its rate limit or quota is reached: wait, or use another key or model",
}


def told_error(
    failure: Failure, config: HarnessConfig, attempts: int, usage: DecisionUsage | None, secret: str = ""
) -> TransportError:
    """The error to raise when no attempt is left."""
    kind = EmptyResponseError if failure.kind == "empty" else TransportError
    happened, advice = _sentence(failure, config)
    times = "" if attempts == 1 else f" in {attempts} attempts"
    said = quoted(failure.text, secret)
    return kind(
        f"the language model at {address(config)} {happened}{times}{f': {said!r}' if said else ''}; {advice}",
        usage,
    )


def noted(failure: Failure, secret: str = "") -> str:
    """One line about a failed attempt, for the trace."""
    head = failure.kind if failure.status is None else f"HTTP {failure.status}"
    said = quoted(failure.text, secret)
    return f"{head}: {said}" if said else head


def quoted(foreign: str, secret: str = "") -> str:
    """An excerpt of foreign text that is fit to be shown: one line, no control characters, no keys."""
    if secret:
        foreign = foreign.replace(secret, "[key]")
    foreign = _KEY_LIKE.sub("[key]", foreign)
    line = " ".join("".join(c if c.isprintable() else " " for c in foreign).split())
    return line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"


def address(config: HarnessConfig) -> str:
    """The endpoint's address without user, password and query."""
    try:
        split = urlsplit(config.base_url)
    except ValueError:
        return "an address that cannot be read"
    return urlunsplit((split.scheme, split.netloc.rpartition("@")[2], split.path, "", ""))


def _sentence(failure: Failure, config: HarnessConfig) -> tuple[str, str]:
    if failure.status is None:
        return _HAPPENED[failure.kind]
    advice = _OF_STATUS.get(failure.status)
    if advice is None and failure.status >= 500:
        advice = "the fault is on its side: try again later"
    named = f" (model {config.model!r})" if failure.status == 404 else ""
    return (
        f"answered with HTTP {failure.status}{named}",
        advice or "check the settings of the endpoint and the model",
    )
