import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.errors import EmptyResponseError
from decision_ai_server.model_client.failures import address, noted, quoted, told_error
from decision_ai_server.model_client.replies import Failure

CONFIG = HarnessConfig(base_url="https://llm.example/v1", model="m")


@pytest.mark.parametrize(
    ("failure", "attempts", "text"),
    [
        (
            Failure("status", "Incorrect API key", status=401),
            1,
            "the language model at https://llm.example/v1 answered with HTTP 401: 'Incorrect API key'; "
            "check the API key",
        ),
        (
            Failure("status", "", status=404),
            1,
            "the language model at https://llm.example/v1 answered with HTTP 404 (model 'm'); "
            "check the name of the model and the address",
        ),
        (
            Failure("status", "slow", status=429),
            3,
            "the language model at https://llm.example/v1 answered with HTTP 429 in 3 attempts: 'slow'; "
            "its rate limit or quota is reached: wait, or use another key or model",
        ),
        (
            Failure("status", "", status=502),
            3,
            "the language model at https://llm.example/v1 answered with HTTP 502 in 3 attempts; "
            "the fault is on its side: try again later",
        ),
        (
            Failure("unreachable", "refused"),
            3,
            "the language model at https://llm.example/v1 cannot be reached in 3 attempts: 'refused'; "
            "check that it is running and that the address is right",
        ),
        (
            Failure("timeout", ""),
            2,
            "the language model at https://llm.example/v1 did not answer in time in 2 attempts; "
            "it may be overloaded, "
            "or the model slow: raise the time-outs of the requests or use a faster model",
        ),
    ],
)
def test_what_a_person_is_told(failure: Failure, attempts: int, text: str) -> None:
    usage = DecisionUsage(prompt_tokens=1)
    error = told_error(failure, CONFIG, attempts, usage)
    assert (str(error), error.usage) == (text, usage)


@pytest.mark.parametrize(
    "kind", ["timeout", "unreachable", "lost", "empty", "unreadable", "cut", "unstreamable"]
)
def test_every_kind_has_a_sentence(kind: str) -> None:
    error = told_error(Failure(kind, ""), CONFIG, 1, None)  # type: ignore[arg-type]
    assert str(error).count(";") == 1
    assert isinstance(error, EmptyResponseError) == (kind == "empty")


@pytest.mark.parametrize(
    ("foreign", "shown"),
    [
        ("bad key: sk-abcDEF123456", "bad key: [key]"),
        ("Authorization: Bearer abc.def", "Authorization: [key]"),
        ("my-secret-1 is wrong", "[key] is wrong"),
        ("a\x1b[31m\n\u202eb\0", "a [31m b"),
    ],
)
def test_foreign_text_is_made_fit_to_be_shown(foreign: str, shown: str) -> None:
    assert quoted(foreign, "my-secret-1") == shown


@given(st.text())
def test_shown_text_is_one_short_printable_line(foreign: str) -> None:
    shown = quoted(foreign)
    assert shown.isprintable()
    assert len(shown) <= 301


def test_a_note_is_one_line() -> None:
    assert noted(Failure("timeout", "")) == "timeout"
    assert noted(Failure("status", "a\nb", status=500)) == "HTTP 500: a b"


@pytest.mark.parametrize(
    ("base_url", "shown"),
    [
        ("http://ann:pw@h:81/v1?key=k#f", "http://h:81/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("nonsense", "nonsense"),
        ("http://[", "an address that cannot be read"),
    ],
)
def test_an_address_is_shown_without_secrets(base_url: str, shown: str) -> None:
    assert address(HarnessConfig(base_url=base_url)) == shown
