"""The client's half of a turn: builds, checks, previews and solves what is asked, and asks the person.

It knows no socket: asks go in, answers come out. Data are content-addressed, so they are fetched once.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from decision_ai.client.approval import (
    ApprovalDecision,
    Approve,
    Approver,
    Card,
    Preview,
    Proposal,
    Reject,
    SolveApprover,
    SolveRequest,
)
from decision_ai.client.asking import consult, is_async
from decision_ai.client.cards import read_card, read_checks
from decision_ai.client.loop_thread import call_in_thread
from decision_ai.client.model_warnings import Runnable, changed_parts, changed_units, new_warnings
from decision_ai.client.preview import HeadProgram, Previewer
from decision_ai.client.schemas.chat_messages.changes import ModelChanges, OptInputDataDiff
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.solving import SolveFailed
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    Validation,
    ValidationSucceeded,
)
from decision_ai.client.solution import solving_of
from decision_ai.errors import DecisionAIError
from decision_ai.solving.executors.base import Executor, Job, JobResult
from decision_ai.solving.findings import PartName, PlanCheck
from decision_ai.solving.outcome import SolveProgress
from decision_ai.solving.parameters import SolveParameters


@dataclass(frozen=True, kw_only=True)
class SessionFiles:
    """Where a responder gets what an ask only names.

    Attributes:
        data: input data as JSON text, by id.
        head: the present version of the model.
    """

    data: Callable[[str], Awaitable[str]]
    head: Callable[[], Awaitable[HeadProgram]]


@dataclass(frozen=True, kw_only=True)
class Answered:
    """An answer to send.

    Attributes:
        response: the message.
        result: what the solve brought, for an ask for a solve that ran.
        error: what the approver raised; the answer is then a rejection.
    """

    response: ValidationResponse | SolveResponse
    result: JobResult | None = None
    error: Exception | None = None


class Responder:
    """Answers the asks of one session."""

    def __init__(
        self,
        executor: Executor,
        files: SessionFiles,
        *,
        approve: Approver,
        approve_solve: SolveApprover | None = None,
        parameters: SolveParameters | None = None,
    ) -> None:
        self._executor = executor
        self._files = files
        self._approve = approve
        self._approve_solve = approve_solve
        self._parameters = parameters or SolveParameters()
        self._previewer = Previewer(executor, self._parameters)
        self._data: dict[str, str] = {}

    async def validate(
        self, ask: AskForValidation, changes: tuple[ModelChanges, ...], edit: ModelChanges | None = None
    ) -> Answered:
        """Check a change and, if it builds, ask the person.

        Args:
            ask: the ask.
            changes: every diff of its change set up to this one.
            edit: the person's own edit of this call, if they made one before.
        """
        if not _is_last_part(ask.tool_origin):
            present = bool(ask.code.strip())
            missing = FormulationValidationFailed(error="this part of the change set has no program")
            return _validated(ask, ValidationSucceeded() if present else missing)
        after = Runnable(ask.code, await self._json_data(ask.tool_origin, changes))
        built = await self._build(after, changed_parts(changes))
        validation = built.validation
        if not isinstance(validation, ValidationSucceeded):
            return _validated(ask, validation)
        if ask.tool_origin.args.get("edited") and edit is not None and same_change(edit, ask.changes):
            return _validated(ask, validation)
        return await self._consult_about(ask, changes, after, built)

    async def solve(
        self,
        ask: AskForSolve,
        *,
        on_progress: Callable[[SolveProgress], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> Answered:
        """Check a program and solve it, unless the person refuses.

        Args:
            ask: the ask.
            on_progress: called while the solve runs.
            stop: when set, the solve ends with the best plan so far.
        """
        runnable = Runnable(ask.code, await self._json_data(ask.tool_origin, ()))
        try:
            parameters = self._merged(ask.tool_origin.args.get("parameters") or {})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            words = f"error: parameters {'.'.join(map(str, first['loc']))}: {first['msg']}"
            failed = SolveFailed(status="error", error=words)
            validation = (await self._build(runnable)).validation
            return Answered(response=_solved(ask, validation).model_copy(update={"solving": failed}))
        decision, error_raised = await self._consult_about_solve(ask, parameters)
        if isinstance(decision, Reject):
            refusal = {"rejected": True, "rejection_message": decision.reason}
            validation = (await self._build(runnable)).validation
            response = _solved(ask, validation).model_copy(update=refusal)
            return Answered(response=response, error=error_raised)
        job = Job(
            task="solve",
            source=runnable.code,
            json_data=runnable.json_data,
            parameters=parameters,
            start=self._previewer.plan(runnable),
        )
        result = await self._executor.run(job, on_progress=on_progress, stop=stop)
        self._previewer.remember(runnable, result)
        return Answered(response=_solved(ask, result.validation, result), result=result)

    async def _consult_about(
        self, ask: AskForValidation, changes: tuple[ModelChanges, ...], after: Runnable, built: JobResult
    ) -> Answered:
        validation = built.validation
        before = await self._present()
        checks = read_checks(ask.tool_origin)
        previewing = asyncio.get_running_loop().create_task(self._preview(before, after, checks))

        async def preview() -> Preview | None:
            return await asyncio.shield(previewing)

        try:
            proposal = Proposal(
                changes=changes,
                validation=validation,
                card=await self._card(ask.tool_origin, before, after, built),
                tool_origin=ask.tool_origin,
                preview=preview,
                units=await call_in_thread(lambda run: changed_units(run.code, changes), after),
            )
            if not is_async(self._approve):
                proposal = replace(proposal, preview_result=await preview())
            decision = await consult(self._approve, proposal)
        except Exception as error:  # the user's own code: it is raised again at the end of the turn
            rejected = _validated(ask, validation, rejection=_failure_words(error))
            return replace(rejected, error=error)
        finally:
            previewing.cancel()
            await asyncio.wait([previewing])
        if isinstance(decision, Reject):
            return _validated(ask, validation, rejection=decision.reason)
        if decision.changes is None or same_change(decision.changes, ask.changes):
            return _validated(ask, validation)
        return _validated(ask, validation, edit=decision.changes)

    async def _consult_about_solve(
        self, ask: AskForSolve, parameters: SolveParameters
    ) -> tuple[ApprovalDecision, Exception | None]:
        if self._approve_solve is None:
            return Approve(), None
        request = SolveRequest(code=ask.code, parameters=parameters, tool_origin=ask.tool_origin)
        try:
            return await consult(self._approve_solve, request), None
        except Exception as error:  # the user's own code: it is raised again at the end of the turn
            return Reject(_failure_words(error)), error

    async def _present(self) -> Runnable | None:
        """The present version; None where it cannot be had: a change can be approved without its preview."""
        try:
            head = await self._files.head()
            return Runnable(head.code, await self._fetch(head.opt_input_data_id))
        except DecisionAIError:
            return None

    async def _preview(
        self, before: Runnable | None, after: Runnable, checks: list[PlanCheck]
    ) -> Preview | None:
        return None if before is None else await self._previewer.preview(before, after, checks)

    async def _card(
        self, origin: ToolData, before: Runnable | None, after: Runnable, built: JobResult
    ) -> Card:
        """The card of a call with what was found on this machine and is not so in the present version."""
        card = read_card(origin)
        found = await call_in_thread(lambda run: new_warnings(before, run), after)
        told = built.description.warnings if built.description is not None else []
        if told and before is not None:
            present = (await self._build(before)).description
            told = [one for one in told if present is None or one not in present.warnings]
        return replace(card, warnings=tuple(dict.fromkeys([*card.warnings, *found, *told])))

    async def _build(self, runnable: Runnable, focus: Sequence[PartName] = ()) -> JobResult:
        job = Job(task="build", source=runnable.code, json_data=runnable.json_data, focus=list(focus))
        return await self._executor.run(job)

    async def _json_data(self, origin: ToolData, changes: tuple[ModelChanges, ...]) -> str:
        """The data an ask names, from the change set itself where it brings them."""
        wanted = origin.args.get("input_data_id")
        added = [
            change.added
            for change in changes
            if isinstance(change, OptInputDataDiff) and change.added is not None
        ]
        if added and wanted in (None, added[-1].opt_input_data_id):
            return added[-1].json_data
        return await self._fetch(str(wanted or (await self._files.head()).opt_input_data_id))

    async def _fetch(self, data_id: str) -> str:
        if data_id not in self._data:
            self._data[data_id] = await self._files.data(data_id)
        return self._data[data_id]

    def _merged(self, asked: dict[str, Any]) -> SolveParameters:
        return SolveParameters.model_validate({**self._parameters.model_dump(), **asked})


def same_change(one: ModelChanges, other: ModelChanges) -> bool:
    """Whether two diffs do the same: their code and data agree.

    Formula and description follow from the code and the data's id from the data, so a person who edits the
    code need not keep them in step.
    """
    return _essence(one) == _essence(other)


def _essence(change: ModelChanges) -> dict[str, Any]:
    essence: dict[str, Any] = {"kind": change.kind}
    for side in ("removed", "added"):
        snapshot = getattr(change, side)
        fields = {} if snapshot is None else snapshot.model_dump()
        for derived in ("math_formulation", "description", "opt_input_data_id"):
            fields.pop(derived, None)
        if "code" in fields:
            fields["code"] = fields["code"].strip()
        if "json_data" in fields:
            fields["json_data"] = json.loads(fields["json_data"])
        essence[side] = fields
    return essence


def _is_last_part(origin: ToolData) -> bool:
    part = origin.args.get("part")
    return not isinstance(part, dict) or part.get("i") == part.get("n")


def _validated(
    ask: AskForValidation,
    validation: Validation,
    *,
    rejection: str | None = None,
    edit: ModelChanges | None = None,
) -> Answered:
    return Answered(
        response=ValidationResponse(
            rejected=rejection is not None,
            validation=validation,
            tool_origin=ask.tool_origin,
            rejection_message=rejection,
            changes=edit,
        )
    )


def _solved(ask: AskForSolve, validation: Validation, result: JobResult | None = None) -> SolveResponse:
    return SolveResponse(
        rejected=False,
        validation=validation,
        tool_origin=ask.tool_origin,
        solving=None if result is None else solving_of(result),
    )


def _failure_words(error: Exception) -> str:
    return f"the approver failed: {type(error).__name__}: {error}"
