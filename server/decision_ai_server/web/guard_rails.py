"""The guard rails of a session: the checks that the person keeps, and plans somebody brings."""

import asyncio

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import ProgramError
from decision_ai.modeling.check_text import plan_check
from decision_ai.sandbox.policy import check_method
from decision_ai.solving.executors.base import Job
from decision_ai.solving.findings import PlanCheck, PricedPlan
from decision_ai.solving.outcome import Plan
from decision_ai_server.agent.kept_checks import with_check, without_check
from decision_ai_server.sessions.compatibility import DoesNotBuild
from decision_ai_server.web.parts import CallerDep, PartsDep, well_formed
from decision_ai_server.web.session_views import running_program, version_of

router = APIRouter(prefix="/v1/chat_sessions", tags=["guard rails"], dependencies=[Depends(well_formed)])


class CheckList(BaseModel):
    """The checks of a session in the order in which they came."""

    items: list[PlanCheck]


class CheckText(BaseModel):
    """A check, without its name."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    code: str
    """An expression such as `v.pack['Tent'] <= 1`, or one method `def name(self, data, v): ...`."""
    sentence: str = ""
    """What must hold, in the person's words."""


class GivenPlan(BaseModel):
    """A plan to price."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    plan: Plan
    """`{"values": {family: [[[index …], value] …]}}`."""


@router.get("/{chat_session_id}/checks")
async def checks(chat_session_id: str, parts: PartsDep, _caller: CallerDep) -> CheckList:
    """The checks that are kept."""
    await parts.store.get_session(chat_session_id)
    return CheckList(items=list(await parts.store.checks(chat_session_id)))


@router.put("/{chat_session_id}/checks/{name}")
async def keep(
    chat_session_id: str, name: str, body: CheckText, parts: PartsDep, _caller: CallerDep
) -> CheckList:
    """Keep a check; one of the same name is replaced. The model and its revision stay as they are."""
    check = plan_check(name, body.sentence, body.code)
    head = await version_of(parts, chat_session_id)
    extra = parts.settings.sandbox_extra_imports
    report = await asyncio.to_thread(
        lambda: check_method(check.code, running_program(head).composed(), extra_imports=extra)
    )
    if report is not None:
        raise ProgramError(report)
    kept = await parts.sessions.change_checks(chat_session_id, lambda known: with_check(known, check))
    return CheckList(items=list(kept))


@router.delete("/{chat_session_id}/checks/{name}")
async def remove(chat_session_id: str, name: str, parts: PartsDep, _caller: CallerDep) -> CheckList:
    """Keep a check no longer."""
    kept = await parts.sessions.change_checks(chat_session_id, lambda known: without_check(known, name))
    return CheckList(items=list(kept))


@router.post("/{chat_session_id}/plans/check")
async def check_plan(
    chat_session_id: str, body: GivenPlan, parts: PartsDep, _caller: CallerDep
) -> PricedPlan:
    """What a plan is worth at the present version and which rows, bounds and kept checks it breaks."""
    head = await version_of(parts, chat_session_id)
    data = await parts.store.get_data(head.data_id)
    job = Job(
        task="price",
        source=await asyncio.to_thread(lambda: running_program(head).composed()),
        json_data=data.json_data,
        plan=body.plan,
        checks=list(await parts.store.checks(chat_session_id)),
    )
    result = await parts.executor.run(job)
    if not isinstance(result.validation, ValidationSucceeded):
        raise DoesNotBuild(result.validation)
    assert result.findings.priced is not None  # a price that succeeds has one
    return result.findings.priced
