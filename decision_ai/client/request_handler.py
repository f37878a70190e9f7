"""REST: one typed method per route, and the sentences for what goes wrong. The only file that knows httpx."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from decision_ai.client.preview import HeadProgram
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.sent_requests import JournalEntry
from decision_ai.client.version_info import BranchInfo, VersionInfo
from decision_ai.errors import ConnectionFailed, ProtocolError, ServerRefused, StateConflict
from decision_ai.modeling.comparing import Comparison
from decision_ai.solving.findings import PlanCheck

T = TypeVar("T")

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_EXPORT_TIMEOUT = httpx.Timeout(180.0, connect=5.0)
"""The server may build and solve first."""
_BUILD_SECONDS = 150.0
"""More than the server takes to build two models, each in at most a minute."""
_STALE = "stale-revision"
_CONFLICTS = {httpx.codes.CONFLICT, httpx.codes.PRECONDITION_FAILED}


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Created(_Answer):
    id: str


class _Model(_Answer):
    source: str


class _InputData(_Answer):
    json_data: str


class SessionPage(_Answer):
    """Some of the sessions, newest first."""

    items: list[ChatSessionState]
    next: str | None = None
    """What to say as `before` to get the next page; None on the last."""


class _Messages(_Answer):
    items: list[MessageContainer]


class _Journal(_Answer):
    items: list[JournalEntry]
    next: int | None = None


class _Checks(_Answer):
    items: list[PlanCheck]


class _Versions(_Answer):
    items: list[VersionInfo]


class _Branches(_Answer):
    items: list[BranchInfo]


class RequestHandler:
    """Talks REST to one server. May be used from several threads.

    Args:
        base_url: http or https address of the server.
        api_key: sent as bearer; None sends none.
        revive: starts the server again, if nobody is there; only a private server has one.

    Raises:
        ConnectionFailed: if the address or the key cannot be one.
    """

    def __init__(
        self, base_url: str, api_key: str | None = None, *, revive: Callable[[], None] | None = None
    ) -> None:
        self.base_url = _checked_address(base_url)
        self.api_key = None if api_key is None else _checked_key(api_key)
        self.revive = revive
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        self._client = httpx.Client(
            base_url=self.base_url, headers=headers, trust_env=False, timeout=_TIMEOUT
        )

    def close(self) -> None:
        """Close the connections to the server."""
        self._client.close()

    def is_healthy(self) -> bool:
        """Whether a server answers at the address and takes the key."""
        try:
            self._call("GET", "/v1/chat_sessions", params={"limit": 1}, timeout=3.0)
        except (ConnectionFailed, ServerRefused, StateConflict):
            return False
        return True

    def create_opt_model(self, source: str, name: str | None = None) -> str:
        """Store a model file; the answer is its id."""
        answer = self._call("POST", "/v1/opt_models", json={"source": source, "name": name})
        return self._read(_Created, answer).id

    def opt_model_source(self, opt_model_id: str) -> str:
        """The text of a stored model file."""
        return self._read(_Model, self._call("GET", f"/v1/opt_models/{_segment(opt_model_id)}")).source

    def create_opt_input_data(self, json_data: str) -> str:
        """Store input data given as JSON text; the answer is its id."""
        answer = self._call("POST", "/v1/opt_input_data", json={"json_data": json_data})
        return self._read(_Created, answer).id

    def opt_input_data(self, opt_input_data_id: str) -> str:
        """Input data as JSON text."""
        answer = self._call("GET", f"/v1/opt_input_data/{_segment(opt_input_data_id)}")
        return self._read(_InputData, answer).json_data

    def create_chat_session(
        self, opt_model_id: str, opt_input_data_id: str, reasoning_enabled: bool | None = None
    ) -> ChatSessionState:
        """Start a session of a model with data."""
        body = {
            "opt_model_id": opt_model_id,
            "opt_input_data_id": opt_input_data_id,
            "reasoning_enabled": reasoning_enabled,
        }
        return self._read(ChatSessionState, self._call("POST", "/v1/chat_sessions", json=body))

    def chat_sessions(self, *, limit: int = 50, before: str | None = None) -> SessionPage:
        """One page of the sessions."""
        query = {"limit": limit} | ({} if before is None else {"before": before})
        return self._read(SessionPage, self._call("GET", "/v1/chat_sessions", params=query))

    def chat_session(self, chat_session_id: str) -> tuple[ChatSessionState, str]:
        """The state of a session, and the tag that a write of it has to name."""
        answer = self._call("GET", _session(chat_session_id))
        return self._read(ChatSessionState, answer), answer.headers.get("ETag", "*")

    def patch_chat_session(self, state: ChatSessionState, etag: str) -> ChatSessionState:
        """Make a state the session's present one.

        Raises:
            StateConflict: if the session changed since the tag was given; nothing is written.
        """
        path, body = _session(state.id), state.model_dump(mode="json")
        answer = self._call("PATCH", path, json=body, headers={"If-Match": etag})
        return self._read(ChatSessionState, answer)

    def delete_chat_session(self, chat_session_id: str) -> None:
        """Delete a session with its history."""
        self._call("DELETE", _session(chat_session_id))

    def messages(self, chat_session_id: str, after: str | None = None) -> list[MessageContainer]:
        """The stored messages of a session, oldest first."""
        query = {} if after is None else {"after": after}
        answer = self._call("GET", f"{_session(chat_session_id)}/messages", params=query)
        return self._read(_Messages, answer).items

    def journal(self, chat_session_id: str, kinds: Iterable[str], since: int = 0) -> list[JournalEntry]:
        """Entries of a session's journal, oldest first, fetched page by page.

        Args:
            chat_session_id: the session.
            kinds: which kinds of entries.
            since: the number of messages from which on.
        """
        query: dict[str, str | int] = {"kinds": ",".join(kinds), "since": since}
        path, entries = f"{_session(chat_session_id)}/journal", list[JournalEntry]()
        while True:
            page = self._read(_Journal, self._call("GET", path, params=query))
            entries += page.items
            if page.next is None:
                return entries
            query["after"] = page.next

    def program(
        self, chat_session_id: str, *, version: str | int | None = None, whole: bool = False
    ) -> HeadProgram:
        """The program of a version, None being the present one.

        Args:
            chat_session_id: the session.
            version: a branch, a number or an id.
            whole: whether parts that do not build on the version's data stay in it; else it is what runs.
        """
        query = ({} if version is None else {"version": str(version)}) | ({"whole": True} if whole else {})
        answer = self._call("GET", f"{_session(chat_session_id)}/program", params=query)
        return self._read(HeadProgram, answer)

    def undo(self, chat_session_id: str, steps: int = 1) -> ChatSessionState:
        """Take versions back."""
        return self._moved(chat_session_id, "undo", steps=steps)

    def redo(self, chat_session_id: str, steps: int = 1) -> ChatSessionState:
        """Bring undone versions back."""
        return self._moved(chat_session_id, "redo", steps=steps)

    def branch(self, chat_session_id: str, name: str) -> ChatSessionState:
        """Start a branch at the present version."""
        return self._moved(chat_session_id, "branch", name=name)

    def checkout(self, chat_session_id: str, version: str | int) -> ChatSessionState:
        """Go to a branch, or to a version by number or id."""
        return self._moved(chat_session_id, "checkout", version=version)

    def reset(self, chat_session_id: str, id: str) -> ChatSessionState:
        """Bring one component back to what it was at first."""
        return self._moved(chat_session_id, "reset", id=id)

    def versions(self, chat_session_id: str) -> list[VersionInfo]:
        """Every version, oldest first."""
        return self._read(_Versions, self._call("GET", f"{_session(chat_session_id)}/versions")).items

    def branches(self, chat_session_id: str) -> list[BranchInfo]:
        """The branches by name."""
        return self._read(_Branches, self._call("GET", f"{_session(chat_session_id)}/branches")).items

    def compare(
        self, chat_session_id: str, a: str | int, b: str | int | None, *, solve: bool, time_limit: float
    ) -> Comparison:
        """What differs between two versions; None is the present one."""
        query = {"a": a, "solve": solve, "time_limit": time_limit} | ({} if b is None else {"b": b})
        patience = 2 * time_limit + _BUILD_SECONDS if solve else _BUILD_SECONDS
        path = f"{_session(chat_session_id)}/compare"
        return self._read(Comparison, self._call("GET", path, params=query, timeout=patience))

    def export(self, chat_session_id: str, format: str, version: str | None = None) -> bytes:
        """A version of a session's model as the content of a file; None is the present version."""
        query = {"format": format} | ({} if version is None else {"version": version})
        path = f"{_session(chat_session_id)}/export"
        return self._call("GET", path, params=query, timeout=_EXPORT_TIMEOUT).content

    def checks(self, chat_session_id: str) -> list[PlanCheck]:
        """The checks that are kept in a session."""
        return self._read(_Checks, self._call("GET", f"{_session(chat_session_id)}/checks")).items

    def keep_check(self, chat_session_id: str, check: PlanCheck) -> list[PlanCheck]:
        """Keep a check; the answer is all of them."""
        path = f"{_session(chat_session_id)}/checks/{_segment(check.name)}"
        answer = self._call("PUT", path, json=check.model_dump(include={"sentence", "code"}))
        return self._read(_Checks, answer).items

    def remove_check(self, chat_session_id: str, name: str) -> list[PlanCheck]:
        """Keep a check no longer; the answer is those that are left."""
        path = f"{_session(chat_session_id)}/checks/{_segment(name)}"
        return self._read(_Checks, self._call("DELETE", path)).items

    def _moved(self, chat_session_id: str, route: str, **body: str | int) -> ChatSessionState:
        answer = self._call("POST", f"{_session(chat_session_id)}/{route}", json=body)
        return self._read(ChatSessionState, answer)

    def _call(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        try:
            answer = self._request(method, path, **arguments)
        except httpx.TimeoutException as error:
            raise ConnectionFailed(f"the server at {self.base_url} does not answer") from error
        except httpx.TransportError as error:
            raise ConnectionFailed(
                f"the server at {self.base_url} cannot be reached ({error}); start it or check the address"
            ) from error
        if answer.is_success:
            return answer
        raise self._refusal(answer)

    def _request(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        try:
            return self._client.request(method, path, **arguments)
        except httpx.TimeoutException:
            raise
        except httpx.TransportError as error:
            again = isinstance(error, httpx.ConnectError) or method == "GET"  # else it may have been heard
            if self.revive is None or not again:
                raise
        self.revive()
        return self._client.request(method, path, **arguments)

    def _read(self, kind: type[T], answer: httpx.Response) -> T:
        try:
            return TypeAdapter(kind).validate_json(answer.content)
        except ValidationError as error:
            raise ProtocolError(
                f"the answer to {answer.request.method} {answer.request.url.path} is not understood: is "
                f"{self.base_url} a decision-ai server of this version?"
            ) from error

    def _refusal(self, answer: httpx.Response) -> ServerRefused | StateConflict:
        """The error for an answer that is not a success; RFC 9457 where the server speaks it."""
        try:
            problem = answer.json()
        except ValueError:
            problem = None
        if not isinstance(problem, dict):
            problem = {}
        title = f"the server answered {answer.status_code} {answer.reason_phrase}"
        detail = f"is {self.base_url} a decision-ai server?"
        if problem.get("title"):
            title, detail = str(problem["title"]), str(problem.get("detail") or "")
        # Other conflicts, such as nothing to undo, are no sign that anything changed.
        if answer.status_code in _CONFLICTS and str(problem.get("type", _STALE)).endswith(_STALE):
            return StateConflict(f"{title}: {detail}" if detail else title)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            said = "is not accepted; check" if self.api_key else "is missing; set"
            detail = f"the key for {self.base_url} {said} DECISION_AI_API_KEY or the api_key argument"
        return ServerRefused(answer.status_code, title, detail)


def _checked_address(base_url: str) -> str:
    try:
        httpx.URL(base_url)
        address = urlsplit(base_url)
        usable = address.scheme in {"http", "https"} and address.hostname and address.port != 0
    except (httpx.InvalidURL, ValueError):
        usable = False
    if not usable:
        raise ConnectionFailed(
            f"{base_url!r} is not an address of a server; one looks like http://127.0.0.1:8765"
        )
    return base_url.strip().rstrip("/")


def _checked_key(api_key: str) -> str:
    key = api_key.strip()  # a file's last newline
    if not (key.isascii() and key.isprintable()):
        raise ConnectionFailed(
            "the key has characters that no key has; check DECISION_AI_API_KEY or the api_key argument"
        )
    return key


def _session(chat_session_id: str) -> str:
    return f"/v1/chat_sessions/{_segment(chat_session_id)}"


def _segment(id: str) -> str:
    """An id as one step of a path: whatever it holds, it leads nowhere else."""
    if id.strip(".") == "":
        raise ServerRefused(httpx.codes.NOT_FOUND, "There is no such thing", f"{id!r} is no id")
    return quote(id, safe="")
