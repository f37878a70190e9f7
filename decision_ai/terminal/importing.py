"""`decision-ai import`: a PuLP script, an LP or MPS file, as a model file with its data."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.solution import validation_sentence
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.importing.foreign import ImportedModel
from decision_ai.modeling.importing.importer import import_model
from decision_ai.modeling.importing.kinds import is_solver_file
from decision_ai.modeling.importing.pulp_script import DEFAULT_SECONDS
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, ModelDescription
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.terminal.screen import Screen

_MOST_NAMES = 12
_BUILD_SECONDS = 600.0  # a model of any size is welcome here, where nobody waits for a card


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where an import is written.

    Attributes:
        model: the model file; None = `NAME_model.py` beside the source.
        data: the data file; None = beside the model file, with the ending .json.
        overwrite: whether files that are there may be replaced.
    """

    model: Path | None = None
    data: Path | None = None
    overwrite: bool = False


def import_file(
    screen: Screen,
    source: Path,
    places: Places,
    *,
    problem: str | None,
    seconds: float | None = DEFAULT_SECONDS,
) -> None:
    """Import a file, build it once, write model and data, and say what was found.

    Args:
        screen: takes what is said.
        source: a PuLP script, an LP or an MPS file.
        places: where model and data go.
        problem: which problem, where a script has several.
        seconds: stop a script after this time; None = never.

    Raises:
        DecisionAIError: if it cannot be read, does not build, or a file is there already.
    """
    path = places.model or source.with_name(f"{_stem(source)}_model.py")
    data = places.data or path.with_suffix(".json")
    _refuse(source, path, data, places)
    imported = imported_model(screen, source, problem, seconds)
    with screen.line("building the model …"):
        description = asyncio.run(_described(imported))
    imported.write(path, data, overwrite=places.overwrite)
    _say(screen, Program.parse(imported.source), description)
    say_notes(screen, imported)
    screen.say(f"Written to {path} and {data}.")
    screen.say(f"Next: decision-ai chat {path} --data {data}")


def imported_model(
    screen: Screen, source: Path, problem: str | None = None, seconds: float | None = DEFAULT_SECONDS
) -> ImportedModel:
    """Import a file while a line says so.

    Raises:
        DecisionAIError: if it cannot be read.
    """
    doing = "reading" if is_solver_file(source) else "running"
    with screen.line(f"{doing} {source.name} …"):
        return import_model(source, problem=problem, seconds=seconds)


def say_notes(screen: Screen, imported: ImportedModel) -> None:
    """Write what a person should know about an import."""
    screen.say_all((f"Note: {note}" for note in imported.notes), "dim")


def _stem(source: Path) -> str:
    return source.name.removesuffix(".gz").rpartition(".")[0] or source.name


def _refuse(source: Path, path: Path, data: Path, places: Places) -> None:
    """Refuse before a script is run that may take long."""
    if source.resolve() in (path.resolve(), data.resolve()):
        raise DecisionAIError(f"the import would replace {str(source)!r}; name another file with -o")
    for file in (path, data):
        if file.exists() and not places.overwrite:
            raise DecisionAIError(
                f"{str(file)!r} exists already; name others with -o and --data, or say --overwrite"
            )


async def _described(imported: ImportedModel) -> ModelDescription:
    job = Job(
        task="build",
        source=Program.parse(imported.source).composed(),
        json_data=imported.json_data,
        build_seconds=_BUILD_SECONDS,
    )
    async with LocalExecutor() as executor:
        result = await executor.run(job)
    if result.description is None or not isinstance(result.validation, ValidationSucceeded):
        raise DecisionAIError(f"the imported model does not build: {validation_sentence(result.validation)}")
    return result.description


def _say(screen: Screen, program: Program, description: ModelDescription) -> None:
    families = [
        f"{name} ({len(family.indices):,} {family.domain})" for name, family in description.families.items()
    ]
    rows = [f"{name} ({len(one.indices):,})" for name, one in description.constraints.items()]
    screen.say(f"{program.model_class}: {description.columns:,} columns, {description.rows:,} rows")
    screen.fact("variables", _listed(families))
    screen.fact("rows", _listed(rows))
    goal = program.objective
    screen.fact("objective", "none" if goal is None else f"{goal.sense} {goal.id}")


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "") or "none"
