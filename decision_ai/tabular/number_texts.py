"""Numbers written as texts: decimal commas and points, thousands separators, signs of percent and money."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Mark: TypeAlias = Literal[".", ","]
"""What stands before the decimals."""

_SPACES = " \xa0\u202f\u2009'\u2019"
_EXPONENT = r"(?:[eE][+-]?\d+)?"


def _pattern(mark: str, other: str) -> re.Pattern[str]:
    groups = rf"[1-9]\d{{0,2}}(?P<thousands>[{re.escape(other)}{_SPACES}])\d{{3}}(?:(?P=thousands)\d{{3}})*"
    decimals = rf"(?P<decimals>{re.escape(mark)}\d*)?"
    return re.compile(rf"[+-]?(?:(?:{groups}|\d+){decimals}|{re.escape(mark)}\d+){_EXPONENT}", re.ASCII)


_PATTERNS: dict[Mark, re.Pattern[str]] = {".": _pattern(".", ","), ",": _pattern(",", ".")}
_PLAIN = re.compile(r"[+-]?[\d.,]+", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,300}", re.ASCII)
_WITH_UNIT = re.compile(r"(?P<number>[+-]?\d[\d.,]*)\s*(?P<unit>[^\W\d_][\w/²³^.]{0,15})")
_CODES = re.compile(r"^(?:EUR|USD|GBP|CHF|JPY)\s*|\s*(?:EUR|USD|GBP|CHF|JPY)$")


class Written(NamedTuple):
    """A text without its signs."""

    digits: str
    percent: bool
    money: str
    """The sign of money it carries; empty without."""


def without_signs(text: str) -> Written:
    """Take signs of percent and money off a text."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return Written(text, False, "")
    text = text.replace("\u2212", "-")
    percent = text.endswith("%")
    text = text.removesuffix("%").rstrip()
    money = next((sign for sign in text if unicodedata.category(sign) == "Sc"), "")
    code = _CODES.search(text)
    if money:
        text = re.sub(rf"\s*{re.escape(money)}\s*", "", text, count=1)
    elif code is not None:
        money, text = code[0].strip(), _CODES.sub("", text, count=1)
    return Written(text, percent, money)


def value(digits: str, mark: Mark) -> int | float | None:
    """The number a text says under a decimal mark; None if it says none."""
    found = _PATTERNS[mark].fullmatch(digits)
    if found is None:
        return None
    plain = digits.replace(found["thousands"], "") if found["thousands"] else digits
    plain = plain.replace(",", ".") if mark == "," else plain
    if _WHOLE.fullmatch(plain):
        return int(plain)
    number = float(plain)
    return number if abs(number) != float("inf") else None


def speaks_for(digits: str) -> Mark | None:
    """The decimal mark a text can only be read with; None if both will do or neither."""
    if "." not in digits and "," not in digits:
        return None
    readable = _readable(digits)
    return readable[0] if len(readable) == 1 else None


def number_and_unit(text: str) -> tuple[str, str] | None:
    """The parts of a text such as `12.5 kg`; None if it is no such text."""
    found = _WITH_UNIT.fullmatch(text)
    return None if found is None else (found["number"], found["unit"])


def is_ambiguous(digits: str) -> bool:
    """Whether a text says another number under either mark, as `1.234` does."""
    point, comma = value(digits, "."), value(digits, ",")
    return point is not None and comma is not None and point != comma


def common_mark(texts: Iterable[str]) -> Mark | None:
    """The mark that a column of numbers speaks for; None if none, several, or not all are numbers."""
    spoken: set[Mark] = set()
    for text in texts:
        digits = without_signs(text).digits
        if digits.isascii() and digits.isdecimal():
            continue
        readable = _readable(digits)
        if not readable:
            return None
        if len(readable) == 1 and ("." in digits or "," in digits):
            spoken.add(readable[0])
    return spoken.pop() if len(spoken) == 1 else None


def _readable(digits: str) -> list[Mark]:
    """The marks a text can be read with."""
    return [mark for mark, pattern in _PATTERNS.items() if pattern.fullmatch(digits)]
