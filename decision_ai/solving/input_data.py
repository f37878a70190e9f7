"""Input data as JSON text to the data class of a program, with a line for every field that does not fit."""

from typing import Any

from pydantic import ValidationError

from decision_ai.client.schemas.chat_messages.validation import (
    InputDataSchemaValidationFailed,
    ValidationFailed,
)
from decision_ai.modeling.opt_model import OptModel
from decision_ai.solving.blame import Blame

_MOST_FIELDS = 20
_NUMBERS = ("int_type", "float_type", "decimal_type")


class WrongData(Exception):
    """The data do not fit the data class."""

    def __init__(self, validation: ValidationFailed) -> None:
        self.validation = validation
        super().__init__(validation.error)


def read_input(model_class: type[OptModel[Any, Any]], json_data: str) -> Any:
    """The data of a program.

    A number must be a number: true and "3" are refused where one is due. 3.0 is whole enough for an `int`
    field, and 3 good for a `float` field.

    Raises:
        WrongData: with a line per wrong field.
        BuildFailure: if a validator of the program fails in its own way.
    """
    data_class = model_class.data_class
    try:
        try:
            return data_class.model_validate_json(json_data, strict=True)
        except ValidationError as strict:
            data = data_class.model_validate_json(json_data)
            wrong = [detail for detail in _details(strict) if _is_no_number(detail)]
            if wrong:
                raise _wrong(data_class, wrong) from strict
            return data
    except ValidationError as error:
        raise _wrong(data_class, _details(error)) from error
    except WrongData:
        raise
    except Exception as error:  # a validator of the program may raise anything
        raise Blame(model_class).exception("input_data", data_class.__name__, error) from error


def _details(error: ValidationError) -> list[Any]:
    return list(error.errors(include_url=False, include_context=False))


def _is_no_number(detail: Any) -> bool:
    return detail["type"] in _NUMBERS and isinstance(detail["input"], bool | str)


def _wrong(data_class: type[Any], details: list[Any]) -> WrongData:
    error = "\n".join(_lines(details))
    return WrongData(InputDataSchemaValidationFailed(input_data_class_name=data_class.__name__, error=error))


def _lines(details: list[Any]) -> list[str]:
    """One readable line per wrong field."""
    lines = []
    for detail in details[:_MOST_FIELDS]:
        place = ".".join(str(part) for part in detail["loc"]) or "the data"
        got = detail["input"]
        told = detail["type"] != "missing" and isinstance(got, str | int | float | bool | None)
        lines.append(f"{place}: {detail['msg']}" + (f" (got {got!r:.60})" if told else ""))
    if len(details) > _MOST_FIELDS:
        lines.append(f"and {len(details) - _MOST_FIELDS} more")
    return lines
