"""`decision-ai solve`: one solve on this machine, without a server."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.client.solution import Solution, validation_sentence
from decision_ai.errors import DecisionAIError
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress
from decision_ai.solving.parameters import SolveParameters
from decision_ai.terminal.files import Inputs, read_inputs
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import progress_line


class ExitCode(IntEnum):
    """What a command tells the shell."""

    PLAN = 0
    ERROR = 1
    BAD_INPUT = 2
    NO_PLAN_EXISTS = 3
    NO_PLAN_FOUND = 4


_EXIT_CODES = {
    OutcomeKind.INFEASIBLE: ExitCode.NO_PLAN_EXISTS,
    OutcomeKind.UNBOUNDED: ExitCode.NO_PLAN_EXISTS,
    OutcomeKind.INFEASIBLE_OR_UNBOUNDED: ExitCode.NO_PLAN_EXISTS,
    OutcomeKind.LIMIT_WITHOUT_PLAN: ExitCode.NO_PLAN_FOUND,
    OutcomeKind.INTERRUPTED_WITHOUT_PLAN: ExitCode.NO_PLAN_FOUND,
    OutcomeKind.ERROR: ExitCode.ERROR,
}

_MEANINGS = {
    OutcomeKind.INFEASIBLE: "No plan satisfies all constraints at once.",
    OutcomeKind.UNBOUNDED: "The objective can be improved without end: a bound or a constraint is missing.",
    OutcomeKind.INFEASIBLE_OR_UNBOUNDED: "There is no plan, or the objective can be improved without end.",
}


def solve(
    screen: Screen, model: Path, data: Path | None, parameters: SolveParameters, *, as_json: bool
) -> ExitCode:
    """Solve a model file on its data, or a PuLP script, LP or MPS file, and write the plan.

    Raises:
        DecisionAIError: if a file cannot be read, or the model does not build on the data.
    """
    inputs = read_inputs(screen, model, data)
    source = inputs.program.composed()
    job = Job(task="solve", source=source, json_data=inputs.json_data, parameters=parameters)
    result = asyncio.run(run_job(screen, job))
    if result.outcome is None and _was_interrupted(result):
        screen.say("Stopped before the solve began.")
        return ExitCode.NO_PLAN_FOUND
    if not isinstance(result.validation, ValidationSucceeded):
        raise DecisionAIError(_in_file(result, source, inputs, model, data))
    solution = Solution.of(result)
    if as_json:
        screen.console.out(json.dumps(as_values(solution), ensure_ascii=False), highlight=False)
        return exit_code(solution.outcome)
    return show_solution(screen, solution)


def show_solution(screen: Screen, solution: Solution) -> ExitCode:
    """Write a solution, and what its outcome means where it has no plan."""
    screen.say(str(solution))
    screen.say_all([_MEANINGS.get(solution.status, "")], "")
    return exit_code(solution.outcome)


def exit_code(outcome: Outcome) -> ExitCode:
    """What an outcome tells the shell."""
    return _EXIT_CODES.get(outcome.kind, ExitCode.PLAN)


def as_values(solution: Solution) -> dict[str, object]:
    """A solution as JSON values: `outcome`, `values` (family → pairs of index and value) and `text`."""
    return {
        "outcome": solution.outcome.model_dump(mode="json"),
        "values": {} if solution.plan is None else solution.plan.model_dump(mode="json")["values"],
        "text": solution.text,
    }


async def run_job(screen: Screen, job: Job) -> JobResult:
    """Run a solve with its progress on the screen; Ctrl-C stops it with the best plan so far."""
    stop = asyncio.Event()
    async with LocalExecutor() as executor:
        with screen.line("building the model …") as line, _stopped_by_interrupt(stop):

            def on_progress(progress: SolveProgress) -> None:
                line.say(f"{progress_line(progress)} (Ctrl-C stops with the best plan so far)")

            return await executor.run(job, on_progress=on_progress, stop=stop)


@contextmanager
def _stopped_by_interrupt(stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C stops the solve; a second one is an interrupt like any other."""
    loop = asyncio.get_running_loop()

    def interrupt(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        loop.call_soon_threadsafe(stop.set)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _report(result: JobResult) -> FormulationErrorReport | None:
    match result.validation:
        case FormulationValidationFailed(error=FormulationErrorReport() as report):
            return report
    return None


def _was_interrupted(result: JobResult) -> bool:
    report = _report(result)
    return report is not None and report.error_type == "interrupted"


def _in_file(result: JobResult, composed: str, inputs: Inputs, model: Path, data: Path | None) -> str:
    """What a failed check found, with the line in the person's own file."""
    report = _report(result)
    if report is None:
        failed = validation_sentence(result.validation)
        return f"{str(data)!r}: {failed}" if "do not fit" in failed else f"{str(model)!r}: {failed}"
    # A line of an imported model is in no file of the person's.
    line = None if inputs.imported else line_in_file(report.line, composed, inputs.program.source)
    where = "" if line is None else f", line {line}"
    hint = f"; {report.hint}" if report.hint else ""
    return f"{str(model)!r}{where}: {report.message}{hint}"


def line_in_file(line: int | None, composed: str, source: str) -> int | None:
    """The line of the file that is this line of the composed program, where that is certain."""
    if line is None or source == composed:
        return line
    composed_lines, file_lines = composed.splitlines(), source.splitlines()
    if not 1 <= line <= len(composed_lines):
        return None
    same = [n for n, text in enumerate(file_lines, start=1) if text == composed_lines[line - 1]]
    return same[0] if len(same) == 1 else None
