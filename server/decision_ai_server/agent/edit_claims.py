"""What edits say about themselves, apart from what they do: descriptions, docstrings and formulas.

A person who approves an edit reads these before the code, so a figure in them has to be one of the code.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_DESCRIBING = frozenset({"description", "math"})
_CODE = frozenset({"code", "classes"})
_DATA = frozenset({"value", "path"})
_EVERYWHERE = frozenset({"0", "1"})
"""Figures that formulas have for other reasons, such as in "t - 1"."""


@dataclass(frozen=True)
class EditClaims:
    """The input of a call that edits the model, taken apart.

    Attributes:
        said: descriptions, docstrings and formulas.
        done: everything else, as texts.
    """

    said: tuple[str, ...]
    done: tuple[str, ...]


def edit_claims(value: Any) -> EditClaims:
    """Take the JSON-ready input of a call apart."""
    parts = list(_parts(value))
    return EditClaims(
        tuple(text for is_said, text in parts if is_said),
        tuple(text for is_said, text in parts if not is_said),
    )


def counts_in_formula(figure: str) -> bool:
    """Whether a figure of a description or formula says something about what an edit does."""
    return figure.lstrip("-") not in _EVERYWHERE


def _parts(value: Any, *, is_data: bool = False) -> Iterator[tuple[bool, str]]:
    """Every text of a value, and whether it only says something."""
    match value:
        case dict():
            for key, inner in value.items():
                if not is_data and key in _DESCRIBING and isinstance(inner, str):
                    yield True, inner
                elif not is_data and key in _CODE:
                    yield from _parts_of_code(inner)
                else:
                    yield False, str(key)
                    yield from _parts(inner, is_data=is_data or key in _DATA)
        case list():
            for inner in value:
                yield from _parts(inner, is_data=is_data)
        case _:
            yield False, str(value)


def _parts_of_code(code: Any) -> Iterator[tuple[bool, str]]:
    if isinstance(code, list):
        for one in code:
            yield from _parts_of_code(one)
        return
    try:
        tree = ast.parse(str(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield False, str(code)  # it will be refused
        return
    for_readers = {id(node) for node in _texts_for_readers(tree)}
    for node in ast.walk(tree):
        text = _text_of(node)
        if text is not None:
            yield id(node) in for_readers, text


def _text_of(node: ast.AST) -> str | None:
    """The constant or name that a node is."""
    match node:
        case ast.Constant(value=text) | ast.Name(id=text) | ast.Attribute(attr=text):
            return str(text)
        case ast.FunctionDef(name=text) | ast.ClassDef(name=text):
            return str(text)
    return None


def _texts_for_readers(tree: ast.AST) -> Iterator[ast.Constant]:
    """Docstrings, and the formulas that decorators and variable families have."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text
            case ast.keyword(arg="math", value=ast.Constant(value=str()) as text):
                yield text
            case ast.FunctionDef(decorator_list=[ast.Call(args=[*_, ast.Constant(value=str()) as text])]):
                yield text
