import io
from collections.abc import Callable
from typing import Any, Literal

import pytest

from decision_ai.client.schemas.chat_session import SessionUsage, Usage
from decision_ai.client.sent_requests import SentRequest
from decision_ai.errors import DecisionAIError
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.sent_commands import NOTHING_COUNTED, NOTHING_SENT, SentCommands

BODY = {
    "model": "qwen",
    "messages": [{"role": "system", "content": "x" * 300}, {"role": "user", "content": "at most\n\x1b[2J 4"}],
    "tools": [{"function": {"name": "solve"}}],
}


class Session:
    """The part of a session that the commands look at."""

    def __init__(self, *sent: SentRequest, usage: SessionUsage | None = None) -> None:
        self._sent = list(sent)
        self.usage = usage

    def sent_to_model(self, turn: int | Literal["all"] | None = None) -> list[SentRequest]:
        newest = 3 if turn is None else turn
        return [request for request in self._sent if newest in ("all", request.turn)]

    def state(self) -> "Session":
        return self


def request(turn: int, **facts: Any) -> SentRequest:
    return SentRequest(turn=turn, body=BODY, at=3, created_at=5, **facts)


@pytest.fixture
def written() -> Callable[..., str]:
    def write(line: str, session: Any) -> str:
        out = io.StringIO()
        name, _, rest = line.partition(" ")
        SentCommands(Screen(out, io.StringIO()), session).commands()[name][2](rest)
        return out.getvalue()

    return write


def test_a_request_is_outlined_with_sizes_and_tool_names(written: Callable[..., str]) -> None:
    lines = written("/sent", Session(request(3, prompt_tokens=1200, traces=("lost: 503",)))).splitlines()
    assert lines[0].startswith("turn 3, request 1: model qwen · ")
    assert lines[1] == "  lost: 503"
    assert lines[2].split()[:2] == ["system", "300"]
    assert lines[3].split() == ["user", "14", "at", "most", "\\x1b[2J", "4"]
    assert lines[4].split()[-1] == "solve"
    assert all(len(line) <= 80 for line in lines)
    assert lines[-1] == "/sent 3 1 shows the first of them in full."


def test_one_request_is_shown_in_full(written: Callable[..., str]) -> None:
    session = Session(request(0), request(0, lost=True))
    assert "no decision came of it" in written("/sent 0 2", session)
    text = written("/sent 0 1", session)
    assert text.count("x") >= 300
    assert "\x1b" not in text


def test_what_there_is_not_is_said(written: Callable[..., str]) -> None:
    assert written("/sent", Session()).strip() == NOTHING_SENT
    assert written("/sent", Session(request(1))).strip() == (
        "No language model was asked in this turn, but in 1: /sent 1."
    )
    for line, words in (
        ("/sent 3 4", "there are 1, from 1 to 1"),
        ("/sent x", "say which turn"),
        ("/sent 1 2 3", "say which turn"),
    ):
        with pytest.raises(DecisionAIError, match=words):
            written(line, Session(request(3)))


def test_the_cost_of_the_last_turn_and_of_the_session(written: Callable[..., str]) -> None:
    assert written("/usage", Session()).strip() == NOTHING_COUNTED
    last = Usage(prompt_tokens=1200, completion_tokens=3, seconds=2.25, decisions=1)
    all_of_it: dict[str, Any] = {
        "prompt_tokens": 5000, "completion_tokens": 40, "seconds": 9.0, "decisions": 4, "cost": 0.0025
    }  # fmt: skip
    usage = SessionUsage(**all_of_it, currency="EUR", last_turn=last)
    assert written("/usage", Session(usage=usage)).splitlines() == [
        "  last turn 1 decision · 1,200 tokens read, 3 written · 2.2 s",
        "  session   4 decisions · 5,000 tokens read, 40 written · 9.0 s · 0.0025 EUR",
    ]
