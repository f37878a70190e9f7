"""The declared units of places in the data, named by their paths."""

import json
import re
from collections.abc import Iterable

from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.program import Program
from decision_ai.modeling.reading import read_main_classes
from decision_ai.modeling.unit_shapes import Group, Many, Record, Shape, Shapes, Table, item_of

_STEP = re.compile(r'\.?(?P<name>[^.\[\]"]+)|\[(?P<key>"(?:[^"\\]|\\.)*")\]|\[(?P<place>\d+)\]')


def units_at(program: Program, paths: Iterable[str]) -> dict[str, str]:
    """Path → unit as declared, for the paths whose unit is.

    Args:
        program: the model.
        paths: such as `items.Tent.weight` or `months[2]`, as differences of data write them.
    """
    outline = read_outline(program.source)
    shapes = Shapes(outline, read_main_classes(outline))
    found = {path: _unit_at(program, shapes, path) for path in paths}
    return {path: unit for path, unit in found.items() if unit}


def _unit_at(program: Program, shapes: Shapes, path: str) -> str:
    here, unit = shapes.data, ""
    for step in _steps(path):
        if isinstance(here, Record):
            part = program.data_classes.get(here.name)
            unit = part.fields[str(step)].unit if part is not None and step in part.fields else ""
            here = shapes.field(here.name, str(step))
        else:
            here = _inside(here, step)
    return "" if isinstance(here, Record | Table | Many | Group) else unit


def _inside(shape: Shape, step: str | int) -> Shape:
    if isinstance(shape, Table):
        return shape.value
    if isinstance(shape, Group) and isinstance(step, int) and step < len(shape.items):
        return shape.items[step]
    return item_of(shape)


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    for found in _STEP.finditer(path):
        if found["place"] is not None:
            steps.append(int(found["place"]))
        else:
            steps.append(found["name"] if found["name"] is not None else json.loads(found["key"]))
    return steps
