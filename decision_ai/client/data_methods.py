"""Other data for a session: shown as a diff, taken on approval; and its model run on other data once."""

import inspect
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from decision_ai.client.approval import ApprovalDecision, Approve, Approver, Card, Preview, Proposal, Reject
from decision_ai.client.asking import consult, default_approver, is_async
from decision_ai.client.backoff import Backoff
from decision_ai.client.loop_thread import call_in_thread, run_blocking
from decision_ai.client.model_warnings import Runnable, changed_units, new_warnings
from decision_ai.client.preview import Previewer
from decision_ai.client.remote_files import remote_files
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.shared_executor import OpenExecutor, local_executor, shared_executor
from decision_ai.client.solution import Solution, validation_sentence
from decision_ai.client.uploads import DataForm, data_text
from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.data import data_id, differences, parse_json
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.parameters import SolveParameters

_NOBODY = "nobody could be asked"


@dataclass(frozen=True)
class DataChange:
    """Other data for a session, checked, and not yet approved.

    Attributes:
        state: the session's state before it.
        etag: the tag of that state.
        json_data: the new data.
        proposal: what the person is asked; None if the data are the present ones.
    """

    state: ChatSessionState
    etag: str
    json_data: str
    proposal: Proposal | None


class DataMethods:
    """What a session can do with other data."""

    id: str
    _requests: RequestHandler
    _open_executor: OpenExecutor | None

    def set_input_data(self, data: DataForm, approve: Approver | None = None) -> ChatSessionState:
        """Give the session other data, if the person approves the difference.

        The differences, and the parts that do not build on the new data, are shown before. Such parts stay in
        the model, marked as incompatible, and are left out of what runs.

        Args:
            data: the new data, in any form that `create_chat_session` takes.
            approve: gets a `Proposal` and returns `Approve()` or `Reject("why")`. Without it a terminal asks.
                A script must pass it; in a notebook write `await session.aset_input_data(...)`.

        Returns:
            The state: the new one, or the present one if the person rejected or nothing differs.

        Raises:
            DataError: if the data cannot be read, or do not fit the input-data classes.
            DecisionAIError: if nobody can be asked.
            StateConflict: if the session changed in the meantime; nothing is written.
        """
        asked = approve or default_approver()
        if approve is None and is_async(asked):
            raise DecisionAIError(
                "in a notebook write `await session.aset_input_data(...)` to be asked, or pass approve="
            )
        change = run_blocking(self._data_change(data, self._open_executor or shared_executor))
        if change.proposal is None:
            return change.state
        answer = asked(change.proposal)
        decision = run_blocking(_awaited(answer)) if inspect.isawaitable(answer) else answer
        return self._settle(change, decision)

    async def aset_input_data(self, data: DataForm, approve: Approver | None = None) -> ChatSessionState:
        """`set_input_data` as a coroutine; without `approve` a notebook shows a card."""
        asked = approve or default_approver()
        change = await self._data_change(data, self._open_executor or local_executor)
        if change.proposal is None:
            return change.state
        decision = await consult(asked, change.proposal)
        return await call_in_thread(lambda settled: self._settle(change, settled), decision)

    def run(
        self,
        data: DataForm,
        version: str | int | None = None,
        *,
        parameters: SolveParameters | None = None,
        allow_incompatible: bool = False,
    ) -> Solution:
        """Run an approved version of the model on other data, on this machine; the session does not change.

        Args:
            data: the data, in any form that `create_chat_session` takes.
            version: a branch, a number or an id of a version; None is the present one.
            parameters: limits and gaps of the solve.
            allow_incompatible: whether parts that do not build on the data are left out.

        Raises:
            DataError: if the data cannot be read or do not fit, or a part does not build on them.
        """
        source = self.version_source(version)
        json_data = required_text(data, source)
        return run_blocking(self._run(Runnable(source, json_data), parameters, allow_incompatible))

    def version_source(self, version: str | int | None = None) -> str:
        """The model file of a version, also the parts that do not build on its own data.

        Args:
            version: a branch, a number or an id; None is the present one.
        """
        return self._requests.program(self.id, version=version, whole=True).code

    async def _run(
        self, runnable: Runnable, parameters: SolveParameters | None, allow_incompatible: bool
    ) -> Solution:
        async with (self._open_executor or shared_executor)() as executor:
            left_out = await incompatible_parts(executor, runnable)
            if left_out and not allow_incompatible:
                raise DataError(
                    f"{incompatible_sentence(left_out)}; allow_incompatible=True leaves such parts out"
                )
            job = Job(
                task="solve",
                source=without(runnable.code, left_out),
                json_data=runnable.json_data,
                parameters=parameters or SolveParameters(),
            )
            return Solution.of(await executor.run(job))

    async def _data_change(self, data: DataForm, open_executor: OpenExecutor) -> DataChange:
        state, etag = await call_in_thread(self._requests.chat_session, self.id)
        files = remote_files(self._requests, self.id, Backoff(patience=0))
        head = await files.head()
        present = await files.data(head.opt_input_data_id)
        source = await call_in_thread(self.version_source, None)
        json_data = await call_in_thread(lambda given: required_text(given, source), data)
        if not differences(parse_json(present), parse_json(json_data)):
            return DataChange(state, etag, json_data, None)
        change = OptInputDataDiff(
            removed=OptInputDataSnapshot(opt_input_data_id=head.opt_input_data_id, json_data=present),
            added=OptInputDataSnapshot(opt_input_data_id=data_id(json_data), json_data=json_data),
        )
        before, after = Runnable(head.code, present), Runnable(source, json_data)
        async with open_executor() as executor:
            proposal = await _proposal(executor, change, before, after)
        return DataChange(state, etag, json_data, proposal)

    def _settle(self, change: DataChange, decision: ApprovalDecision) -> ChatSessionState:
        """Write the new data, if they are approved."""
        match decision:
            case Reject(reason=reason) if reason.startswith(_NOBODY):
                raise DecisionAIError(f"{_NOBODY} about the new data; pass approve= to say who decides")
            case Reject():
                return change.state
            case Approve(changes=None):
                new_id = self._requests.create_opt_input_data(change.json_data)
                state = change.state.model_copy(update={"opt_input_data_id": new_id})
                return self._requests.patch_chat_session(state, change.etag)
            case Approve():
                raise DataError("new data are approved or rejected as they are; edit them and set them again")
        raise TypeError(f"an approver must return Approve() or Reject('why'), not {decision!r}")


