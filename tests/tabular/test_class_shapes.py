from typing import Annotated, Literal

import pytest

from decision_ai.modeling.input_data import InputData
from decision_ai.modeling.units import unit
from decision_ai.tabular.class_shapes import class_record
from decision_ai.tabular.shapes import ANY, Field, Mapping, Opaque, Record, Scalar, Sequence


class Node(InputData):
    name: str
    children: list["Node"] = []


class Plant(InputData):
    power: Annotated[float, unit("MW")] = 1.0
    level: Literal[1, 2]
    odd: dict[tuple[str, str], float] = {}
    either: int | str | None = None


def test_a_class_that_holds_itself_ends_in_something_that_only_json_says() -> None:
    children = Field("children", Sequence(Opaque("Node")), False)
    assert class_record(Node) == Record("Node", (Field("name", Scalar("text"), True), children))


@pytest.mark.parametrize(
    ("name", "shape"),
    [("power", Scalar("number", unit="MW")), ("level", Scalar("any", (1, 2)))],
)
def test_units_and_choices(name: str, shape: Scalar) -> None:
    assert class_record(Plant).field(name).shape == shape


def test_keys_that_json_does_not_have_and_unions() -> None:
    record = class_record(Plant)
    assert isinstance(record.field("odd").shape, Opaque)
    assert record.field("either").shape == Scalar("any", optional=True)
    assert not isinstance(record.field("either").shape, Mapping)
    assert ANY.kind == "any"
    with pytest.raises(KeyError):
        record.field("other")
