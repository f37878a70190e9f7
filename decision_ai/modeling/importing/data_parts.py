"""The input data of a generated model file: its classes, and the values that go into them."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from decision_ai.modeling.importing.foreign import ForeignColumn
from decision_ai.modeling.importing.grouping import Index
from decision_ai.modeling.importing.patterns import Found, Places
from decision_ai.modeling.importing.shapes import ColumnFamily, OneRow, RowFamily, Shaped, Terms


@dataclass(frozen=True)
class Field:
    """One field of an input-data class; `default` is Python text."""

    name: str
    annotation: str
    description: str
    default: str = ""


def member_fields(family: ColumnFamily) -> Iterator[Field]:
    """What the data say of each member of a family."""
    if family.cost is None:
        some = any(not column.cost for column in family.columns)
        yield Field("cost", "float", "Coefficient in the objective.", "0" if some else "")
    if family.lower is None:
        yield _bound("lower", "Lower", [column.lower for column in family.columns])
    if family.upper is None:
        yield _bound("upper", "Upper", [column.upper for column in family.columns])


def row_fields(family: RowFamily) -> Iterator[Field]:
    """What the data say of each row of a constraint."""
    for terms in family.terms:
        if terms.kind != "pattern":
            yield _terms_field(terms)
    if family.sense is None:
        yield Field("sense", 'Literal["<=", ">=", "=="]', "How the left side compares with the right side.")
    if not (family.rhs_in_code or family.rhs_in_main):
        yield Field("rhs", "float", "Right side.")


def main_fields(parts: Shaped, offset_name: str) -> Iterator[tuple[Field, Any]]:
    """The fields of the main class with their values.

    Args:
        parts: the shaped model.
        offset_name: field of the constant of the objective.
    """
    for name, labels in parts.sets.items():
        whole = (isinstance(labels[0], int),)
        yield Field(name, list_of(whole), f"Index set {name} of the script."), list(labels)
    for family in parts.columns:
        yield from _family_fields(family)
    if parts.model.offset:
        yield Field(offset_name, "float", "Constant of the objective."), number(parts.model.offset)
    places = Places(parts.columns)
    for rows in parts.rows:
        yield from _row_fields(rows, places)


def dict_of(whole: tuple[bool, ...], inner: str) -> str:
    """The annotation of nested dicts, one for each label of an index."""
    for is_whole in reversed(whole):
        inner = f"dict[{'int' if is_whole else 'str'}, {inner}]"
    return inner


def list_of(whole: tuple[bool, ...]) -> str:
    """The annotation of an index set: nested dicts, and lists of the last labels."""
    return dict_of(whole[:-1], f"list[{'int' if whole[-1] else 'str'}]")


def index_of(whole: tuple[bool, ...]) -> str:
    """The annotation of an index: one label, or a tuple of them."""
    labels = ["int" if is_whole else "str" for is_whole in whole]
    return labels[0] if len(labels) == 1 else f"tuple[{', '.join(labels)}]"


def number(value: float) -> float | int:
    """A whole number without its point, as people write it."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else value


def _family_fields(family: ColumnFamily) -> Iterator[tuple[Field, Any]]:
    indices = [index for _, index in family.group.members]
    if family.depth and family.own_data:
        annotation = dict_of(family.group.whole, family.class_name)
        wanted = [field.name for field in member_fields(family)]
        members = zip(indices, family.columns, strict=True)
        values = _nested((index, _member_values(wanted, column)) for index, column in members)
        yield Field(family.name, annotation, f"Members of the variable {family.name} by index."), values
    elif family.depth and not family.sets:
        annotation = list_of(family.group.whole)
        yield (
            Field(family.name, annotation, f"Index set of the variable {family.name}."),
            _nested_lists(indices),
        )
    if family.cost not in (None, 0, 1, -1):
        description = f"Coefficient of {family.name} in the objective."
        yield Field(family.cost_name, "float", description), number(family.columns[0].cost)


def _member_values(wanted: list[str], column: ForeignColumn) -> dict[str, Any]:
    """The fields that are not what they would be anyway: a cost of 0, a bound that is none."""
    values = {name: getattr(column, name) for name in wanted}
    return {
        name: number(value)
        for name, value in values.items()
        if math.isfinite(value) and (name != "cost" or value)
    }


def _row_fields(family: RowFamily, places: Places) -> Iterator[tuple[Field, Any]]:
    indices = [index for _, index in family.group.members]
    if family.own_data:
        annotation = dict_of(family.group.whole, family.class_name)
        wanted = {field.name for field in row_fields(family)}
        one = [_row_values(family, wanted, row, places.terms_of(row)) for row in family.rows]
        values = _nested(zip(indices, one, strict=True)) if family.depth else one[0]
        rows = f"rows of {family.name} hold, by index." if family.depth else f"row {family.name} holds."
        yield Field(family.name, annotation, f"What the {rows}"), values
    elif family.depth and not family.sets:
        annotation = list_of(family.group.whole)
        yield (
            Field(family.name, annotation, f"Index set of the constraint {family.name}."),
            _nested_lists(indices),
        )
    for terms in family.terms:
        if terms.factor_name:
            description = f"Coefficient of {terms.family.name} in every row of {family.name}."
            yield Field(terms.factor_name, "float", description), number(terms.coefficient)
    if family.rhs_in_main:
        description = f"Right side of {family.name}."
        yield Field(family.rhs_name, "float", description), number(family.rows[0].rhs)


def _row_values(family: RowFamily, wanted: set[str], row: OneRow, found: dict[int, Found]) -> dict[str, Any]:
    values = {
        terms.family.name: _term_values(terms, found[terms.at])
        for terms in family.terms
        if terms.kind != "pattern" and terms.at in found
    }
    if "sense" in wanted:
        values["sense"] = row.sense
    if "rhs" in wanted:
        values["rhs"] = number(row.rhs)
    return values


def _term_values(terms: Terms, found: Found) -> Any:
    if terms.kind == "members":
        return _nested_lists(index for index, _ in found)
    if terms.kind == "factor":
        return number(found[0][1])
    return _nested((index, number(coefficient)) for index, coefficient in found)


def _terms_field(terms: Terms) -> Field:
    family = terms.family
    if terms.kind == "members":
        empty = "[]" if family.depth == 1 else "{}"
        return Field(family.name, list_of(family.group.whole), f"Members of {family.name} in the row.", empty)
    if terms.kind == "factor":
        return Field(family.name, "float", f"Coefficient of {family.name}.", "0" if terms.optional else "")
    annotation = dict_of(family.group.whole, "float")
    return Field(family.name, annotation, f"Coefficients of {family.name} by index.", "{}")


def _bound(name: str, title: str, values: list[float]) -> Field:
    if all(map(math.isfinite, values)):
        return Field(name, "float", f"{title} bound.")
    return Field(name, "float | None", f"{title} bound; none if it is missing.", "None")


def _nested(pairs: Iterable[tuple[Index, Any]]) -> dict[Any, Any]:
    root: dict[Any, Any] = {}
    for index, value in pairs:
        node = root
        for label in index[:-1]:
            node = node.setdefault(label, {})
        node[index[-1]] = value
    return root


def _nested_lists(indices: Iterable[Index]) -> Any:
    root: dict[Any, Any] = {}
    for index in indices:
        node: Any = root
        for label in index[:-2]:
            node = node.setdefault(label, {})
        node.setdefault(index[-2] if len(index) > 1 else None, []).append(index[-1])
    return root.get(None, root)
