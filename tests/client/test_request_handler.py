from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest

from decision_ai.client.request_handler import RequestHandler
from decision_ai.errors import ConnectionFailed, ProtocolError, ServerRefused, StateConflict


@pytest.fixture
def requests(rest: Any) -> Iterator[RequestHandler]:
    handler = RequestHandler(rest.url + "/", "secret")
    yield handler
    handler.close()


def test_the_key_is_a_bearer_and_no_proxy_of_the_environment_is_used(
    rest: Any, requests: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    rest.say({"id": "m1"}, 201)
    assert RequestHandler(rest.url, "secret").create_opt_model("text", "name") == "m1"
    method, path, body, headers = rest.asked[-1]
    assert (method, path, body) == ("POST", "/v1/opt_models", {"source": "text", "name": "name"})
    assert headers["Authorization"] == "Bearer secret"


def test_each_route_is_asked_as_agreed(rest: Any, requests: Any) -> None:
    rest.say(rest.state, ETag='"3"')
    state, etag = requests.chat_session("s1")
    assert etag == '"3"'
    requests.patch_chat_session(state, etag)
    requests.undo("s1", 2)
    requests.create_chat_session("m1", "data-1")
    asked = [(method, path) for method, path, _, _ in rest.asked]
    assert asked == [
        ("GET", "/v1/chat_sessions/s1"),
        ("PATCH", "/v1/chat_sessions/s1"),
        ("POST", "/v1/chat_sessions/s1/undo"),
        ("POST", "/v1/chat_sessions"),
    ]
    assert rest.asked[1][3]["If-Match"] == '"3"'
    assert rest.asked[1][2]["id"] == "s1"
    assert rest.asked[2][2] == {"steps": 2}


def test_pages_messages_program_and_data_are_read(rest: Any, requests: Any) -> None:
    rest.say({"items": [rest.state], "next": "s1"})
    assert requests.chat_sessions(before="s9").next == "s1"
    assert rest.asked[-1][1] == "/v1/chat_sessions?limit=50&before=s9"
    envelope = {"chat_session_id": "s1", "message": {"kind": "prompt", "prompt": "x"}, "message_id": "i"}
    rest.say({"items": [envelope]})
    assert requests.messages("s1", after="h")[0].message_id == "i"
    rest.say({"code": "c", "opt_input_data_id": "d", "version_id": "v", "hash": "h", "new": 1})
    assert requests.program("s1").code == "c"
    rest.say({"id": "d", "json_data": "{}"})
    assert requests.opt_input_data("d") == "{}"
    rest.say(b"", 204)
    requests.delete_chat_session("s1")


def test_a_problem_becomes_an_error_with_its_words(rest: Any, requests: Any) -> None:
    problem = {"type": "x", "title": "Not found", "status": 404, "detail": "there is no session 's1'"}
    rest.say(problem, 404)
    with pytest.raises(ServerRefused, match="Not found: there is no session 's1'") as caught:
        requests.messages("s1")
    assert caught.value.status == 404


@pytest.mark.parametrize("status", [409, 412])
def test_a_lost_race_is_a_conflict(rest: Any, requests: Any, status: int) -> None:
    rest.say({"title": "Changed meanwhile", "detail": "fetch it again"}, status)
    with pytest.raises(StateConflict, match="Changed meanwhile: fetch it again"):
        requests.undo("s1")


@pytest.mark.parametrize("body", [b"<html>oops</html>", b"[1]", b""])
def test_a_refusal_without_a_problem_still_is_a_sentence(rest: Any, requests: Any, body: bytes) -> None:
    rest.say(body, 503)
    with pytest.raises(ServerRefused, match="the server answered 503 Service Unavailable"):
        requests.undo("s1")


def test_a_missing_key_says_where_it_comes_from(rest: Any, requests: Any) -> None:
    rest.say({}, 401)
    with pytest.raises(ServerRefused, match="DECISION_AI_API_KEY"):
        requests.undo("s1")


def test_another_kind_of_server_is_told_apart(rest: Any, requests: Any) -> None:
    rest.say(b"<html>hello</html>")
    with pytest.raises(ProtocolError, match=r"the answer to GET /v1/chat_sessions/s1 is not understood"):
        requests.chat_session("s1")


def test_nobody_there() -> None:
    requests = RequestHandler("http://127.0.0.1:9", "k")
    with pytest.raises(ConnectionFailed, match=r"http://127\.0\.0\.1:9 cannot be reached"):
        requests.undo("s1")
    assert not requests.is_healthy()
    requests.close()


@pytest.mark.parametrize("url", ["localhost:8000", "http://[", "ftp://x", "nonsense", ""])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConnectionFailed, match="is not an address of a server"):
        RequestHandler(url, None)


@pytest.mark.parametrize("key", ["ключ", "two\nlines", "\x00"])
def test_a_key_that_is_none(key: str) -> None:
    with pytest.raises(ConnectionFailed, match="check DECISION_AI_API_KEY"):
        RequestHandler("http://127.0.0.1:9", key)


def test_the_last_newline_of_a_key_does_not_matter(rest: Any) -> None:
    handler = RequestHandler(rest.url, "secret\n")
    rest.say({"id": "m1"}, 201)
    handler.create_opt_model("text")
    assert rest.asked[-1][3]["Authorization"] == "Bearer secret"
    handler.close()


@pytest.mark.parametrize("id", ["../opt_models/m1", "a/b", "a?b", "a#b", "a b", "é", "%2e%2e"])
def test_an_id_leads_nowhere_else(rest: Any, requests: Any, id: str) -> None:
    rest.say(b"", 204)
    requests.delete_chat_session(id)
    path = rest.asked[-1][1]
    assert path.startswith("/v1/chat_sessions/")
    assert path.count("/") == 3
    assert unquote(path.rpartition("/")[2]) == id


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_is_none_is_not_asked_for(rest: Any, requests: Any, id: str) -> None:
    with pytest.raises(ServerRefused, match="is no id"):
        requests.delete_chat_session(id)
    assert rest.asked == []


def test_a_refusal_of_another_kind_of_server_says_so(rest: Any, requests: Any) -> None:
    rest.say(b"<html>", 501)
    with pytest.raises(
        ServerRefused, match=r"answered 501 .*is http://127\.0\.0\.1:\d+ a decision-ai server\?"
    ):
        requests.undo("s1")


@pytest.mark.parametrize(("key", "words"), [("wrong", "is not accepted; check"), (None, "is missing; set")])
def test_a_key_that_is_refused_says_where_to_put_it(rest: Any, key: str | None, words: str) -> None:
    rest.say({"title": "A key is needed", "detail": "send a header"}, 401)
    handler = RequestHandler(rest.url, key)
    with pytest.raises(ServerRefused, match=f"{words} DECISION_AI_API_KEY"):
        handler.undo("s1")
    handler.close()
