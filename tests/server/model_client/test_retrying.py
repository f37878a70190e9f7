import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.retrying import (
    backoff_seconds,
    is_retryable,
    looks_blank,
    retry_after_seconds,
)

NOON = 1_796_040_000.0  # Mon, 30 Nov 2026 12:00:00 GMT


@pytest.mark.parametrize(("attempt", "seconds"), [(0, 1.0), (1, 2.0), (4, 16.0), (5, 20.0), (10**9, 20.0)])
def test_the_wait_doubles_up_to_a_cap(attempt: int, seconds: float) -> None:
    assert backoff_seconds(attempt, 0.0) == seconds
    assert backoff_seconds(attempt, 0.5) == seconds + 0.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "86400"}, 60.0),
        ({"retry-after": "inf"}, 60.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:20 GMT"}, 20.0),
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
    ],
)
def test_what_the_endpoint_asks_for_is_kept_within_a_minute(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_seconds(headers, NOON) == seconds


@given(st.text())
def test_no_header_raises(value: str) -> None:
    wait = retry_after_seconds({"Retry-After": value}, NOON)
    assert wait is None or 0 <= wait <= 60


@pytest.mark.parametrize(
    ("status", "again"),
    [
        (200, False),
        (400, False),
        (401, False),
        (404, False),
        (408, True),
        (422, False),
        (429, True),
        (500, True),
        (503, True),
        (599, True),
        (600, False),
    ],
)
def test_which_statuses_may_pass(status: int, again: bool) -> None:
    assert is_retryable(status) is again


@pytest.mark.parametrize(
    ("text", "blank"), [("", True), (" \n\t", True), ("\0\0 \0", True), ("\0x", False), ("{}", False)]
)
def test_a_blank_body(text: str, blank: bool) -> None:
    assert looks_blank(text) is blank
