"""Finds how the terms of a constraint lie: at the row's own index, over a slice of a family, or anywhere."""

from collections import Counter
from collections.abc import Iterator, Sequence

from decision_ai.modeling.importing.grouping import Index
from decision_ai.modeling.importing.shapes import ColumnFamily, OneRow, Terms, shared

Found = list[tuple[Index, float]]
"""Terms of one family in one row: index of the member, coefficient."""


class Places:
    """Where every column of a model is: its family and index."""

    def __init__(self, families: Sequence[ColumnFamily]) -> None:
        self._families = families
        self._places = {
            number: (at, index)
            for at, family in enumerate(families)
            for number, index in family.group.members
        }

    def terms_of(self, row: OneRow) -> dict[int, Found]:
        """The terms of a row by number of the family."""
        found: dict[int, Found] = {}
        for column, coefficient in row.terms:
            at, index = self._places[column]
            found.setdefault(at, []).append((index, coefficient))
        return found

    def terms(self, indices: Sequence[Index], rows: Sequence[OneRow]) -> Iterator[Terms]:
        """How the terms of a constraint's rows lie, family by family in the order of their appearance.

        Args:
            indices: index of every row.
            rows: the rows, at least one.
        """
        by_row = [self.terms_of(row) for row in rows]
        for at in dict.fromkeys(at for found in by_row for at in found):
            yield from _terms(self._families[at], at, indices, [found.get(at, []) for found in by_row])


def _terms(family: ColumnFamily, at: int, indices: Sequence[Index], by_row: list[Found]) -> Iterator[Terms]:
    whole = _one(family, at, indices, by_row)
    if whole.kind == "coefficients":
        # What goes in minus what goes out: each sign may have a pattern of its own.
        halves = [
            [[term for term in found if (term[1] > 0) == up] for found in by_row] for up in (True, False)
        ]
        split = [_one(family, at, indices, half) for half in halves if any(half)]
        if all(terms.kind == "pattern" for terms in split):
            yield from split
            return
    yield whole


def _one(family: ColumnFamily, at: int, indices: Sequence[Index], by_row: list[Found]) -> Terms:
    common = shared(coefficient for found in by_row for _, coefficient in found)
    plain = common in (1.0, -1.0)
    match = _match(family, indices, by_row)
    gaps = match is not None and _has_gaps(match, family, by_row)
    if match is not None and gaps and not _askable(match):
        match = None
    if match is not None and common is not None and (plain or len(by_row) > 1):
        return Terms(family=family, at=at, kind="pattern", coefficient=common, match=match, gaps=gaps)
    single = match if match is not None and None not in match else _single(family, indices, by_row)
    if single is not None:
        return Terms(family=family, at=at, kind="factor", match=single, optional=not all(by_row))
    if common is not None and plain:
        return Terms(family=family, at=at, kind="members", coefficient=common)
    return Terms(family=family, at=at, kind="coefficients")


def _single(
    family: ColumnFamily, indices: Sequence[Index], by_row: list[Found]
) -> tuple[int | None, ...] | None:
    """The pattern of the one member that a row has or could have; None if there is none."""
    if max(map(len, by_row)) > 1:
        return None
    used = [(index, found) for index, found in zip(indices, by_row, strict=True) if found]
    match = tuple(
        _position(position, [index for index, _ in used], [found for _, found in used])
        for position in range(family.depth)
    )
    members = {index for _, index in family.group.members}
    places = [row for row in match if row is not None]
    if len(places) < len(match) or any(
        tuple(index[row] for row in places) not in members for index in indices
    ):
        return None
    return match


def _match(
    family: ColumnFamily, indices: Sequence[Index], by_row: list[Found]
) -> tuple[int | None, ...] | None:
    """The pattern by which the members of every row follow from its index; None if there is none."""
    if not all(by_row):
        return None
    match = tuple(_position(position, indices, by_row) for position in range(family.depth))
    fixed = [(position, row) for position, row in enumerate(match) if row is not None]
    members = [index for _, index in family.group.members]
    sizes = Counter(tuple(index[position] for position, _ in fixed) for index in members)
    for row_index, found in zip(indices, by_row, strict=True):
        if sizes[tuple(row_index[row] for _, row in fixed)] != len(found):
            return None
    return match


def _position(position: int, indices: Sequence[Index], by_row: list[Found]) -> int | None:
    """The label of the row's index that all its members have at a position."""
    return next(
        (
            row
            for row in range(len(indices[0]))
            if all(
                index[position] == row_index[row]
                for row_index, found in zip(indices, by_row, strict=True)
                for index, _ in found
            )
        ),
        None,
    )


def _has_gaps(match: tuple[int | None, ...], family: ColumnFamily, by_row: list[Found]) -> bool:
    """Whether, behind a free position, a label that a row asks for is missing somewhere."""
    members = [index for _, index in family.group.members]
    for position, row in enumerate(match):
        if row is None or None not in match[:position]:
            continue
        labels = {index[position] for found in by_row for index, _ in found}
        prefixes = {index[:position] for index in members}
        there = {index[: position + 1] for index in members}
        if sum(beginning[-1] in labels for beginning in there) < len(prefixes) * len(labels):
            return True
    return False


def _askable(match: tuple[int | None, ...]) -> bool:
    """Whether all free positions can be walked before the first fixed one behind them is looked up."""
    first_free = match.index(None)
    behind = match[first_free:]
    count = sum(row is None for row in behind)
    return all(row is None for row in behind[:count])
