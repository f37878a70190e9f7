"""Models from elsewhere in one call: a PuLP script, an `LpProblem`, an LP or MPS file."""

from pathlib import Path
from typing import Any

from decision_ai.errors import DecisionAIError
from decision_ai.modeling.importing.foreign import ForeignModel, ImportedModel
from decision_ai.modeling.importing.kinds import SUFFIXES, is_model_file, is_solver_file
from decision_ai.modeling.importing.program_writer import program_of
from decision_ai.modeling.importing.pulp_object import is_pulp_problem, read_pulp_problem
from decision_ai.modeling.importing.pulp_script import DEFAULT_SECONDS, read_script


def import_model(
    source: str | Path | Any, *, problem: str | None = None, seconds: float | None = DEFAULT_SECONDS
) -> ImportedModel:
    """Make a model file and its data out of a model from elsewhere.

    A script is run, with your rights and up to its first solve, in a process of its own; import only scripts
    that you would run. Functions that it never calls are not called.

    Args:
        source: an `LpProblem`, or the path of a PuLP script (.py) or of an LP or MPS file (also .gz).
        problem: name of the problem to read, where a script has several.
        seconds: stop a script after this time; None = never.

    Raises:
        DecisionAIError: if it cannot be read; the text says why, for a script with its line.
        TypeError: if it is none of these.
    """
    if isinstance(source, str | Path):
        return program_of(_from_file(Path(source), problem, seconds))
    if is_pulp_problem(source):
        return program_of(read_pulp_problem(source))
    raise TypeError(f"a model to import is an LpProblem or the path of a file, not {source!r:.80}")


def _from_file(path: Path, problem: str | None, seconds: float | None) -> ForeignModel:
    if is_solver_file(path):
        # HiGHS takes its time to load.
        from decision_ai.modeling.importing.solver_files import read_solver_file

        return read_solver_file(path)
    if path.suffix.lower() != ".py":
        raise DecisionAIError(
            f"{str(path)!r} cannot be imported: name a PuLP script (.py) or a file that ends with "
            f"{', '.join(SUFFIXES)}"
        )
    if is_model_file(_text(path)):
        raise DecisionAIError(f"{str(path)!r} is a model file already; chat about it as it is")
    return read_script(path, problem, seconds=seconds)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise DecisionAIError(f"the script {str(path)!r} cannot be read: {error.strerror}") from error
