"""Turns the cells of one column into JSON values; the column decides together how its texts are read."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeAlias

from decision_ai.tabular import number_texts
from decision_ai.tabular.names import folded, nearest
from decision_ai.tabular.number_texts import Mark
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.shapes import Scalar
from decision_ai.tabular.tables import Percent, Raw, Table, text_of

Json: TypeAlias = Any
PlaceOf: TypeAlias = Callable[[int], Place]

_YES = {"yes", "y", "true", "t", "1", "ja", "j", "wahr", "on", "x", "✓", "✔"}
_NO = {"no", "n", "false", "f", "0", "nein", "falsch", "off"}
_MARKS = {"x", "✓", "✔"}
ERRORS = {"#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"}
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", re.ASCII)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)


class Unreadable(Exception):
    """A cell is not what it should be; the text says why."""


@dataclass(frozen=True)
class Cells:
    """The cells of one column, or of one row of a list of names and values."""

    heading: str
    values: Sequence[Raw]
    place: PlaceOf
    """Place of the cell at a position; -1 is the header."""
    decimal: str = ""
    """The decimal mark that the rest of the table speaks for; empty if none."""
    factor: float = 1.0
    """What its numbers are multiplied by, to come into the unit of their field."""


def table_cells(table: Table) -> list[Cells]:
    """The columns of a table."""
    decimal = _table_mark(table)
    return [
        Cells(column.name, table.values(n), _places(table, n), decimal)
        for n, column in enumerate(table.columns)
    ]


def _places(table: Table, column: int) -> PlaceOf:
    return lambda n: table.place(column, None if n < 0 else table.rows[n])


def _table_mark(table: Table) -> str:
    marks = set()
    for n in range(len(table.columns)):
        texts = [cell for cell in table.values(n) if isinstance(cell, str)]
        marks |= {number_texts.common_mark(texts)} - {None}
    return str(marks.pop()) if len(marks) == 1 else "" if marks else table.source.decimal


def convert(cells: Cells, scalar: Scalar, problems: Problems) -> list[Json]:
    """The values of a column; a blank cell is None, and so is one with a problem.

    Args:
        cells: the column.
        scalar: what each value must be.
        problems: gets every cell that is not that.
    """
    read = _reader(cells, scalar, problems)
    values: list[Json] = []
    for n, raw in enumerate(cells.values):
        try:
            value = None if raw is None else read(_sound(raw))
            values.append(value if cells.factor == 1 or value is None else _times(value, cells.factor))
        except Unreadable as error:
            problems.add(cells.place(n), str(error))
            values.append(None)
    if (
        scalar.kind == "truth"
        and any(values)
        and all(_is_mark(raw) for raw in cells.values if raw is not None)
    ):
        return [bool(value) for value in values]  # a column of crosses: a blank is a no
    return values


def fits(raw: Raw, scalar: Scalar) -> bool:
    """Whether a cell could be such a value, however its column is written."""
    if scalar.kind in ("number", "whole") and isinstance(raw, str):
        digits = number_texts.without_signs(raw).digits
        return any(number_texts.value(digits, mark) is not None for mark in (".", ","))
    problems = Problems()
    convert(Cells("", [raw], lambda _: Place()), scalar, problems)
    return not problems.found


def key_text(value: Json) -> str:
    """A converted value as key of a JSON object."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return text_of(value)


def _sound(raw: Raw) -> Raw:
    if isinstance(raw, str) and raw.strip() in ERRORS:
        raise Unreadable(f"the cell holds the error {raw.strip()}; mend its formula")
    return raw


def _is_mark(raw: Raw) -> bool:
    return isinstance(raw, str) and raw.strip().casefold() in _MARKS


def _reader(cells: Cells, scalar: Scalar, problems: Problems) -> Callable[[Raw], Json]:
    if scalar.choices:
        return lambda raw: _choice(raw, scalar)
    match scalar.kind:
        case "number" | "whole":
            mark = _column_mark(cells, problems)
            _check_money(cells, problems)
            return lambda raw: _number(raw, scalar, mark)
        case "date":
            month_first = _month_first(cells)
            return lambda raw: _date(raw, month_first)
        case "truth":
            return _truth
        case "datetime":
            return _datetime
        case "time":
            return _time
        case "text":
            return _text
    return _anything


def _column_mark(cells: Cells, problems: Problems) -> Mark | None:
    """The decimal mark of a column; None if nothing speaks for one."""
    first: dict[Mark, int] = {}
    for n, raw in enumerate(cells.values):
        if isinstance(raw, str) and ("," in raw or "." in raw):
            mark = number_texts.speaks_for(number_texts.without_signs(raw).digits)
            if mark is not None:
                first.setdefault(mark, n)
    if len(first) == 2:
        (_, one), (_, other) = first.items()
        problems.add(
            cells.place(other),
            f"{cells.values[other]!r} and {cells.values[one]!r} ({cells.place(one)}) have different decimal "
            "marks; write all numbers of the column alike",
        )
    if first:
        return next(iter(first))
    return "." if cells.decimal == "." else "," if cells.decimal == "," else None


def _check_money(cells: Cells, problems: Problems) -> None:
    """Refuse a column with amounts in several currencies."""
    first: dict[str, int] = {}
    for n, raw in enumerate(cells.values):
        money = number_texts.without_signs(raw).money if isinstance(raw, str) else ""
        if money:
            first.setdefault(money, n)
    if len(first) > 1:
        one, other = list(first)[:2]
        problems.add(
            cells.place(first[other]),
            f"the amount is in {other}, another one in {one} ({cells.place(first[one])}); convert one "
            "of them",
        )


