"""The files a command is given, with one sentence for what is wrong with them."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import typer

from decision_ai.client.uploads import data_text, is_foreign, model_source
from decision_ai.errors import DecisionAIError, ProgramError
from decision_ai.modeling.importing.foreign import ImportedModel
from decision_ai.modeling.importing.importer import import_model
from decision_ai.modeling.program import Program
from decision_ai.terminal.importing import imported_model
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import visible


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """A model with its data.

    Attributes:
        program: the model.
        json_data: the data.
        imported: the import they come from; None for a model file.
    """

    program: Program
    json_data: str
    imported: ImportedModel | None = None


def read_inputs(screen: Screen, model: Path, data: Path | None) -> Inputs:
    """Read a model file and its data, or import a PuLP script, an LP or an MPS file, which has its own.

    Raises:
        DecisionAIError: if a file is missing or neither, or the data are missing or not wanted.
    """
    if is_foreign(model):
        if data is not None:
            raise DecisionAIError(
                f"{str(model)!r} is not a model file and brings its own data; leave --data out, or make it a "
                f"model file with `decision-ai import {model}`"
            )
        imported = imported_model(screen, model)
        return Inputs(program=Program.parse(imported.source), json_data=imported.json_data, imported=imported)
    program = read_model(model)
    if data is None:
        raise DecisionAIError(f"name the data that {str(model)!r} runs on: --data DATA.json")
    return Inputs(program=program, json_data=read_data(data, program))


def read_model(path: Path) -> Program:
    """Read a model file, or import what is none.

    Raises:
        DecisionAIError: if it is missing or no model.
    """
    if is_foreign(path):
        return Program.parse(import_model(path).source)
    source = model_source(path)
    try:
        return Program.parse(source or "")
    except ProgramError as error:
        import_it = f"; if it builds a PuLP model, `decision-ai import {path}` makes it a model file"
        hint = import_it if error.report.error_type == "model_class" else ""
        raise DecisionAIError(f"{str(path)!r} is not a model file: {error}{hint}") from error


def read_data(path: Path, program: Program | None = None) -> str:
    """Read data: JSON, CSV, an Excel workbook or a folder of CSV files; notes go to standard error.

    Args:
        path: the file or folder.
        program: the model the data are for; tables are read onto its classes.

    Raises:
        DecisionAIError: if it is missing or cannot be read; every problem names its place.
    """
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        text = data_text(path, None if program is None else program.source)
    for note in notes:
        typer.echo(f"decision-ai: {visible(str(note.message))}", err=True)
    return text or ""
