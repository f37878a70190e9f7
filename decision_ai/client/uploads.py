"""The forms in which a person names a model or data: an object, a path, text, or the id of what is stored."""

import inspect
from pathlib import Path
from typing import Any

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.data import canonical_json, parse_json
from decision_ai.modeling.input_data import InputData
from decision_ai.modeling.opt_model import OptModel

ModelForm = str | Path | type[OptModel[Any, Any]]
DataForm = str | Path | InputData | dict[str, Any]


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


def data_text(data: DataForm) -> str | None:
    """Input data as JSON text; None if they are given by their id.

    Raises:
        DecisionAIError: if the file is missing.
        DataError: if the data are not valid JSON.
        TypeError: if they are none of these.
    """
    if not isinstance(data, str | Path | InputData | dict):
        raise TypeError(
            f"data are an InputData object, a dictionary, a path, JSON text or an id, not {data!r:.80}"
        )
    if isinstance(data, InputData):
        return data.model_dump_json()
    if isinstance(data, dict):
        return canonical_json(data)
    if isinstance(data, Path) or data.endswith(".json"):
        return _checked(_file_text(Path(data), "data file"), f" in {str(data)!r}")
    return _checked(data, "") if data.lstrip().startswith("{") else None


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


def _checked(text: str, where: str) -> str:
    if not text.strip():
        raise DataError(f"the data{where} are empty; an empty object is {{}}")
    try:
        parse_json(text)
    except DataError as error:
        raise DataError(f"the data{where}: {error}") from error
    return text
