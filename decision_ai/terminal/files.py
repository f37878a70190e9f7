"""The files a command is given, with one sentence for what is wrong with them."""

from pathlib import Path

from decision_ai.client.uploads import data_text, model_source
from decision_ai.errors import DecisionAIError, ProgramError
from decision_ai.modeling.program import Program


def read_model(path: Path) -> Program:
    """Read a model file.

    Raises:
        DecisionAIError: if it is missing or not a model file.
    """
    source = model_source(path)
    try:
        return Program.parse(source or "")
    except ProgramError as error:
        raise DecisionAIError(f"{str(path)!r} is not a model file: {error}") from error


def read_data(path: Path) -> str:
    """Read a data file.

    Raises:
        DecisionAIError: if it is missing or not JSON.
    """
    return data_text(path) or ""
