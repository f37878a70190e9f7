"""What is wrong with data, each with its place, told all at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from decision_ai.errors import DataError

MOST_TOLD = 50


@dataclass(frozen=True)
class Place:
    """Where something is: file, sheet or table, and row and column or cell; empty where unknown."""

    file: str = ""
    table: str = ""
    """The sheet, or the name of a table that was handed over."""
    row: str = ""
    """`line 7`, or the label of a row."""
    column: str = ""
    """Header of the column."""
    cell: str = ""
    """Address in a sheet, such as `C7`."""

    def __str__(self) -> str:
        sheet = f"{self.table}!{self.cell}" if self.cell else self.table
        column = f"column {self.column!r}" if self.column else ""
        return ", ".join(part for part in (self.file, sheet, self.row, column) if part)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: a place, and a sentence that says what to do."""

    place: Place
    message: str

    def __str__(self) -> str:
        place = str(self.place)
        return f"{place}: {self.message}" if place else self.message


class TableError(DataError):
    """Tables could not be read; nothing of them was taken.

    Attributes:
        problems: what is wrong, at most 50 of them.
        count: how many there are in all.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        found = list(dict.fromkeys(problems))
        self.problems = tuple(found[:MOST_TOLD])
        self.count = len(found)
        super().__init__(_text(self.problems, self.count))


@dataclass
class Problems:
    """Collects problems while data are read, so that all of them can be told at once."""

    found: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What the reader should be told although nothing is wrong."""

    def add(self, place: Place, message: str) -> None:
        """Note one."""
        self.found.append(Problem(place, message))

    def check(self) -> None:
        """Stop here if anything is wrong.

        Raises:
            TableError: with everything that was found.
        """
        if self.found:
            raise TableError(self.found)


def _text(problems: tuple[Problem, ...], count: int) -> str:
    if count == 1:
        return str(problems[0])
    lines = [f"{count:,} things are wrong with the data; nothing of them was taken"]
    lines += [f"- {problem}" for problem in problems]
    if count > len(problems):
        lines.append(f"- and {count - len(problems):,} more")
    return "\n".join(lines)
