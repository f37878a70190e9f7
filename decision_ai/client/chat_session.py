"""A chat session: the lasting conversation about one model, as its owner handles it from Python."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from decision_ai.client.approval import Approver, SolveApprover
from decision_ai.client.backoff import Backoff
from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.connect_options import ConnectOptions
from decision_ai.client.data_methods import DataMethods
from decision_ai.client.export_methods import ExportMethods
from decision_ai.client.guard_methods import GuardMethods
from decision_ai.client.loop_thread import run_blocking
from decision_ai.client.remote_files import remote_files
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.sent_methods import SentMethods
from decision_ai.client.settings import ClientSettings
from decision_ai.client.shared_executor import OpenExecutor, local_executor, shared_executor
from decision_ai.client.solution import Solution
from decision_ai.client.transport import FloorWish
from decision_ai.client.version_methods import VersionMethods
from decision_ai.errors import DataError
from decision_ai.modeling.input_data import InputData
from decision_ai.solving.executors.base import Job
from decision_ai.solving.outcome import SolveProgress
from decision_ai.solving.parameters import SolveParameters

__all__ = ["ChatSession", "Solution"]


class ChatSession(DataMethods, ExportMethods, GuardMethods, SentMethods, VersionMethods):
    """One session on one server. Made by `DecisionAI` or `from_state`."""

    def __init__(
        self,
        request_handler: RequestHandler,
        chat_session_id: str,
        *,
        open_executor: OpenExecutor | None = None,
        settings: ClientSettings | None = None,
    ) -> None:
        self.id = chat_session_id
        self._requests = request_handler
        self._open_executor = open_executor
        self._newest = None
        self._outbox_folder = (settings or ClientSettings()).state_dir / "outbox"

    @classmethod
    def from_state(
        cls,
        *,
        request_handler: RequestHandler,
        chat_session_state: ChatSessionState,
        opt_input_data_class_name: str | type[InputData] | InputData | None = None,
    ) -> Self:
        """A session from a state that the caller kept, without asking the server.

        Args:
            request_handler: `DecisionAI.request_handler` of the server that has the session.
            chat_session_state: the state.
            opt_input_data_class_name: class of the input data, by name, itself or by an instance; checked.

        Raises:
            DataError: if the class name given is not the one of the state's input data.
        """
        known, given = chat_session_state.py_class_name_of_input_data, opt_input_data_class_name
        if isinstance(given, InputData):
            given = type(given)
        name = given.__name__ if isinstance(given, type) else given
        if name not in (None, known):
            raise DataError(
                f"the session's input data are of class {known!r}, not {name!r}; "
                "start a new session for other data"
            )
        return cls(request_handler, chat_session_state.id)

    def connect(
        self,
        approve: Approver | None = None,
        approve_solve: SolveApprover | None = None,
        *,
        floor: FloorWish | None = None,
        parameters: SolveParameters | None = None,
        backoff: Backoff | None = None,
        interactive: bool = True,
    ) -> ChatConnection:
        """A connection to chat over: `async with session.connect() as chat`.

        Args:
            approve: gets a `Proposal`, returns `Approve()`, `Approve(changes=edited)` or `Reject("why")`,
                directly or as a coroutine. Without it a notebook shows a card, a terminal asks, and a
                script rejects and says why.
            approve_solve: gets a `SolveRequest` and may reject it with words; without it all are accepted.
            floor: `take` the right to speak from the connection that has it, or only `watch`.
            parameters: for solves, where the assistant does not say otherwise.
            backoff: how to come back after a lost connection.
            interactive: False where nobody is there to answer a question of the assistant: instead of asking
                back, it ends the turn with a response that begins with "Blocked:".
        """
        options = ConnectOptions(
            approve=approve,
            approve_solve=approve_solve,
            floor=floor,
            parameters=parameters,
            backoff=backoff or Backoff(),
            interactive=interactive,
        )
        return ChatConnection(
            self.id, self._requests, self._open_executor or local_executor, self._outbox_folder, options
        )

    def solve(
        self,
        parameters: SolveParameters | None = None,
        on_progress: Callable[[SolveProgress], None] | None = None,
    ) -> Solution:
        """Check and solve the present version on this machine; also works where an event loop is running.

        Args:
            parameters: limits and gaps of the solve.
            on_progress: called while it runs, on another thread.
        """
        return run_blocking(self._solve(parameters, on_progress, self._open_executor or shared_executor))

    async def asolve(
        self,
        parameters: SolveParameters | None = None,
        on_progress: Callable[[SolveProgress], None] | None = None,
    ) -> Solution:
        """`solve` as a coroutine."""
        return await self._solve(parameters, on_progress, self._open_executor or local_executor)

    async def _solve(
        self,
        parameters: SolveParameters | None,
        on_progress: Callable[[SolveProgress], None] | None,
        open_executor: OpenExecutor,
    ) -> Solution:
        files = remote_files(self._requests, self.id, Backoff(patience=0))
        head = await files.head()
        job = Job(
            task="solve",
            source=head.code,
            json_data=await files.data(head.opt_input_data_id),
            parameters=parameters or SolveParameters(),
        )
        async with open_executor() as executor:
            solution = Solution.of(await executor.run(job, on_progress=on_progress))
        self._newest = head.hash, solution
        return solution

    def state(self) -> ChatSessionState:
        """The present state; changing it changes nothing on the server (see `remote_state`)."""
        return self._requests.chat_session(self.id)[0]

    @contextmanager
    def remote_state(self) -> Iterator[ChatSessionState]:
        """The present state, written back at the end of the block if it was changed there.

        Nothing is written when the block raises.

        Raises:
            StateConflict: if the session changed in between; nothing is written.
        """
        state, etag = self._requests.chat_session(self.id)
        before = state.model_copy(deep=True)
        yield state
        if state != before:
            # What was assigned is checked here, where the traceback is still about the caller's block.
            self._requests.patch_chat_session(ChatSessionState.model_validate(state.model_dump()), etag)

    def messages(self) -> list[MessageContainer]:
        """Everything that was said, oldest first."""
        return self._requests.messages(self.id)

    @property
    def program(self) -> str:
        """The present version as a model file that runs on its own."""
        return self._requests.program(self.id).code

    def __repr__(self) -> str:
        return f"ChatSession({self.id!r} on {self._requests.base_url})"
