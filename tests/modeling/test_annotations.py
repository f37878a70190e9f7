"""What annotations say, read and never run."""

import pytest

from decision_ai.modeling.annotations import annotated, annotation_unit, type_aliases, unquoted
from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.syntax import parse_expression

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("float", ""),
        ("Annotated[float, unit('kg')]", "kg"),
        ("typing.Annotated[float, Field(gt=0), decision_ai.unit(text='EUR/kg')]", "EUR/kg"),
        ("dict[str, list[Annotated[float, unit('h')]]]", "h"),
        ("\"Annotated[float, unit('kg')]\"", "kg"),
        ("Annotated[float, unit(name)]", ""),
        ("Annotated[float, unit()]", ""),
        ("Annotated[float, unit(3)]", ""),
        ("Annotated[float, __import__('os').system('kg')]", ""),
        ("'not a type ('", ""),
        ("'" + "(" * 300 + "'", ""),
        ("x" + "[0" * 150 + "]" * 150, ""),
    ],
)
def test_unit_of_an_annotation(text: str, unit: str) -> None:
    assert annotation_unit(parse_expression(text)) == unit


def test_other_types_are_left_as_they_are() -> None:
    node = parse_expression("list[float]")
    assert annotated(node) == (node, "")
    assert unquoted(node) is node


def test_names_for_types() -> None:
    outline = read_outline(
        "Kilograms = Annotated[float, unit('kg')]\nRow: TypeAlias = 'list[float]'\nempty: int\n"
    )
    assert list(type_aliases(outline)) == ["Kilograms", "Row"]
