"""What a foreign model becomes: families and constraints, the data they read, and where terms lie."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel
from decision_ai.modeling.importing.grouping import Group, Index
from decision_ai.modeling.importing.naming import Names
from decision_ai.modeling.variables import Domain

RowSense: TypeAlias = Literal["<=", ">=", "=="]
TermKind: TypeAlias = Literal["pattern", "factor", "members", "coefficients"]
_IN_CODE = frozenset({0.0, 1.0, -1.0})
"""Right sides that are part of the rule; every other number is data."""


@dataclass(frozen=True, kw_only=True)
class ColumnFamily:
    """One variable family of the file to write."""

    name: str
    class_name: str
    """Of the data of one member."""
    group: Group
    domain: Domain
    columns: tuple[ForeignColumn, ...]
    """In the order of the group's members."""
    cost_name: str
    """Field of the main data for a cost that all members share."""
    sets: tuple[str, ...] = ()
    """The index sets whose combinations are the members; empty if there are none."""

    @property
    def depth(self) -> int:
        """Number of labels of an index."""
        return self.group.depth

    @cached_property
    def lower(self) -> float | None:
        """The lower bound that all members share; None if they differ."""
        return shared(column.lower for column in self.columns)

    @cached_property
    def upper(self) -> float | None:
        """The upper bound that all members share; None if they differ."""
        return shared(column.upper for column in self.columns)

    @cached_property
    def cost(self) -> float | None:
        """The coefficient in the objective that all members share; None if they differ."""
        return shared(column.cost for column in self.columns)

    @cached_property
    def own_data(self) -> bool:
        """Whether members have data of their own."""
        return None in (self.lower, self.upper, self.cost)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of one variable family in all rows of one constraint."""

    family: ColumnFamily
    at: int
    """Number of the family in the model."""
    kind: TermKind
    """`pattern`: members follow from the row's index, all with one coefficient; `factor`: one member follows,
    with a coefficient of the row's own; `members`: listed, all with +1 or all with -1; `coefficients`: listed
    with theirs.
    """
    coefficient: float = 1.0
    """The one that all terms share, where they do."""
    factor_name: str = ""
    """Field of the main data for a shared coefficient that is neither +1 nor -1."""
    match: tuple[int | None, ...] = ()
    """By position of the member's index: the position of the row's index, or None for all of the family."""
    gaps: bool = False
    """Whether some members of the pattern do not exist, so that the sum must ask."""
    optional: bool = False
    """Whether some rows have no such term."""


@dataclass(frozen=True)
class OneRow:
    """A row with one sense."""

    name: str
    sense: RowSense
    rhs: float
    terms: tuple[tuple[int, float], ...]


@dataclass(frozen=True, kw_only=True)
class RowFamily:
    """One constraint of the file to write."""

    name: str
    class_name: str
    """Of the data of one row."""
    group: Group
    rows: tuple[OneRow, ...]
    """In the order of the group's members."""
    terms: tuple[Terms, ...]
    rhs_name: str
    """Field of the main data for a right side that all rows share."""
    sets: tuple[str, ...] = ()
    """The index sets whose combinations are the rows; empty if there are none, or rows have own data."""

    @property
    def depth(self) -> int:
        """Number of labels of an index."""
        return self.group.depth

    @cached_property
    def sense(self) -> RowSense | None:
        """The sense of all rows; None if they differ."""
        first = self.rows[0].sense
        return first if all(row.sense == first for row in self.rows) else None

    @cached_property
    def rhs(self) -> float | None:
        """The right side that all rows share; None if they differ."""
        return shared(row.rhs for row in self.rows)

    @property
    def rhs_in_code(self) -> bool:
        """Whether the right side is a number of the rule itself."""
        return self.rhs in _IN_CODE

    @property
    def rhs_in_main(self) -> bool:
        """Whether the right side is one field of the main data."""
        return not self.rhs_in_code and self.rhs is not None and (len(self.rows) > 1 or not self._listed)

    @cached_property
    def own_data(self) -> bool:
        """Whether rows have data of their own."""
        return self._listed or self.sense is None or not (self.rhs_in_code or self.rhs_in_main)

    @property
    def _listed(self) -> bool:
        return any(terms.kind != "pattern" for terms in self.terms)


@dataclass(frozen=True, kw_only=True)
class Shaped:
    """A foreign model, cut into what the file will hold."""

    model: ForeignModel
    names: Names
    columns: tuple[ColumnFamily, ...]
    rows: tuple[RowFamily, ...]
    sets: dict[str, Index]
    """Labels by name of the index sets."""
    notes: tuple[str, ...]


def shared(values: Iterable[float]) -> float | None:
    """The value that all have; None if they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
