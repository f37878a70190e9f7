"""A model as a document: headings, sentences, formulas, code and tables, in no format yet.

LaTeX and Markdown are two ways to write the same document.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from decision_ai.modeling.data import parse_json
from decision_ai.modeling.exporting.formulas import plain_formula
from decision_ai.modeling.notations import notations
from decision_ai.modeling.parts import ConstraintPart, FieldPart, ObjectivePart, VariablePart
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ModelDescription

_MOST_ROWS, _MOST_COLUMNS, _MOST_ITEMS = 30, 8, 20
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_DOMAINS = {"binary": "0 or 1", "integer": "whole numbers", "continuous": "real numbers"}


@dataclass(frozen=True)
class Plain:
    """Words of a person, to be escaped."""

    text: str


@dataclass(frozen=True)
class Symbol:
    """A name of the program, in the letters of code."""

    text: str


@dataclass(frozen=True)
class Formula:
    """Mathematics that may be pasted as it is; `plain_formula` has seen it."""

    math: str


Span: TypeAlias = Plain | Symbol | Formula


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Display:
    """A formula on a line of its own."""

    math: str


@dataclass(frozen=True)
class Code:
    """Lines of a program, or of a formula that is no plain mathematics."""

    text: str


@dataclass(frozen=True)
class Table:
    """Cells under a header."""

    header: tuple[str, ...]
    rows: tuple[tuple[Span, ...], ...]


Block: TypeAlias = Heading | Paragraph | Display | Code | Table


def without_controls(text: str) -> str:
    """Text of strangers without what no reader sees: control characters, marks that turn the direction."""
    return _CONTROLS.sub("", text)


def in_one_line(text: str) -> str:
    """Text of strangers in one line; a blank at its edges stays, for it stands between others."""
    words = " ".join(_CONTROLS.sub(" ", text).split())
    edges = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() and words else "")
    return edges[0] + words + edges[1]


def model_document(
    program: Program, *, description: ModelDescription | None = None, json_data: str | None = None
) -> tuple[Block, ...]:
    """Everything a reader wants to know about a model.

    Args:
        program: the model.
        description: the model as built, for the sizes of families and constraints.
        json_data: the data as JSON; small tables are shown, large ones summarised.

    Raises:
        DataError: if the data are not JSON.
    """
    blocks = [*_opening(program, description), *_data_part(program)]
    blocks += [*_variables(program, description), *_objective(program.objective)]
    blocks += _constraints(program, description)
    return (*blocks, *([] if json_data is None else _data_values(parse_json(json_data))))


def _opening(program: Program, description: ModelDescription | None) -> Iterator[Block]:
    yield Heading(1, (Plain(program.model_class),))
    if program.docstring:
        yield Paragraph((Plain(program.docstring),))
    if description is not None:
        size = f"Size on its data: variables {description.columns:,}, rows {description.rows:,}."
        yield Paragraph((Plain(size),))


def _data_part(program: Program) -> Iterator[Block]:
    sets = notations(program).sets
    if sets:
        yield Heading(2, (Plain("Sets"),))
        yield Table(("set", "meaning"), tuple((Symbol(name), Plain(said)) for name, said in sets.items()))
    yield Heading(2, (Plain("Input data"),))
    for part in program.data_classes.values():
        yield Heading(3, (Symbol(part.name),))
        if part.description:
            yield Paragraph((Plain(part.description),))
        if part.fields:
            yield _fields_table(list(part.fields.values()))


def _fields_table(fields: list[FieldPart]) -> Table:
    """The fields of a class; a column of units only where one is declared."""
    with_units = any(field.unit for field in fields)
    return Table(
        ("parameter", "type", *(["unit"] if with_units else []), "meaning"),
        tuple(
            (
                Symbol(field.name),
                Symbol(field.annotation),
                *([Plain(field.unit)] if with_units else []),
                Plain(field.description),
            )
            for field in fields
        ),
    )


def _variables(program: Program, description: ModelDescription | None) -> Iterator[Block]:
    yield Heading(2, (Plain("Variables"),))
    rows = tuple(_variable_row(part, description) for part in program.variables.values())
    header = ("variable", "symbol", "values", "over", "lower", "upper", "meaning")
    yield Table((*header, "members") if description is not None else header, rows)


def _variable_row(part: VariablePart, description: ModelDescription | None) -> tuple[Span, ...]:
    keywords = _keywords(part)
    bounds = (keywords.get("lower", "0"), keywords.get("upper", "1" if part.domain == "binary" else "None"))
    formula = plain_formula(part.math)
    row = (
        Symbol(part.id),
        Symbol(part.math) if formula is None else Formula(formula),
        Plain(_DOMAINS[part.domain] + ("" if part.enabled else " (switched off: all 0)")),
        Symbol(keywords.get("over", "")),
        *(Plain("none") if bound == "None" else Symbol(bound) for bound in bounds),
        Plain(part.description),
    )
    if description is None:
        return row
    family = description.families.get(part.id)
    return (*row, Plain("" if family is None else f"{len(family.indices):,}"))


def _keywords(part: VariablePart) -> dict[str, str]:
    """Keyword → its code, of the call that declares a family; functions without their `lambda data:`."""
    (statement, *_) = ast.parse(part.code).body
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    call = calls[0]  # outermost first
    return {item.arg: _shown(item.value) for item in call.keywords if item.arg}


def _shown(node: ast.expr) -> str:
    if isinstance(node, ast.Lambda) and [argument.arg for argument in node.args.args] == ["data"]:
        node = node.body
    return ast.unparse(node)


def _objective(part: ObjectivePart | None) -> Iterator[Block]:
    yield Heading(2, (Plain("Objective"),))
    if part is None:
        yield Paragraph((Plain("There is none: any plan that obeys the constraints will do."),))
        return
    yield Paragraph((Plain(f"{part.sense.capitalize()} "), Symbol(part.id), Plain(f". {part.description}")))
    yield from _stated(part)


def _constraints(program: Program, description: ModelDescription | None) -> Iterator[Block]:
    yield Heading(2, (Plain("Constraints"),))
    if not program.constraints:
        yield Paragraph((Plain("There are none."),))
    for part in program.constraints.values():
        yield Heading(3, (Symbol(part.id),))
        yield Paragraph((Plain(part.description),))
        yield Paragraph((Plain(_marks(part, description)),))
        yield from _stated(part)


def _marks(part: ConstraintPart, description: ModelDescription | None) -> str:
    strength = "Hard" if part.priority == "hard" else f"Soft, priority {part.priority}"
    origin = "a policy, which may be changed" if part.policy else "a fact, not a policy"
    marks = f"{strength}; {origin}"
    if not part.enabled:
        return f"{marks}; switched off."
    built = None if description is None else description.constraints.get(part.id)
    return f"{marks}." if built is None else f"{marks}; rows: {len(built.indices):,}."


def _stated(part: ConstraintPart | ObjectivePart) -> Iterator[Block]:
    formula = plain_formula(part.math)
    if formula is not None:
        yield Display(formula)
    elif part.math.strip():
        yield Code(part.math)
    yield Code(part.code)


def _data_values(data: Any) -> Iterator[Block]:
    yield Heading(2, (Plain("Data"),))
    entries = data if isinstance(data, dict) else {"data": data}
    small = tuple((Symbol(name), Plain(_cell(value))) for name, value in entries.items())
    if small:
        yield Table(("field", "value"), small)
    for name, value in entries.items():
        table = _value_table(value)
        if table is not None:
            yield Heading(3, (Symbol(name),))
            yield table


def _value_table(value: Any) -> Table | None:
    """A collection as a table, if it is small enough to be read."""
    rows = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if _of_objects(value)
        else []
    )
    if not rows or len(rows) > _MOST_ROWS:
        return None
    if not all(isinstance(row, dict) for _, row in rows):
        if any(isinstance(row, dict) for _, row in rows):
            return None
        return Table(("", "value"), tuple((Plain(str(label)), Plain(_cell(row))) for label, row in rows))
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    if len(columns) > _MOST_COLUMNS:
        return None
    return Table(
        ("", *columns),
        tuple(
            (Plain(str(label)), *(Plain(_cell(row[column]) if column in row else "") for column in columns))
            for label, row in rows
        ),
    )


def _of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _cell(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, dict):
        return _counted(len(value))
    if isinstance(value, list):
        few = len(value) <= _MOST_ITEMS and not any(isinstance(item, dict | list) for item in value)
        return ", ".join(map(_cell, value)) if few else _counted(len(value))
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) else f"{value!r}".removesuffix(".0")


def _counted(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"
