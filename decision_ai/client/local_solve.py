"""One solve on this machine without a server: what an exported model file calls."""

from collections.abc import Callable

from decision_ai.client.loop_thread import run_blocking
from decision_ai.client.shared_executor import shared_executor
from decision_ai.client.solution import Solution
from decision_ai.client.uploads import DataForm, ModelForm, data_text, is_foreign, model_source
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.importing.importer import import_model
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.outcome import SolveProgress
from decision_ai.solving.parameters import SolveParameters


def solve(
    model: ModelForm,
    data: DataForm | None = None,
    parameters: SolveParameters | None = None,
    on_progress: Callable[[SolveProgress], None] | None = None,
) -> Solution:
    """Check and solve a model on this machine; also works where an event loop is running.

    Args:
        model: a path, the text or the class of a model file; or the path of a PuLP script, which is run, or
            of an LP or MPS file.
        data: an `InputData` object, a dictionary, JSON text, data frames, or a path: JSON, CSV, Excel. None
            for a script, an LP or an MPS file, which have their own.
        parameters: limits and gaps of the solve.
        on_progress: called while it runs, on another thread.

    Raises:
        DecisionAIError: if a file is missing or cannot be read.
    """
    source, json_data = _inputs(model, data)
    program = Program.parse(source)
    job = Job(
        task="solve",
        source=program.composed(),
        json_data=json_data,
        parameters=parameters or SolveParameters(),
    )
    return Solution.of(run_blocking(_run(job, on_progress)))


def _inputs(model: ModelForm, data: DataForm | None) -> tuple[str, str]:
    """The text of a model and its data."""
    if is_foreign(model):
        if data is not None:
            raise DecisionAIError(
                f"{str(model)!r} is not a model file and brings its own data; leave the data out"
            )
        imported = import_model(model)
        return imported.source, imported.json_data
    if data is None:
        raise DecisionAIError("name the data that the model runs on: solve(model, data)")
    source = model_source(model)
    json_data = data_text(data, source)
    if source is None or json_data is None:
        raise DecisionAIError("without a server a model and data have no ids; give paths, texts or objects")
    return source, json_data


async def _run(job: Job, on_progress: Callable[[SolveProgress], None] | None) -> JobResult:
    async with shared_executor() as executor:
        return await executor.run(job, on_progress=on_progress)
