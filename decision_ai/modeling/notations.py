"""What the names of a program mean, read from its field docstrings."""

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from decision_ai.client.schemas.notations import OptModelNotations
from decision_ai.modeling.outline import base_name
from decision_ai.modeling.parts import FieldPart
from decision_ai.modeling.program import Program
from decision_ai.modeling.syntax import parse_expression

_COLLECTIONS = frozenset({"dict", "list", "set", "frozenset", "tuple", "Mapping", "Sequence"})
# A hostile file can nest classes so that the paths through them are endless.
_MAX_NAMES, _MAX_DEPTH = 500, 16
_LABELS = frozenset({"str", "int"})


def notations(program: Program) -> OptModelNotations:
    """Sets, parameters and variables of a program: name → meaning.

    A field of a nested class is named by its path, such as `items.weight`. A set is a collection of labels
    (`list[str]`) or of nested input data (`dict[str, Item]`).
    """
    found = list(islice(_data_names(program, program.main_data_class, "", frozenset()), _MAX_NAMES))
    return OptModelNotations(
        sets={name: field.description for kind, name, field in found if kind == "set"},
        parameters={name: field.description for kind, name, field in found if kind == "parameter"},
        variables={id: part.description for id, part in program.variables.items()},
    )


def _data_names(
    program: Program, class_name: str, prefix: str, above: frozenset[str]
) -> Iterator[tuple[Literal["set", "parameter"], str, FieldPart]]:
    for field in program.data_classes[class_name].fields.values():
        name = prefix + field.name
        annotation = parse_expression(field.annotation)
        outer = base_name(annotation) if isinstance(annotation, ast.Subscript) else None
        mentioned = [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)]
        nested = next((other for other in mentioned if other in program.data_classes), None)
        if nested is not None:
            if outer in _COLLECTIONS:
                yield "set", name, field
            if nested not in above and len(above) < _MAX_DEPTH:
                yield from _data_names(program, nested, f"{name}.", above | {class_name})
        elif outer in _COLLECTIONS - {"dict", "Mapping"} and set(mentioned) <= _COLLECTIONS | _LABELS:
            yield "set", name, field
        else:
            yield "parameter", name, field
