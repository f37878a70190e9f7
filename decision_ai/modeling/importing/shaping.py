"""Cuts a foreign model into families and constraints, and finds where their terms follow a pattern."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from decision_ai.errors import DataError
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.grouping import Group, group_names
from decision_ai.modeling.importing.index_sets import IndexSets
from decision_ai.modeling.importing.naming import Names, class_identifier, identifier
from decision_ai.modeling.importing.patterns import Places
from decision_ai.modeling.importing.shapes import ColumnFamily, OneRow, RowFamily, Shaped, Terms
from decision_ai.modeling.variables import Domain

_ZERO = 1e-9


def shaped(model: ForeignModel, *, most: int = 150) -> Shaped:
    """Cut a foreign model into families and constraints.

    Args:
        model: the model.
        most: how many families and how many constraints may stand alone; smaller ones are put together.

    Raises:
        DataError: if a row without variables can never hold.
    """
    names = Names()
    columns = _column_families(model, names, most)
    halves, notes = _halves(model)
    row_groups = list(_row_groups(model, halves, most))
    groups = [*(family.group for family in columns), *(group for _, group in row_groups)]
    sets = IndexSets(model, groups, names, {identifier(title) for title, _ in row_groups})
    columns = tuple(replace(family, sets=sets.of(family.group)) for family in columns)
    places = Places(columns)
    rows = [_row_family(group, halves, title, places, names) for title, group in row_groups]
    rows = [family if family.own_data else replace(family, sets=sets.of(family.group)) for family in rows]
    used = {name for made in (columns, rows) for family in made for name in family.sets}
    return Shaped(
        model=model,
        names=names,
        columns=columns,
        rows=tuple(rows),
        sets=sets.labels(used),
        notes=tuple(notes),
    )


def _column_families(model: ForeignModel, names: Names, most: int) -> tuple[ColumnFamily, ...]:
    groups = group_names(
        [column.name for column in model.columns],
        known=model.members.columns if model.members else None,
        kinds=["integer" if column.integral else "continuous" for column in model.columns],
        most=most,
    )
    families = []
    for group in groups:
        columns = tuple(model.columns[number] for number, _ in group.members)
        name = names.unique(group.name, instead="x")
        families.append(
            ColumnFamily(
                name=name,
                class_name=names.unique(f"{class_identifier(name)}Member", instead="Member"),
                group=group,
                domain=_domain(columns),
                columns=columns,
                cost_name=names.unique(f"{name}_cost", instead="cost"),
            )
        )
    return tuple(families)


def _domain(columns: Sequence[ForeignColumn]) -> Domain:
    if not columns[0].integral:
        return "continuous"
    return "binary" if all((column.lower, column.upper) == (0, 1) for column in columns) else "integer"


@dataclass(frozen=True)
class _Half:
    """A row with one sense, and which half of a range it is."""

    row: OneRow
    upper_half: bool = False


def _halves(model: ForeignModel) -> tuple[list[_Half], list[str]]:
    """Rows with one sense: a range becomes two, a row that says nothing none."""
    halves: list[_Half] = []
    free: list[str] = []
    ranges = 0
    for row in model.rows:
        if not row.terms and (row.lower > _ZERO or row.upper < -_ZERO):
            raise DataError(
                f"row {row.name!r:.80} has no variables and asks for {row.lower:g} <= 0 <= {row.upper:g}: "
                "no plan can exist; correct or delete the row"
            )
        found = list(_senses(row)) if row.terms else []
        halves += found
        ranges += len(found) > 1
        if not found:
            free.append(row.name)
    notes = []
    if free:
        notes.append(
            f"{count(len(free), 'row')} without a bound or without variables left out: {_some(free)}."
        )
    if ranges:
        notes.append(f"{count(ranges, 'row')} with two bounds became two constraints each.")
    return halves, notes


def _senses(row: ForeignRow) -> Iterator[_Half]:
    if row.lower == row.upper:
        yield _Half(OneRow(row.name, "==", row.lower, row.terms))
        return
    if math.isfinite(row.lower):
        yield _Half(OneRow(row.name, ">=", row.lower, row.terms))
    if math.isfinite(row.upper):
        upper_half = math.isfinite(row.lower)
        yield _Half(OneRow(row.name, "<=", row.upper, row.terms), upper_half)


def _row_groups(model: ForeignModel, halves: list[_Half], most: int) -> Iterator[tuple[str, Group]]:
    """Groups of positions in `halves`, with the title of each; upper halves of ranges stand apart."""
    known = model.members.rows if model.members else None
    for upper_half in (False, True):
        at = [number for number, half in enumerate(halves) if half.upper_half == upper_half]
        names = [halves[number].row.name for number in at]
        for group in group_names(names, known=known, rows=True, most=most):
            title = f"{group.name}_max" if upper_half else group.name
            yield title, Group(group.name, tuple((at[number], index) for number, index in group.members))


def _row_family(group: Group, halves: list[_Half], title: str, places: Places, names: Names) -> RowFamily:
    rows = tuple(halves[number].row for number, _ in group.members)
    indices = [index for _, index in group.members]
    name = names.unique(title, instead="row", suffix="_row")
    terms = [_with_factor_name(terms, name, names) for terms in places.terms(indices, rows)]
    return RowFamily(
        name=name,
        class_name=names.unique(f"{class_identifier(name)}Row", instead="Row"),
        group=group,
        rows=rows,
        terms=tuple(terms),
        rhs_name=names.unique(f"{name}_rhs", instead="limit"),
    )


def _with_factor_name(terms: Terms, row: str, names: Names) -> Terms:
    if terms.kind != "pattern" or terms.coefficient in (1, -1):
        return terms
    return replace(terms, factor_name=names.unique(f"{row}_{terms.family.name}", instead="factor"))


def count(number: int, noun: str) -> str:
    """`1 row`, `1,200 rows`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(f"{name!r:.60}" for name in names[:3])
    return listed if len(names) <= 3 else f"{listed} and {len(names) - 3:,} more"
