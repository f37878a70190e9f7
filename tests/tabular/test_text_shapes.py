"""The description made from the text is the one made from the classes."""

import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model
from decision_ai.tabular.class_shapes import class_record
from decision_ai.tabular.shapes import Mapping, Record, Scalar, Sequence, Tuple
from decision_ai.tabular.text_shapes import source_record

MODEL = '''"""A model with every kind of field."""
import datetime
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NewType, Optional, Union
from pydantic import Field
from decision_ai import InputData, OptModel, Var, Variables, continuous, unit

Tons = Annotated[float, unit("t")]
City = NewType("City", str)


class Mode(Enum):
    ROAD = "road"
    RAIL = "rail"


class Base(InputData):
    name: str


class Item(Base):
    weight: Annotated[float, unit("kg")]
    mode: Mode = Mode.ROAD
    size: Literal["s", "m"] = "s"
    tags: list[str] = []
    due: Optional[date] = None
    at: tuple[float, float] = (0, 0)
    parts: "list[Item]" = []


class Data(InputData):
    """The data."""
    first: Item
    items: dict[str, Item]
    cost: Annotated[dict[str, dict[City, float]], unit("EUR")]
    open: bool
    numbers: set[int]
    row: tuple[int, ...]
    loads: dict[int, Tons]
    start: datetime.time
    when: datetime.datetime
    anything: Any
    limit: float | None
    either: int | str
    mixed: Union[Item, int]
    bounded: float = Field(ge=0)
    given: float = Field(default=1, ge=0)
    second: float = Field(2.0)
    third: float = Field(...)


class Choice(Variables):
    x: Var = continuous()


class Model(OptModel[Data, Choice]):
    def solution_to_str(self, data, v) -> str:
        return ""
'''


def test_text_and_class_are_described_alike() -> None:
    from_text, from_class = source_record(MODEL), class_record(load_model(MODEL, "described").data_class)
    assert [(field.name, field.required) for field in from_text.fields] == [
        (field.name, field.required) for field in from_class.fields
    ]
    for one, other in zip(from_text.fields, from_class.fields, strict=True):
        if one.name != "mixed":  # only its text differs
            assert one == other


def test_what_the_description_says() -> None:
    record = source_record(MODEL)
    item = record.field("items").shape
    assert isinstance(item, Mapping)
    assert isinstance(item.value, Record)
    fields = {field.name: (field.shape, field.required) for field in item.value.fields}
    assert fields["name"] == (Scalar("text"), True)
    assert fields["weight"] == (Scalar("number", unit="kg"), True)
    assert fields["mode"] == (Scalar("any", ("road", "rail")), False)
    assert fields["size"] == (Scalar("any", ("s", "m")), False)
    assert fields["due"] == (Scalar("date", optional=True), False)
    assert fields["at"] == (Tuple((Scalar("number"), Scalar("number"))), False)
    assert record.field("loads").shape == Mapping(Scalar("whole"), Scalar("number", unit="t"))
    assert record.field("numbers").shape == Sequence(Scalar("whole"), unique=True)
    required = [field.name for field in record.fields if not field.required]
    assert required == ["given", "second"]


def test_what_is_not_a_model_file_is_refused() -> None:
    with pytest.raises(ProgramError):
        source_record("x = 1")
