import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.errors import DecisionAIError

TURN = [Prompt(prompt="hello"), ChatResponse(response="hello"), AskForPrompt()]
MESSAGES: list[Any] = [SystemPrompt(content="x"), AskForPrompt(), *TURN, *TURN, Prompt(prompt="offline")]
PAGE = 2


class Journal:
    """Serves the messages and the journal of one session, two entries at a time."""

    def __init__(self) -> None:
        self.messages: list[Any] = MESSAGES
        self.entries = [
            {"at": at, "kind": kind, "payload": {"body": {"n": n}}, "created_at": 7, "number": n}
            for n, (at, kind) in enumerate(
                [(3, "request"), (3, "decision"), (6, "request"), (6, "request"), (6, "decision")], start=1
            )
        ]
        self.asked: list[dict[str, list[str]]] = []
        self.url = ""

    def answer(self, path: str) -> Any:
        place, query = urlsplit(path).path, parse_qs(urlsplit(path).query)
        if place.endswith("/messages"):
            said = (MessageContainer(chat_session_id="s1", message=message) for message in self.messages)
            return {"items": [container.model_dump(mode="json") for container in said]}
        self.asked.append(query)
        since, after = int(query["since"][0]), int(query.get("after", ["0"])[0])
        left: list[Any] = [one for one in self.entries if one["at"] >= since and one["number"] > after]  # type: ignore[operator]
        return {"items": left[:PAGE], "next": left[PAGE - 1]["number"] if len(left) > PAGE else None}


@pytest.fixture
def journal() -> Iterator[Journal]:
    served = Journal()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            payload = json.dumps(served.answer(self.path)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        served.url = f"http://127.0.0.1:{listener.server_port}"
        yield served
        listener.shutdown()


@pytest.fixture
def session(journal: Journal) -> Iterator[ChatSession]:
    requests = RequestHandler(journal.url, "k")
    yield ChatSession(requests, "s1")
    requests.close()


def numbers(session: ChatSession, *turn: Any) -> list[int]:
    return [request.body["n"] for request in session.sent_to_model(*turn)]


def test_a_turn_is_chosen_by_its_number_or_from_the_end(session: ChatSession) -> None:
    assert numbers(session, 0) == [1]
    assert numbers(session, 1) == numbers(session, -2) == [3, 4]
    assert numbers(session, "all") == [1, 3, 4]


def test_the_newest_turn_is_the_default_and_may_have_sent_nothing(
    session: ChatSession, journal: Journal
) -> None:
    assert numbers(session) == numbers(session, -1) == []
    journal.messages = MESSAGES[:-1]
    assert numbers(session) == [3, 4]


def test_only_what_is_wanted_is_fetched_page_by_page(session: ChatSession, journal: Journal) -> None:
    session.sent_to_model("all")
    assert [query.get("after") for query in journal.asked] == [None, ["2"], ["4"]]
    journal.asked.clear()
    session.sent_to_model(1)
    assert journal.asked[0] == {"kinds": ["request,decision,loss"], "since": ["6"]}


def test_a_turn_that_never_was_is_refused_and_before_the_first_nothing_was_sent(
    session: ChatSession, journal: Journal
) -> None:
    for turn in (3, -4):
        with pytest.raises(DecisionAIError, match=f"there is no turn {turn}: there are 3, from 0 to 2"):
            session.sent_to_model(turn)
    journal.messages, journal.entries = MESSAGES[:2], []
    assert session.sent_to_model() == session.sent_to_model("all") == []
    with pytest.raises(DecisionAIError, match="there is no turn 0: nothing was said yet"):
        session.sent_to_model(0)
