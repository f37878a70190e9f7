"""When to try again, and how long to wait before: pure functions of what the endpoint said."""

import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

_LONGEST_BACKOFF_SECONDS = 20.0
# An endpoint may ask for minutes; a person who waits may not be kept that long without a word.
_LONGEST_RETRY_AFTER_SECONDS = 60.0


def backoff_seconds(attempt: int, jitter: float) -> float:
    """How long to wait after a failed attempt.

    Args:
        attempt: how many attempts have failed before this one, from 0.
        jitter: seconds on top, drawn from [0, 1) so that many clients do not return at once.
    """
    # Past 2^5 the cap counts; larger powers need not be computed.
    return min(2.0 ** min(attempt, 5), _LONGEST_BACKOFF_SECONDS) + jitter


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """How long the endpoint asks to wait, at most 60 s; None if it does not say so readably.

    Args:
        headers: headers of the reply, in any case.
        now: the time, in seconds since 1970.
    """
    given = {name.lower(): value.strip() for name, value in headers.items()}
    wait = _number(given.get("retry-after-ms"), 0.001)
    if wait is None:
        wait = _number(given.get("retry-after"), 1.0)
    if wait is None:
        wait = _until(given.get("retry-after"), now)
    return None if wait is None else min(max(wait, 0.0), _LONGEST_RETRY_AFTER_SECONDS)


def is_retryable(status: int) -> bool:
    """Whether the same request may succeed later: a time-out, too many requests, or a fault of the server."""
    return status in (408, 429) or 500 <= status <= 599


def looks_blank(text: str) -> bool:
    """Whether a body has nothing in it: no character but white space and NULs."""
    return not text.replace("\0", "").strip()


def _number(text: str | None, unit: float) -> float | None:
    try:
        seconds = float(text or "") * unit
    except ValueError:
        return None
    return None if math.isnan(seconds) else seconds


def _until(text: str | None, now: float) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp() - now
    except (ValueError, TypeError, OverflowError):
        return None
