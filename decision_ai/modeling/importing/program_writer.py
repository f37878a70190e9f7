"""Writes a foreign model as a model file with its data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decision_ai.modeling.data import canonical_json
from decision_ai.modeling.importing import expressions
from decision_ai.modeling.importing.data_parts import (
    Field,
    index_of,
    main_fields,
    member_fields,
    number,
    row_fields,
)
from decision_ai.modeling.importing.foreign import ForeignModel, ImportedModel
from decision_ai.modeling.importing.naming import class_identifier, identifier
from decision_ai.modeling.importing.shapes import ColumnFamily, RowFamily, Shaped
from decision_ai.modeling.importing.shaping import count, shaped

_WIDTH = 110
_ROOM_FOR_NAMES = 40
_LONGEST = 200_000
"""Letters of a file that people still read and that no limit of a program refuses."""
_MOST_FAMILIES = (150, 40, 10, 1)
"""How many families stand alone: as many as the length of the file allows."""
_NONZERO = '''\
def nonzero(name: str, family: dict[Any, Var]) -> list[str]:
    """The members of a family that are not zero, one line each."""
    lines = []
    for index, var in family.items():
        if abs(var.value()) > 1e-6:
            labels = index if isinstance(index, tuple) else (index,)
            lines.append(f"{name}[{', '.join(map(str, labels))}] = {var.value():.10g}")
    return lines
'''
_COMPARED = '''\
def compared(left: Any, sense: str, rhs: float) -> Any:
    """The row `left <= rhs`, `left >= rhs` or `left == rhs`."""
    if sense == "<=":
        return left <= rhs
    if sense == ">=":
        return left >= rhs
    return left == rhs
'''


def program_of(foreign: ForeignModel) -> ImportedModel:
    """A foreign model as a model file: families of variables and constraints, numbers as data.

    The order of columns and rows is kept as far as nested data keep it.

    Raises:
        DataError: if a row without variables can never hold.
    """
    for most in _MOST_FAMILIES:
        writer = _Writer(shaped(foreign, most=most))
        source = writer.source()
        if len(source) <= _LONGEST:
            break
    return ImportedModel(
        source=source,
        json_data=canonical_json(writer.data()),
        notes=(*foreign.notes, *writer.parts.notes),
    )


@dataclass(frozen=True)
class _ClassNames:
    """The names that the file gives to its main parts."""

    model: str
    data: str
    variables: str
    objective: str
    offset: str


class _Writer:
    """The text of one file."""

    def __init__(self, parts: Shaped) -> None:
        self.parts = parts
        names, model = parts.names, parts.model
        base = class_identifier(identifier(model.name)) or "Imported"
        self._names = _ClassNames(
            model=names.unique(base, instead="Imported"),
            data=names.unique(f"{base}Data", instead="ImportedData"),
            variables=names.unique(f"{base}Variables", instead="ImportedVariables"),
            objective=names.unique(model.objective_name, instead="total", suffix="_total"),
            offset=names.unique("objective_constant", instead="objective_constant"),
        )
        self._fields = list(main_fields(parts, self._names.offset))

    def data(self) -> dict[str, object]:
        """The input data."""
        return {field.name: value for field, value in self._fields}

    def source(self) -> str:
        """The whole file."""
        classes = [
            *(
                _data_class(
                    family.class_name, f"One member of the variable {family.name}.", member_fields(family)
                )
                for family in self.parts.columns
                if family.depth and family.own_data
            ),
            *(
                _data_class(
                    family.class_name, f"One row of the constraint {family.name}.", row_fields(family)
                )
                for family in self.parts.rows
                if family.own_data
            ),
            _data_class(self._names.data, "All numbers of the model.", [field for field, _ in self._fields]),
            self._variables(),
        ]
        helpers = [text for text, wanted in self._helpers() if wanted]
        return "\n\n".join([self._head(), *classes, *helpers, self._model()])

    def _helpers(self) -> Iterator[tuple[str, bool]]:
        yield _NONZERO, any(family.depth for family in self.parts.columns)
        yield _COMPARED, any(family.sense is None for family in self.parts.rows)

    def _head(self) -> str:
        model = self.parts.model
        first = model.docstring or f"A model imported from {model.name}."
        counted = f"Imported with {count(len(model.rows), 'row')} and {count(len(model.columns), 'column')}"
        whole = sum(column.integral for column in model.columns)
        counted += f", {whole:,} of them whole numbers." if whole else "."
        families = self.parts.columns
        used = [
            "InputData",
            "OptModel",
            "Var",
            "Variables",
            "constraint",
            *{family.domain for family in families},
        ]
        used += ["objective"] if self._pieces() or model.offset else []
        if not self.parts.rows:
            used.remove("constraint")
        iterates = any(family.depth for family in self.parts.rows)
        literal = ", Literal" if any(family.sense is None for family in self.parts.rows) else ""
        listed = ", ".join(sorted(used, key=lambda name: (name.islower(), name)))
        return (
            f'"""{prose(first)}\n\n{prose(counted)}\n"""\n\n'
            + ("from collections.abc import Iterator\n" if iterates else "")
            + f"from typing import Any{literal}\n\nimport pulp\n\nfrom decision_ai import {listed}\n"
        )

    def _pieces(self) -> list[expressions.Piece]:
        return list(expressions.objective_pieces(self.parts.columns))

    def _variables(self) -> str:
        body = []
        for family in self.parts.columns:
            body += [
                *_declaration(family),
                _docstring(
                    _listing("Column", [number for number, _ in family.group.members], self._columns), 4
                ),
            ]
        return "\n".join(
            [f"class {self._names.variables}(Variables):", _docstring("What is decided.", 4), "", *body, ""]
        )

    @property
    def _columns(self) -> list[str]:
        return [column.name for column in self.parts.model.columns]

    def _model(self) -> str:
        names = self._names
        lines = [
            f"class {names.model}(OptModel[{names.data}, {names.variables}]):",
            _docstring(f"The model {self.parts.model.name} as it was imported.", 4),
        ]
        signature = f"self, data: {names.data}, v: {names.variables}"
        for family in self.parts.rows:
            lines += ["", *_constraint(family, signature)]
        lines += self._objective(signature)
        lines += ["", *_solution(self.parts.columns, signature)]
        return "\n".join([*lines, ""])

    def _objective(self, signature: str) -> list[str]:
        pieces, offset = self._pieces(), self.parts.model.offset
        if offset:
            pieces.append(
                expressions.Piece(f"data.{self._names.offset}", expressions.math_name(self._names.offset))
            )
        if not pieces:
            return []
        formula = expressions.joined(pieces, math=True)
        return [
            "",
            *_decorator("objective", f'"{self.parts.model.sense}", ', formula),
            *_definition(self._names.objective, signature, "Any"),
            _docstring(
                "What is to be as "
                + ("small" if self.parts.model.sense == "minimize" else "large")
                + " as possible.",
                8,
            ),
            *_expression("return ", pieces, 8),
        ]


def prose(text: str) -> str:
    """Text of strangers for inside of a docstring."""
    kept = "".join(
        letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return kept.replace("\\", "\\\\").replace('"', '\\"').strip()


def _docstring(text: str, indent: int) -> str:
    return f'{" " * indent}"""{prose(text)}"""'


def _listing(what: str, numbers: Sequence[int], names: Sequence[str]) -> str:
    """The first names of a family, for its docstring."""
    listed: list[str] = []
    while len(listed) < min(4, len(numbers)) and sum(map(len, listed)) < _ROOM_FOR_NAMES:
        name = names[numbers[len(listed)]]
        listed.append(name if len(name) <= _ROOM_FOR_NAMES else f"{name[:_ROOM_FOR_NAMES]}…")
    more = f" and {len(numbers) - len(listed):,} more" if len(numbers) > len(listed) else ""
    return f"{what}{'s' if len(numbers) > 1 else ''} {', '.join(listed)}{more}."


def _data_class(name: str, description: str, fields: Sequence[Field] | Iterator[Field]) -> str:
    lines = [f"class {name}(InputData):", _docstring(description, 4)]
    body: list[str] = []
    for field in fields:
        default = f" = {field.default}" if field.default else ""
        body += [f"    {field.name}: {field.annotation}{default}", _docstring(field.description, 4)]
    return "\n".join([*lines, *([""] if body else []), *body, ""])


def _declaration(family: ColumnFamily) -> list[str]:
    used = expressions.letters(family.depth)
    annotation = "Var"
    arguments = []
    if family.depth:
        annotation = f"dict[{index_of(family.group.whole)}, Var]"
        arguments.append(f"over=lambda data: {_index_set(family, used)}")
    if family.domain != "binary":
        arguments += _bounds(family, used)
    arguments.append(f'math=r"{expressions.math_name(family.name)}{expressions.subscript(used)}"')
    line = f"    {family.name}: {annotation} = {family.domain}({', '.join(arguments)})"
    if len(line) <= _WIDTH:
        return [line]
    return [
        f"    {family.name}: {annotation} = {family.domain}(",
        *(f"        {argument}," for argument in arguments),
        "    )",
    ]


def _index_set(family: ColumnFamily, used: list[str]) -> str:
    if family.depth == 1:
        return f"data.{family.sets[0] if family.sets else family.name}"
    return f"[({expressions.key(used)}) {' '.join(expressions.family_loops(family, used))}]"


def _bounds(family: ColumnFamily, used: list[str]) -> Iterator[str]:
    for name, bound, usual in (("lower", family.lower, 0.0), ("upper", family.upper, float("inf"))):
        if bound is None:
            place = f"data.{family.name}" + "".join(f"[{letter}]" for letter in used)
            yield f"{name}=lambda data, {expressions.key(used)}: {place}.{name}"
        elif bound != usual:
            yield f"{name}={number(bound) if abs(bound) != float('inf') else None}"


def _decorator(kind: str, before: str, formula: str) -> list[str]:
    line = f'    @{kind}({before}r"{formula}")'
    if len(line) <= _WIDTH:
        return [line]
    room = _WIDTH - 12
    pieces, rest = [], formula
    while len(rest) > room:
        cut = rest.rfind(" ", 0, room)
        cut = room if cut <= 0 else cut + 1
        pieces.append(rest[:cut])
        rest = rest[cut:]
    lead = [f"        {before.strip()}"] if before else []
    return [f"    @{kind}(", *lead, *(f'        r"{piece}"' for piece in [*pieces, rest]), "    )"]


def _definition(name: str, signature: str, returns: str) -> list[str]:
    line = f"    def {name}({signature}) -> {returns}:"
    if len(line) <= _WIDTH:
        return [line]
    one_line = len(signature) + 8 <= _WIDTH
    arguments = [signature] if one_line else [f"{argument}," for argument in signature.split(", ")]
    return [f"    def {name}(", *(f"        {argument}" for argument in arguments), f"    ) -> {returns}:"]


def _constraint(family: RowFamily, signature: str) -> list[str]:
    pieces = expressions.row_pieces(family)
    returns = f"Iterator[tuple[{index_of(family.group.whole)}, Any]]" if family.depth else "Any"
    return [
        *_decorator("constraint", "", expressions.row_formula(family, pieces)),
        *_definition(family.name, signature, returns),
        _docstring(_listing("Row", range(len(family.rows)), [row.name for row in family.rows]), 8),
        *_rows(family, pieces),
    ]


def _rows(family: RowFamily, pieces: list[expressions.Piece]) -> Iterator[str]:
    used = expressions.letters(family.depth)
    indent = 8
    if used:
        for clause in expressions.family_loops(family, used, "row" if family.own_data else ""):
            yield " " * indent + clause + ":"
            indent += 4
    index = f"({expressions.key(used)})" if len(used) > 1 else expressions.key(used)
    lead = f"yield {index}, " if used else "return "
    left = expressions.joined(pieces)
    line = " " * indent + lead + _comparison(family, left)
    if len(line) <= _WIDTH:
        yield line
        return
    yield from _expression("left = ", pieces, indent)
    yield " " * indent + lead + _comparison(family, "left")


def _comparison(family: RowFamily, left: str) -> str:
    row = "row" if family.depth else f"data.{family.name}"
    if family.rhs_in_code:
        right = str(number(family.rows[0].rhs))
    else:
        right = f"data.{family.rhs_name}" if family.rhs_in_main else f"{row}.rhs"
    if family.sense is None:
        return f"compared({left}, {row}.sense, {right})"
    return f"{left} {family.sense} {right}"


def _expression(lead: str, pieces: Sequence[expressions.Piece], indent: int) -> list[str]:
    line = " " * indent + lead + expressions.joined(pieces)
    if len(line) <= _WIDTH:
        return [line]
    if len(pieces) == 1 and not pieces[0].negative:
        return expressions.broken(" " * indent + lead + pieces[0].code, indent)
    return [f"{' ' * indent}{lead}(", *expressions.in_lines(pieces, indent + 4), f"{' ' * indent})"]


def _solution(families: Sequence[ColumnFamily], signature: str) -> list[str]:
    body = []
    for family in families:
        if family.depth:
            body.append(f'        lines += nonzero("{family.name}", v.{family.name})')
        else:
            body.append(f'        lines.append(f"{family.name} = {{v.{family.name}.value():.10g}}")')
    return [
        *_definition("solution_to_str", signature, "str"),
        _docstring("The variables that are not zero.", 8),
        "        lines: list[str] = []",
        *body,
        '        return "\\n".join(lines) or "All variables are zero."',
    ]
