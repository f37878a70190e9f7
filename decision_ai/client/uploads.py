"""The forms in which a person names a model or data: an object, a path, text, or the id of what is stored."""

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.data import canonical_json, parse_json
from decision_ai.modeling.importing.kinds import is_pulp_script, is_solver_file
from decision_ai.modeling.input_data import InputData
from decision_ai.modeling.opt_model import OptModel

ModelForm: TypeAlias = str | Path | type[OptModel[Any, Any]]
DataForm: TypeAlias = Any
"""An `InputData` object; a dictionary of values and tables by field; a data frame; a list of dictionaries; a
path of a JSON, CSV or Excel file or of a folder of CSV files; JSON text; or an id."""
ModelText: TypeAlias = str | Callable[[], str]
"""The text of a model file, or what fetches it if it is needed."""

_DATA_ID = re.compile(r"data-[0-9a-f]{4,64}")
_TABLE_FILES = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".xls", ".ods", ".numbers", ".parquet")


def model_source(model: ModelForm) -> str | None:
    """The text of a model file; None if the model is given by its id.

    Raises:
        DecisionAIError: if the file is missing or the class has none.
        TypeError: if it is none of these.
    """
    if not isinstance(model, str | Path | type):
        raise TypeError(f"a model is a path, text, class or id, not {model!r:.80}")
    if isinstance(model, type):
        return _class_source(model)
    if isinstance(model, Path) or (model.endswith(".py") and "\n" not in model):
        return _file_text(Path(model), "model file")
    return model if "\n" in model else None


def is_foreign(model: ModelForm) -> bool:
    """Whether a model is the path of a PuLP script, an LP or an MPS file, which can be imported.

    Raises:
        DecisionAIError: if the file is missing.
    """
    if isinstance(model, type) or (isinstance(model, str) and "\n" in model):
        return False
    return is_solver_file(Path(model)) or is_pulp_script(model_source(model) or "")


def data_text(data: DataForm, model: ModelText | None = None) -> str | None:
    """Input data as JSON text; None if they are given by their id.

    Args:
        data: the data in any of their forms.
        model: the model they are for; tables are read onto its input-data classes.

    Raises:
        DecisionAIError: if a file is missing.
        DataError: if the data are not valid JSON, or the tables do not fit; every problem names its place.
        TypeError: if they are none of these.
    """
    if isinstance(data, InputData):
        return data.model_dump_json()
    if isinstance(data, str) and not is_data_path(data):
        return _json_data_text(data, "", model) if data.lstrip().startswith("{") else None
    if isinstance(data, str | Path) and not _holds_tables(Path(data)):
        return _json_data_text(_file_text(Path(data), "data file"), f" in {str(data)!r}", model)
    if isinstance(data, dict) and _is_plain(data):
        return canonical_json(data)
    return _table_text(data, model)


def is_data_path(data: str) -> bool:
    """Whether a text names a file or folder of data, rather than being JSON or the id of stored data."""
    if "\n" in data or data.lstrip().startswith("{"):
        return False
    return data.lower().endswith((".json", *_TABLE_FILES, "/", "\\")) or (
        not _DATA_ID.fullmatch(data) and Path(data).is_dir()
    )


def _holds_tables(path: Path) -> bool:
    """Whether a path is a table or a folder of them; any other file is JSON."""
    return path.suffix.lower() in _TABLE_FILES or path.is_dir()


def _table_text(data: DataForm, model: ModelText | None) -> str:
    from decision_ai.tabular.frames import is_frame, is_records
    from decision_ai.tabular.reading import json_text

    if not (isinstance(data, str | Path | dict) or is_records(data) or is_frame(data)):
        raise TypeError(
            "data are an InputData object, a dictionary, a data frame, a list of dictionaries, a path, JSON "
            f"text or an id, not {data!r:.80}"
        )
    return json_text(data, _target(model))


def _json_data_text(text: str, where: str, model: ModelText | None) -> str:
    """JSON as it stands, unless it holds lists of records where the model wants something by keys."""
    data = _parsed(text, where)
    if model is None or (isinstance(data, dict) and _is_plain(data)):
        return text
    from decision_ai.tabular.reading import is_json_for, json_text

    target = _target(model)
    return text if is_json_for(data, target) else json_text(data, target)


def _is_plain(data: Mapping[Any, Any]) -> bool:
    """Whether a dictionary has neither a data frame nor a list of records in it."""
    plain = (str, int, float, bool, list, dict, tuple, type(None))
    return all(
        isinstance(value, plain)
        and not (isinstance(value, list) and any(isinstance(item, dict) for item in value))
        for value in data.values()
    )


def _target(model: ModelText | None) -> str:
    if model is None:
        raise DataError("the data are tables; give the model too, so that they can be read onto its classes")
    return model if isinstance(model, str) else model()


def _class_source(model: type) -> str:
    try:
        path = inspect.getsourcefile(model)
    except (TypeError, OSError):
        path = None
    if path is None or not Path(path).is_file():
        raise DecisionAIError(
            f"the file of class {model.__name__!r} cannot be found, as for a class made in a notebook cell; "
            "give the path or the text of the model file instead (`%%writefile model.py` makes a cell a file)"
        )
    return _file_text(Path(path), "model file")


def _file_text(path: Path, what: str) -> str:
    try:
        # newline="": the file is kept byte for byte.
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except OSError as error:
        raise DecisionAIError(f"the {what} {str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DecisionAIError(f"the {what} {str(path)!r} is not UTF-8 at byte {error.start}") from error


def _parsed(text: str, where: str) -> Any:
    if not text.strip():
        raise DataError(f"the data{where} are empty; an empty object is {{}}")
    try:
        return parse_json(text)
    except DataError as error:
        raise DataError(f"the data{where}: {error}") from error
