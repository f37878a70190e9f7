"""`decision-ai run`: an approved version of a session on other data, once, on this machine."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from decision_ai.client.client import DecisionAI
from decision_ai.client.data_methods import incompatible_parts, without
from decision_ai.client.model_warnings import Runnable
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.solution import Solution, validation_sentence
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.parameters import SolveParameters
from decision_ai.terminal.files import read_data
from decision_ai.terminal.screen import Screen, say_nothing
from decision_ai.terminal.solving import ExitCode, run_job, show_solution


@dataclass(frozen=True, kw_only=True)
class RunChoices:
    """What the options say.

    Attributes:
        data: the new data: a file or a folder.
        version: a branch, a number or an id of a version; None is the present one.
        out: where to write the plan: `.xlsx`, `.json` or a folder; None shows it only.
        allow_incompatible: whether parts that do not build on the data are left out.
        url: the server of the session.
    """

    data: Path
    version: str | None = None
    out: Path | None = None
    allow_incompatible: bool = False
    url: str | None = None


def run(screen: Screen, session_id: str, choices: RunChoices, parameters: SolveParameters) -> ExitCode:
    """Solve a version of a session on other data and write the plan; the session stays as it is.

    Raises:
        DecisionAIError: if the session or a file cannot be read, or the model does not build on the data.
    """
    if choices.out is not None:
        from decision_ai.tabular.plans import check_target

        check_target(choices.out)
    with screen.line("fetching the model …"), DecisionAI(choices.url, on_notice=say_nothing) as client:
        session = client.continue_chat_session(session_id)
        source = session.version_source(choices.version)
    runnable = Runnable(source, read_data(choices.data, Program.parse(source)))
    with screen.line("checking the parts on the data …"):
        left_out = asyncio.run(_incompatible(runnable))
    if left_out:
        _tell(screen, left_out, choices)
        if not choices.allow_incompatible:
            return ExitCode.BAD_INPUT
    job = Job(
        task="solve",
        source=without(source, left_out),
        json_data=runnable.json_data,
        parameters=parameters,
    )
    result = asyncio.run(run_job(screen, job))
    if not isinstance(result.validation, ValidationSucceeded):
        raise DecisionAIError(validation_sentence(result.validation))
    return _finish(screen, Solution.of(result), choices.out)


def _finish(screen: Screen, solution: Solution, out: Path | None) -> ExitCode:
    code = show_solution(screen, solution)
    if out is not None and solution.plan is not None:
        from decision_ai.tabular.plans import write_plan

        write_plan(out, solution.outcome, solution.plan, solution.rows)
        screen.say(f"Written to {out}.")
    return code


def _tell(screen: Screen, parts: list[IncompatiblePart], choices: RunChoices) -> None:
    are_left_out = "are left out, because they do" if choices.allow_incompatible else "do"
    screen.say(f"Parts that {are_left_out} not build on these data:")
    for part in parts:
        screen.say(f"{part.kind} {part.id}: {part.reason}", "yellow", indent=2)
    if not choices.allow_incompatible:
        screen.say("Nothing was solved; --allow-incompatible leaves them out.")


async def _incompatible(runnable: Runnable) -> list[IncompatiblePart]:
    async with LocalExecutor() as executor:
        return await incompatible_parts(executor, runnable)
