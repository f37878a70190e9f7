"""Annotations and defaults of input-data classes, read without running them. Walks: test_migration.py."""

from typing import Any

import pytest

from decision_ai.modeling.data_shapes import NOT_WRITTEN, DataShapes, Shape
from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.syntax import parse_expression

pytestmark = pytest.mark.core

FILE = """from decision_ai import InputData

Places = dict[str, "Depot"]
Loop = Loop

class Depot(InputData):
    x: float
    name: str = ""

class Shop(InputData):
    x: float
    open: bool = True

class Main(InputData):
    first: int = {default}
"""


def shapes(default: str = "1") -> DataShapes:
    return DataShapes(read_outline(FILE.format(default=default)))


@pytest.mark.parametrize(
    ("annotation", "value", "kind", "name"),
    [
        ("Depot", {}, "object", "Depot"),
        ("Depot | Shop", {"x": 1}, "object", "Depot"),
        ("Depot | Shop", {"x": 1, "open": False}, "object", "Shop"),
        ("Depot | Shop", {"y": 1}, "object", "Depot"),
        ("typing.Optional[Depot]", {"x": 1}, "object", "Depot"),
        ("Final[Depot]", {"x": 1}, "object", "Depot"),
        ("Places", {}, "map", ""),
        ("'Places | None'", {}, "map", ""),
        ("dict[str, float] | Depot", {"x": 1}, "map", ""),
        ("frozenset[int]", [], "list", ""),
    ],
)
def test_a_value_has_the_shape_that_its_annotation_allows(
    annotation: str, value: Any, kind: str, name: str
) -> None:
    shape = shapes().shape(parse_expression(annotation), value)
    assert shape is not None
    assert (shape.kind, shape.class_name) == (kind, name)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("Depot", [1]),
        ("Depot", "x"),
        ("list[Depot]", {}),
        ("dict[str, Depot]", []),
        ("dict", {}),
        ("tuple[()]", []),
        ("dict[str]", {}),
        ("Unknown[Depot]", {}),
        ("Loop", {}),
        ("'not python ('", {}),
        ("1 + 2", {}),
    ],
)
def test_what_does_not_fit_has_no_shape(annotation: str, value: Any) -> None:
    assert shapes().shape(parse_expression(annotation), value) is None


def test_a_wanted_class_is_preferred() -> None:
    options = parse_expression("Depot | Shop")
    assert shapes().shape(options, {"x": 1}, prefer="Shop") == Shape("object", "Shop")
    assert shapes().shape(options, {"x": 1}, prefer="Other") == Shape("object", "Depot")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'a'", "a"),
        ("{'a': (1, 2), 3: None}", {"a": [1, 2], "3": None}),
        ("Depot(x=1)", {"x": 1}),
        ("Field(default_factory=Depot)", {}),
        ("Field(default_factory=int)", 0),
        ("set()", []),
    ],
)
def test_a_default_that_is_written_out_has_a_json_form(written: str, value: Any) -> None:
    found = shapes(written)
    assert found.default(found.fields["Main"]["first"]) == value


@pytest.mark.parametrize(
    "written",
    ["LIMIT", "f()", "Depot(1)", "Depot(x=LIMIT)", "Depot(**{})", "b'x'", "1j", "{(1, 2): 3}", "{True: 1}"],
)
def test_a_default_that_is_computed_or_no_json_is_not_written(written: str) -> None:
    found = shapes(written)
    field = found.fields["Main"]["first"]
    assert found.default(field) is NOT_WRITTEN
    assert not field.required


@pytest.mark.parametrize("written", ["Field(...)", "Field(ge=0)"])
def test_a_field_without_a_default_is_required(written: str) -> None:
    field = shapes(written).fields["Main"]["first"]
    assert field.required
    assert shapes().default(field) is NOT_WRITTEN
