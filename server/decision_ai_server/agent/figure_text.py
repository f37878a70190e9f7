"""The figures of a text: written with digits here, in English words in `number_words`.

A figure has readings, since "5m" may be metres or millions. Where digits are grouped, the group is the
number: "1 234" is one number, and "1,234" more than a thousand. A single dot is always that of decimals.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from decision_ai_server.agent import number_words

Kind: TypeAlias = Literal["number", "percent", "fraction"]


@dataclass(frozen=True)
class Reading:
    """What a figure may mean.

    Attributes:
        value: its size, without a sign; of a percentage, in percent.
        slack: how far a result may be from it and still round to it: half a unit of its last decimal.
        kind: a number, a percentage, or a fraction such as 1/3.
    """

    value: float
    slack: float
    kind: Kind = "number"


@dataclass(frozen=True)
class FigureInText:
    """A figure and where it stands.

    Attributes:
        text: as written, with a minus where it has one.
        start: where it begins, without a sign.
        end: where it ends.
        sign: -1 or 1 where the text has a sign, else 0.
        readings: what it may mean.
    """

    text: str
    start: int
    end: int
    sign: int
    readings: tuple[Reading, ...]


_NUMBER = r"""(?:
    [1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d)         # 1,234.5
  | [1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d|,\d)       # 12,34,567
  | [1-9]\d{0,2}(?:[ '_]\d{3})+(?:[.,]\d+)?(?!\d)       # 1 234,5
  | [1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?(?!\d|\.\d)     # 1.234.567
  | [1-9]\d{0,2}(?:\.\d{3})+,\d+(?!\d)                  # 1.234,5
  | (?<!\d,)\d+,\d+(?!\d|[,.]\d)                        # 0,5
  | \d+\.\d+ | (?<![\w.])\.\d+ | \d+
)"""
_SCALES = {
    **dict.fromkeys(["k", "thousand", "thousands"], 1e3),
    **dict.fromkeys(["mio", "mn", "mln", "million", "millions"], 1e6),
    **dict.fromkeys(["bn", "bln", "mrd", "billion", "billions"], 1e9),
    **dict.fromkeys(["tn", "trn", "trillion", "trillions"], 1e12),
    **dict.fromkeys(["hundred", "hundreds"], 1e2),
    **dict.fromkeys(["dozen", "dozens"], 12.0),
    **dict.fromkeys(["lakh", "lakhs"], 1e5),
    **dict.fromkeys(["crore", "crores"], 1e7),
    # Digits are read the same in every language, and so has to be what stands behind them.
    **dict.fromkeys(["grand", "tausend", "tsd", "mille", "milliers", "mil", "mila", "duizend", "тыс"], 1e3),
    **dict.fromkeys(["millionen", "millón", "millones", "milhão", "milhões"], 1e6),
    **dict.fromkeys(["milione", "milioni", "miljoen", "млн"], 1e6),
    **dict.fromkeys(["milliarde", "milliarden", "milliard", "milliards", "miljard"], 1e9),
    **dict.fromkeys(["miliardo", "miliardi", "млрд"], 1e9),
}
_WORDS = "|".join(sorted(_SCALES, key=len, reverse=True))
_LETTERS = {"M": 1e6, "MM": 1e6, "m": 1e6, "G": 1e9, "B": 1e9, "T": 1e12}
_UNITS = frozenset("mGBT")
"""Suffixes that are units of measurement as well: metres, gauss, bytes, tesla."""
_PERCENTS = {"%": 1.0, "percent": 1.0, "pct": 1.0, "pp": 1.0, "‰": 0.1, "permille": 0.1, "permil": 0.1}
_PERCENTS |= {"‱": 0.01, "bp": 0.01, "bps": 0.01}
_PERCENT = r"[ -]?(?:%|‰|‱|(?:per[ -]?cent(?:age)?|pct|pp|per[ -]?mill?e?|bps?|basis[ -]points?)(?!\w))"
_MONEY = r"(?:[$€£¥₹₩₽₺₫₴₱฿¢]|EUR|USD|GBP|CHF)"
_FIGURE = re.compile(
    rf"""
    (?P<unit>(?<=[A-Za-z])\^\{{?[23](?!\d|[.,]\d))\}}?     # the exponent of m^2
  | (?P<place>(?<![\w.,/])\d+(?:st|nd|rd|th)(?![^\W_]))   # the 2nd of some
  | (?P<mixed>\d+)[ ]+(?P<of>\d+)\s?/\s?(?P<by>\d+)(?![\d/]|[.,]\d)
  | (?<![\d/.,])(?P<above>\d+)\s?/\s?(?P<below>\d+)(?![\d/]|[.,]\d)
  | (?<![\w.,])(?P<parts>\d+)[ -](?P<part>{number_words.PARTS})(?!\w)
  | (?<![\d.])(?P<base>\d+)\^\{{?(?P<power>[+-]?\d{{1,3}})(?!\d)\}}?
  | (?P<number>{_NUMBER})
    (?P<exponent>[eE][+-]?\d{{1,3}}(?![\w])
      | \s?[x\u00d7\u00b7*]\s?10\s?\^\s?\{{?[+-]?\d{{1,3}}(?!\d)\}}?)?
    (?P<scale>(?:[ -]?{_MONEY}?(?:{_WORDS}|(?-i:MM|[mMBTG]))(?![^\W_]))*)
    (?P<percent>{_PERCENT})?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGN = re.compile(
    rf"(?:(?<![\w)\]%\"'])(?P<attached>[-+\u2212])|(?<![\w)\]%])(?<![\d)\]%]\s)(?<!\b\w\s)(?P<spaced>\u2212)\s"
    rf"|\b(?P<word>minus|negative)\s+)(?:{_MONEY}\s?)?$",
    re.IGNORECASE,
)
_PAID = re.compile(rf"{_MONEY}\s?$")
_PAYS = re.compile(r"[€£¥₹]|(?:EUR|USD|GBP|CHF)(?!\w)")


def figures_in(text: str) -> list[FigureInText]:
    """Every figure of a text that `shown_text.shown` has made plain, in order."""
    matches = (match for match in _FIGURE.finditer(text) if not match["unit"] and not match["place"])
    found = [_of_digits(text, match) for match in matches]
    taken = {position for one in found for position in range(one.start, one.end)}
    for spelled in number_words.spelled_numbers(text):
        if spelled.start not in taken:
            reading = Reading(spelled.value, spelled.slack, spelled.kind)
            found.append(_figure(text, (spelled.start, spelled.end), (reading,)))
    return sorted(found, key=lambda one: one.start)


def _figure(text: str, span: tuple[int, int], readings: tuple[Reading, ...]) -> FigureInText:
    start, end = span
    signed = _SIGN.search(text[max(0, start - 16) : start])
    sign = 0
    if signed is not None:
        sign = 1 if signed["attached"] == "+" else -1
    written = f"{'-' if sign < 0 else ''}{text[start:end].strip()}"
    return FigureInText(written, start, end, sign, readings)


def _of_digits(text: str, match: re.Match[str]) -> FigureInText:
    return _figure(text, match.span(), tuple(_readings(text, match)))


def _readings(text: str, match: re.Match[str]) -> Iterator[Reading]:
    if match["number"]:
        yield from _number_readings(text, match)
    elif match["base"]:
        yield Reading(_power(float(match["base"]), int(match["power"])), 0.0)
    else:
        whole = float(match["mixed"] or 0)
        above = float(match["of"] or match["above"] or match["parts"])
        below = number_words.part_of(match["part"]) if match["part"] else float(match["by"] or match["below"])
        if below:
            yield Reading(whole + above / below, number_words.FRACTION_SLACK, "fraction")


def _number_readings(text: str, match: re.Match[str]) -> Iterator[Reading]:
    value, decimals = _value(match["number"])
    power = int(re.findall(r"[+-]?\d+", match["exponent"])[-1]) if match["exponent"] else 0
    unit = _power(10.0, power)
    paid = _PAID.search(text[max(0, match.start() - 5) : match.start()]) is not None
    paid = paid or _PAYS.match(text, match.end()) is not None
    for factor in _factors(match["scale"], paid):
        size = unit * factor
        slack = 0.5 * (_power(10.0, -decimals) * size if value else min(1.0, _power(10.0, -decimals)))
        if match["percent"]:
            share = _percent_unit(match["percent"])
            yield Reading(value * size * share, slack * share, "percent")
        else:
            yield Reading(value * size, slack)


def _value(text: str) -> tuple[float, int]:
    """The number and how many decimals it has; what is no decimal mark separates thousands."""
    marks = [mark for mark in text if mark in ".,"]
    plain = re.sub(r"[ '_]", "", text)
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}", plain) is not None
    if grouped or (len(marks) > 1 and len(set(marks)) == 1):
        return float(re.sub(r"[.,]", "", plain)), 0
    if not marks:
        return float(plain), 0
    whole, _, decimals = plain.rpartition(marks[-1])
    return float(f"{re.sub(r'[.,]', '', whole) or '0'}.{decimals}"), len(decimals)


def _factors(scale: str, paid: bool) -> list[float]:
    """What the suffixes of a number may multiply it by; a unit of money leaves no doubt about them."""
    factors = [1.0]
    for suffix in re.findall(r"[^\W\d_]+", re.sub(_MONEY, "", scale)):
        times = _LETTERS.get(suffix) or _SCALES[suffix.lower()]
        choices = (1.0, times) if suffix in _UNITS and not paid else (times,)
        factors = [factor * each for factor in factors for each in choices]
    return factors


def _percent_unit(mark: str) -> float:
    word = re.sub(r"[ -]", "", mark).lower()
    if word.startswith("basis"):
        return 0.01
    return _PERCENTS.get(word, 0.1 if word.startswith("permil") else 1.0)


def _power(base: float, exponent: int) -> float:
    try:
        return float(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return float("inf")