async def incompatible_parts(executor: Executor, runnable: Runnable) -> list[IncompatiblePart]:
    """The parts of a program that do not build on data.

    Raises:
        DataError: if the data do not fit the program's classes, or it does not import.
    """
    job = Job(task="compatibility", source=runnable.code, json_data=runnable.json_data)
    result = await executor.run(job)
    if not isinstance(result.validation, ValidationSucceeded):
        raise DataError(validation_sentence(result.validation))
    return result.findings.incompatible


def incompatible_sentence(parts: Sequence[IncompatiblePart]) -> str:
    """Which parts do not build on the data, and why."""
    listed = "; ".join(f"{part.kind} {part.id}: {part.reason}" for part in parts)
    one = "1 part does" if len(parts) == 1 else f"{len(parts)} parts do"
    return f"{one} not build on these data ({listed})"


def without(source: str, parts: Sequence[IncompatiblePart]) -> str:
    """A program that runs, without these parts."""
    return Program.parse(source).without(parts).composed() if parts else source


def required_text(data: DataForm, source: str) -> str:
    """Data as JSON text.

    Raises:
        DataError: if they are given by an id, or cannot be read.
    """
    text = data_text(data, source)
    if text is None:
        raise DataError(f"{data!r:.80} is no data: give a path, an object, a dictionary or a data frame")
    return text


async def _proposal(
    executor: Executor, change: OptInputDataDiff, before: Runnable, after: Runnable
) -> Proposal:
    left_out = await incompatible_parts(executor, after)
    runs = replace(after, code=without(after.code, left_out))
    effect = await Previewer(executor, SolveParameters()).preview(before, runs)
    warnings = await call_in_thread(lambda run: new_warnings(before, run), after)

    async def preview() -> Preview | None:
        return effect

    return Proposal(
        changes=(change,),
        validation=ValidationSucceeded(),
        card=Card(
            reading="Other input data for this session.",
            warnings=tuple(warnings),
            incompatible=tuple(left_out),
        ),
        tool_origin=ToolData(name="set_input_data", args={}),
        preview=preview,
        preview_result=effect,
        units=changed_units(after.code, (change,)),
    )


async def _awaited(answer: Awaitable[ApprovalDecision]) -> ApprovalDecision:
    return await answer
