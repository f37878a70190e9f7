"""A scripted peer: a real server on loopback that keeps a conversation and speaks the assistant's lines."""

import asyncio
import http
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.connect_options import ConnectOptions
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ConstraintSnapshot, ModelChanges
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import Cancel, Cancelled, LiveContainer, Presence
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt, AskForSolve, AskForValidation
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.solving.executors.base import Job, JobResult, ModelDescription
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan, SolveProgress
from decision_ai.wire import codec
from decision_ai.wire.conversation import Accepted, Conversation, Duplicate, Refused

SESSION = "session-1"
Script = Callable[["Peer", ChatMessage], "list[ChatMessage] | None"]


class Peer:
    """Stores what it accepts, then says what its script answers; `stop` and `start` lose nothing stored."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.conversation = Conversation(SESSION)
        for message in (SystemPrompt(content="be helpful"), AskForPrompt()):
            self.store(message)
        self.data = {"data-1": '{"limit": 4}'}
        self.head = {"code": "# head", "opt_input_data_id": "data-1", "version_id": "v1", "hash": "h1"}
        self.frames: list[MessageContainer] = []
        self.live: list[Any] = []
        self.queries: list[dict[str, list[str]]] = []
        self.fetched: list[str] = []
        self.refuse: Callable[[ChatMessage], str | None] = lambda message: None
        self.kill_before_storing: str | None = None
        self.has_floor = True
        self.port = 0
        self._sockets: set[ServerConnection] = set()
        self._answered: set[ServerConnection] = set()
        self._server: Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._server = await serve(
            self._handle,
            "127.0.0.1",
            self.port,
            subprotocols=["decision-ai.v1.live", "decision-ai.v1"],  # type: ignore[list-item]
            process_request=self._process,
            compression=None,
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None
        while self._answered:  # their sockets must not outlive the test's loop
            connection = self._answered.pop()
            connection.transport.abort()
            await connection.wait_closed()

    def drop(self) -> None:
        """Cut every connection without a word."""
        for socket in self._sockets:
            socket.transport.abort()

    def store(self, message: ChatMessage, message_id: str | None = None) -> MessageContainer:
        named = {} if message_id is None else {"message_id": message_id}
        container = MessageContainer(chat_session_id=SESSION, message=message, timestamp=1, **named)
        self.conversation.record(container)
        return container

    async def say(self, *messages: ChatMessage) -> None:
        for message in messages:
            await self.send(self.store(message))

    async def send(self, envelope: codec.Envelope) -> None:
        for socket in list(self._sockets):
            await socket.send(codec.encode(envelope))

    async def say_live(self, message: Any) -> None:
        await self.send(LiveContainer(chat_session_id=SESSION, message=message))

    def answers(self, kind: str) -> list[Any]:
        """What the client said of one kind, as stored."""
        return [message for message in self.conversation.messages if message.kind == kind]

    def _process(self, connection: ServerConnection, request: Request) -> Response | None:
        path = urlsplit(request.path).path
        if path.endswith("/ws"):
            return None
        self._answered.add(connection)
        self.fetched.append(path)
        tail = path.removeprefix("/v1/").split("/")
        body: Any = None
        if tail[0] == "opt_input_data":
            body = {"id": tail[1], "json_data": self.data[tail[1]]}
        elif tail[-1] == "messages":
            body = {"items": [container.model_dump(mode="json") for container in self.conversation]}
        elif tail[-1] == "program":
            body = self.head
        status = http.HTTPStatus.NOT_FOUND if body is None else http.HTTPStatus.OK
        payload = json.dumps(body).encode()
        headers = Headers({"Content-Length": str(len(payload)), "Connection": "close"})
        return Response(status.value, status.phrase, headers, payload)

    async def _handle(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        query = parse_qs(urlsplit(socket.request.path).query)
        self.queries.append(query)
        self._sockets.add(socket)
        try:
            for container in self.conversation.replay(query.get("after", [None])[0]):
                await socket.send(codec.encode(container))
            if socket.subprotocol == "decision-ai.v1.live":
                await self.say_live(Presence(connections=1, you_have_the_floor=self.has_floor))
            async for frame in socket:
                await self._receive(codec.decode(frame, live=True), socket)
        except ConnectionClosed:
            pass
        finally:
            self._sockets.discard(socket)

    async def _receive(self, envelope: codec.Envelope, socket: ServerConnection) -> None:
        if isinstance(envelope, LiveContainer):
            self.live.append(envelope.message)
            if isinstance(envelope.message, Cancel):
                calls = list(self.conversation.open_calls)
                await self.say(*(ToolOutput(tool_id=call, tool_output="cancelled") for call in calls))
                await self.say_live(Cancelled())
                await self.say(AskForPrompt())
            return
        self.frames.append(envelope)
        if self.kill_before_storing == envelope.message.kind:
            self.kill_before_storing = None
            self.drop()
            return
        verdict = self.conversation.consider(envelope)
        reason = self.refuse(envelope.message)
        if isinstance(verdict, Accepted) and reason is not None:
            verdict = Refused(reason)
        match verdict:
            case Duplicate():
                stored = next(c for c in self.conversation if c.message_id == envelope.message_id)
                await socket.send(codec.encode(stored))
            case Refused(reason=reason):
                refusal = UncriticalErrorMessage(error=reason)
                await socket.send(
                    codec.encode(
                        MessageContainer(
                            chat_session_id=SESSION,
                            message=refusal,
                            message_id=f"refused:{envelope.message_id}",
                        )
                    )
                )
            case Accepted():
                self.conversation.record(envelope)
                await self.send(envelope)
                await self.say(*(self.script(self, envelope.message) or []))


class ScriptedExecutor:
    """An executor whose results follow from the program text; keeps every job it ran."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.hold = False
        """Solves run until they are stopped."""
        self.solving = asyncio.Event()
        self.warnings: dict[str, list[str]] = {}  # of the check of a program text

    async def run(
        self,
        job: Job,
        *,
        on_progress: Callable[[SolveProgress], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> JobResult:
        self.jobs.append(job)
        if "broken" in job.source:
            return JobResult(validation=FormulationValidationFailed(error="it is broken"))
        description = ModelDescription(
            families={}, constraints={}, sense="maximize", columns=1, rows=job.source.count("\n")
        ).model_copy(update={"warnings": self.warnings.get(job.source, [])})
        if job.task == "build":
            return JobResult(validation=ValidationSucceeded(), description=description)
        objective, kind = float(len(job.source)), OutcomeKind.OPTIMAL
        if on_progress is not None:
            on_progress(SolveProgress(seconds=0.1, objective=objective))
        if self.hold:
            assert stop is not None
            self.solving.set()
            await stop.wait()
            kind = OutcomeKind.INTERRUPTED_WITH_PLAN
        if "infeasible" in job.source:
            outcome = Outcome(kind=OutcomeKind.INFEASIBLE)
            return JobResult(validation=ValidationSucceeded(), description=description, outcome=outcome)
        return JobResult(
            validation=ValidationSucceeded(),
            description=description,
            outcome=Outcome(kind=kind, objective=objective, bound=objective, gap=0.0),
            plan=Plan(values={"pack": [(("Tent",), 1.0)]}),
            solution_str="take the tent",
        )

    async def aclose(self) -> None:
        pass

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["ScriptedExecutor"]:
        yield self


class Lines:
    """The assistant's lines that the tests' scripts are made of."""

    @staticmethod
    def diff(constraint_id: str = "few", code: str = "few code") -> ConstraintDiff:
        added = ConstraintSnapshot(
            constraint_id=constraint_id, code=code, math_formulation="x", description="at most"
        )
        return ConstraintDiff(added=added)

    @staticmethod
    def call(tool_id: str, **args: Any) -> ToolData:
        return ToolData(
            name="propose_changes", id=tool_id, args={"hash": "h2", "input_data_id": "data-1"} | args
        )

    @classmethod
    def propose(
        cls,
        tool_id: str = "call-1",
        code: str = "# head\n# few",
        change: ModelChanges | None = None,
        **args: Any,
    ) -> list[ChatMessage]:
        call = cls.call(tool_id, **args)
        ask = AskForValidation(code=code, changes=change or cls.diff(), tool_origin=call)
        return [ToolCall(tool_data=[call]), ask]

    @classmethod
    def request_solve(cls, tool_id: str = "solve-1", code: str = "# head", **args: Any) -> list[ChatMessage]:
        call = ToolData(name="solve", id=tool_id, args={"hash": "h1", "input_data_id": "data-1"} | args)
        return [ToolCall(tool_data=[call]), AskForSolve(code=code, tool_origin=call)]

    @staticmethod
    def settle(tool_id: str, text: str = "done") -> list[ChatMessage]:
        return [ToolOutput(tool_id=tool_id, tool_output=text), ChatResponse(response=text), AskForPrompt()]


STATE = {
    "id": "s1",
    "opt_model_id": "m1",
    "opt_input_data_id": "data-1",
    "created_at": 1,
    "updated_at": 2,
    "py_class_name_of_model": "Knapsack",
    "py_class_name_of_input_data": "KnapsackData",
    "executive_summary": "",
    "constraints": {},
    "variables": {},
    "objective": {},
    "opt_model_notations": {},
}


class Answers:
    """What the server says, and what it was asked."""

    def __init__(self) -> None:
        self.next: tuple[int, Any, dict[str, str]] = (200, {}, {})
        self.asked: list[tuple[str, str, Any, dict[str, str]]] = []
        self.url = ""
        self.state: dict[str, Any] = dict(STATE)

    def say(self, body: Any, status: int = 200, **headers: str) -> None:
        self.next = (status, body, headers)


@pytest.fixture
def rest() -> Iterator[Answers]:
    answers = Answers()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            answers.asked.append((self.command, self.path, body, dict(self.headers)))
            status, said, headers = answers.next
            payload = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(payload)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        answers.url = f"http://127.0.0.1:{listener.server_port}"
        yield answers
        listener.shutdown()


@pytest.fixture
def lines() -> type[Lines]:
    return Lines


@pytest.fixture
async def make_peer() -> AsyncIterator[Callable[[Script], Awaitable[Peer]]]:
    peers: list[Peer] = []

    async def make(script: Script) -> Peer:
        peer = Peer(script)
        await peer.start()
        peers.append(peer)
        return peer

    yield make
    for peer in peers:
        await peer.stop()


@pytest.fixture
def executor() -> ScriptedExecutor:
    return ScriptedExecutor()


@pytest.fixture
def connect(executor: ScriptedExecutor, tmp_path: Path) -> Callable[..., Any]:
    """A connection to a peer: `async with connect(peer, approve=...) as chat`."""

    @asynccontextmanager
    async def connect(peer: Peer, **options: Any) -> AsyncIterator[ChatConnection]:
        requests = RequestHandler(peer.url, "key")
        try:
            async with ChatConnection(
                SESSION, requests, executor.opened, tmp_path / "outbox", ConnectOptions(**options)
            ) as chat:
                yield chat
        finally:
            requests.close()

    return connect


@pytest.fixture
def proposing(lines: Any) -> Any:
    """Proposes one change for a prompt and reports how it was answered."""

    def script(peer: Any, message: Any) -> Any:
        if isinstance(message, Prompt):
            return lines.propose()
        return lines.settle("call-1", "rejected" if message.rejected else "applied")

    return script


@pytest.fixture
def solving(lines: Any) -> Any:
    def script(peer: Any, message: Any) -> Any:
        return lines.request_solve() if isinstance(message, Prompt) else lines.settle("solve-1")

    return script
