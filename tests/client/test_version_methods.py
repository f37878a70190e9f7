"""Each method asks its route; what they do is tested with the server."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.request_handler import RequestHandler

SIDE = {"id": "v0", "number": 0, "sentence": ""}
COMPARISON = {"a": SIDE, "b": SIDE, "components": [], "data": [], "data_count": 0}


@pytest.fixture
def session(rest: Any) -> Iterator[ChatSession]:
    requests = RequestHandler(rest.url, "k")
    yield ChatSession(requests, "s1")
    requests.close()


@pytest.mark.parametrize(
    ("ask", "route", "body"),
    [
        (lambda session: session.undo(), "undo", {"steps": 1}),
        (lambda session: session.redo(2), "redo", {"steps": 2}),
        (lambda session: session.branch("night"), "branch", {"name": "night"}),
        (lambda session: session.checkout(3), "checkout", {"version": 3}),
        (lambda session: session.reset("cap"), "reset", {"id": "cap"}),
    ],
)
def test_a_move_is_posted_and_answers_the_state(
    session: ChatSession, rest: Any, ask: Callable[[ChatSession], Any], route: str, body: dict[str, Any]
) -> None:
    rest.say(rest.state)
    assert ask(session).id == rest.state["id"]
    method, path, sent, _ = rest.asked[-1]
    assert (method, path, sent) == ("POST", f"/v1/chat_sessions/s1/{route}", body)


def test_versions_branches_and_comparisons_are_read(session: ChatSession, rest: Any) -> None:
    rest.say({"items": [], "head": "v0", "branches": []})
    assert session.history() == ()
    rest.say({"items": [{"name": "main", "tip": "v0", "number": 0, "is_present": True}]})
    assert [branch.name for branch in session.branches()] == ["main"]
    rest.say(COMPARISON)
    assert str(session.compare(0, "night shift", solve=False, time_limit=5)) == (
        "Version 0 → version 0:\n- model and data are the same"
    )
    _, path, _, _ = rest.asked[-1]
    assert path == "/v1/chat_sessions/s1/compare?a=0&solve=false&time_limit=5&b=night+shift"