def _number(raw: Raw, scalar: Scalar, mark: Mark | None) -> int | float:
    number, percent = _value(raw, mark)
    if percent and scalar.unit != "%":
        number = round(number / 100, 15) if isinstance(raw, str) else number
    elif percent and isinstance(raw, Percent):
        number = round(number * 100, 12)
    if scalar.kind == "whole":
        if number != int(number):
            raise Unreadable(f"{raw!r} is not a whole number")
        return int(number)
    return number


def _times(number: float, factor: float) -> float:
    """The product without the last digit, which is noise: 1.1 t are 1100 kg."""
    return float(f"{number * factor:.15g}")


def _value(raw: Raw, mark: Mark | None) -> tuple[int | float, bool]:
    """The number a cell says, and whether it is written as a percentage."""
    if isinstance(raw, bool):
        raise Unreadable(f"{str(raw).upper()} is not a number")
    if isinstance(raw, int | float):
        if raw in (float("inf"), float("-inf")):
            raise Unreadable("infinity is not a number that data may hold")
        return raw if isinstance(raw, int) else float(raw), isinstance(raw, Percent)
    if isinstance(raw, date | time):
        raise Unreadable(f"{text_of(raw)} is a date or a time, not a number; format the cell as a number")
    text = text_of(raw)
    written = number_texts.without_signs(text)
    if mark is None and number_texts.is_ambiguous(written.digits):
        plain, small = number_texts.value(written.digits, ","), number_texts.value(written.digits, ".")
        if "," in written.digits:
            plain, small = small, plain
        raise Unreadable(
            f"{text!r} may mean {plain} or {small}, and no other number tells which; write {plain}, or "
            f"{text}0 for the fraction"
        )
    number = number_texts.value(written.digits, mark or ".")
    if number is None:
        raise Unreadable(_no_number(text))
    return number, written.percent


def _no_number(text: str) -> str:
    parts = number_texts.number_and_unit(text)
    if parts is None:
        return f"{text!r:.60} is not a number"
    number, unit = parts
    return f"{text!r:.60} is a number with a unit; write {number}, and the unit into the header as [{unit}]"


def _text(raw: Raw) -> str:
    if not isinstance(raw, str | int | float | date | time):
        raise Unreadable(f"{raw!r:.60} is not a text")
    return text_of(raw)


def _choice(raw: Raw, scalar: Scalar) -> Json:
    for choice in scalar.choices:
        if raw == choice and isinstance(raw, bool) == isinstance(choice, bool):
            return choice
    text = text_of(raw)
    for form in (str, folded):
        found = [choice for choice in scalar.choices if form(str(choice)) == form(text)]
        if len(found) == 1:
            return found[0]
    raise Unreadable(
        f"{text!r:.60} is not one of the values allowed; {nearest(text, map(str, scalar.choices))}"
    )


def _truth(raw: Raw) -> bool:
    word = text_of(raw).casefold()
    if word in _YES or word in _NO:
        return word in _YES
    raise Unreadable(
        f"{text_of(raw)!r:.60} is neither yes nor no; write yes or no, true or false, 1 or 0, x or nothing"
    )


def _month_first(cells: Cells) -> bool | None:
    """Whether dates with slashes begin with the month, as the column tells; None if it does not."""
    pairs = [_SLASHED.fullmatch(raw.strip()) for raw in cells.values if isinstance(raw, str)]
    day_first = any(pair is not None and int(pair[1]) > 12 for pair in pairs)
    month_first = any(pair is not None and int(pair[2]) > 12 for pair in pairs)
    return None if day_first == month_first else month_first


def _date(raw: Raw, month_first: bool | None) -> str:
    if isinstance(raw, datetime):
        if raw.time() != time():
            raise Unreadable(f"{raw.isoformat(' ')} has a time of day; a date is wanted")
        return raw.date().isoformat()
    if isinstance(raw, date):
        return raw.isoformat()
    text = text_of(raw)
    dotted, slashed = _DOTTED.fullmatch(text), _SLASHED.fullmatch(text)
    try:
        if dotted is not None:
            return date(int(dotted[3]), int(dotted[2]), int(dotted[1])).isoformat()
        if slashed is not None:
            one, two = int(slashed[1]), int(slashed[2])
            if month_first is None and one != two:
                raise Unreadable(
                    f"{text!r} may begin with the day or the month; write dates such as 2026-12-31"
                )
            day, month = (two, one) if month_first else (one, two)
            return date(int(slashed[3]), month, day).isoformat()
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Unreadable(f"{text!r:.60} is not a date; write dates such as 2026-12-31") from None


def _datetime(raw: Raw) -> str:
    if isinstance(raw, date):
        return raw.isoformat()
    try:
        return datetime.fromisoformat(text_of(raw)).isoformat()
    except ValueError:
        raise Unreadable(f"{text_of(raw)!r:.60} is not a date with time such as 2026-12-31 08:30") from None


def _time(raw: Raw) -> str:
    try:
        return (raw if isinstance(raw, time) else time.fromisoformat(text_of(raw))).isoformat()
    except ValueError:
        raise Unreadable(f"{text_of(raw)!r:.60} is not a time such as 08:30") from None


def _anything(raw: Raw) -> Json:
    if isinstance(raw, date | time):
        return text_of(raw)
    return raw.strip() if isinstance(raw, str) else float(raw) if isinstance(raw, Percent) else raw
