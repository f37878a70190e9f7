"""Which figures of a text nothing supports: figures come from tools, a language model chooses only words.

A figure is supported by the typed figures and the outputs of this turn's calls, by what the person said in
it, and by changes that were approved in it. Numbers in a call's output that the call itself brought along do
not count: a tool that repeats a wrong argument has not confirmed it. Earlier turns do not count either.

The rule of rounding: a figure with d decimals and a suffix worth s is supported by a result r if r / s,
rounded at d decimals, is that figure (halves up or to even): 104, 104.4 and 0.1k by 104.37, but 104.5 is not.
Spelled numbers have no decimals, fractions two, and "twice" has one. A percentage is looked for among
percentages and shares only (a share of 0.25 is 25%), never among other numbers. A text may leave out the
minus of a result, but it may not have a sign that the result has not.

What is no claim is not looked at: digits in a name that the model, its data, the results or the person have
("at_most_4", "Tour 3"), a label that is a bare number where it is used as one (`make[3]`, "period 3" of
`periods`), the numbers of a numbered list or of numbered options, a place ("the 2nd"), an exponent of a unit
(m²), and "one" as a pronoun. Nor is a count of things that the text or a result lists by name. A word that
merely resembles a number (Roman numerals in Latin letters) and number words of other languages are not found.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from decision_ai_server.agent.figure_text import FigureInText, Kind, Reading, figures_in
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.known_names import Names, names_in
from decision_ai_server.agent.list_marks import list_marks
from decision_ai_server.agent.listed import Listed, counts_at, lines_counted, side_by_side
from decision_ai_server.agent.shown_text import shown

_PERCENT_WORDS = frozenset({"percent", "percentage", "pct"})
_SHARE_WORDS = frozenset({"share", "gap", "fraction", "ratio", "rate", "utilisation", "utilization"})
_EXACT, _RELATIVE = 1e-9, 1e-15
_PLAIN = re.compile(r"(?<!\w)\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_IN_NAME = re.compile(r"[^\W\d]$")


@dataclass(frozen=True)
class Numbers:
    """The numbers that a text or a result has.

    Attributes:
        plain: with their signs; a percentage is here as it is and as a share.
        percents: percentages, in percent.
    """

    plain: frozenset[float] = frozenset()
    percents: frozenset[float] = frozenset()

    def __or__(self, other: "Numbers") -> "Numbers":
        return Numbers(self.plain | other.plain, self.percents | other.percents)

    def __sub__(self, other: "Numbers") -> "Numbers":
        return Numbers(self.plain - other.plain, self.percents - other.percents)


@dataclass(frozen=True)
class Allowed:
    """What a text may say.

    Attributes:
        numbers: the numbers of results and of the person.
        names: what may contain digits without being a figure.
        counts: how many things the lists of results have.
    """

    numbers: Numbers = field(default_factory=Numbers)
    names: Names = field(default_factory=Names)
    counts: frozenset[int] = frozenset()

    def with_text(self, text: str) -> "Allowed":
        """The same with the numbers and names of another text."""
        return replace(self, numbers=self.numbers | numbers_in(text), names=self.names | names_in(text))

    def with_lists(self, text: str) -> "Allowed":
        """The same with the counts of the lists in the text of a result."""
        plain, names = shown(text), self.names.free
        counts = {one.count for one in side_by_side(plain, names)} | lines_counted(plain, names)
        return replace(self, counts=self.counts | counts)

    def with_value(self, value: object) -> "Allowed":
        """The same with the numbers and names in a JSON-ready value, such as the input of a call."""
        return self.with_text("\n".join(texts_of(value)))

    def has(self, value: float) -> bool:
        """Whether a number is exactly one of those that a result or the person has."""
        return self.supports(Reading(abs(value), _EXACT * abs(value)), -1 if value < 0 else 0)

    def supports(self, reading: Reading, sign: int) -> bool:
        """Whether a number rounds to what is read; without a sign in the text, its own does not matter."""
        return self._tables[reading.kind].near(reading, sign)

    @cached_property
    def _tables(self) -> dict[Kind, "_Sorted"]:
        plain, percents = self.numbers.plain, self.numbers.percents
        shares = plain | {value / 100 for value in percents}
        return {"number": _Sorted(plain), "percent": _Sorted(percents), "fraction": _Sorted(shares)}


def numbers_in(text: str) -> Numbers:
    """Every number that a text of a tool or of the person has, in each way it can be read.

    What follows a letter directly is a part of a name: "B2" does not say two.
    """
    plain: set[float] = set()
    percents: set[float] = set()
    read = shown(text)
    for figure in figures_in(read):
        if _IN_NAME.search(read[max(0, figure.start - 1) : figure.start]):
            continue
        for reading in figure.readings:
            value = reading.value * (figure.sign or 1)
            plain.add(value)
            if reading.kind == "percent":
                percents.add(value)
                plain.add(value / 100)
    plain |= {float(digits) for digits in _PLAIN.findall(text)}
    return Numbers(frozenset(filter(math.isfinite, plain)), frozenset(filter(math.isfinite, percents)))


def texts_of(value: object) -> Iterator[str]:
    """Every key and every value of a JSON-ready value, each as it reads: in JSON a line break is a letter."""
    match value:
        case dict():
            yield from map(str, value)
            for inner in value.values():
                yield from texts_of(inner)
        case list() | tuple():
            for inner in value:
                yield from texts_of(inner)
        case _:
            yield str(value)


def numbers_of(figures: Mapping[str, Figure]) -> Numbers:
    """The numbers of a typed result; what its fields are called tells which are percentages or shares."""
    found = Numbers()
    for name, figure in figures.items():
        if isinstance(figure, str):
            found |= numbers_in(figure)
        elif math.isfinite(figure):
            found |= _typed(name, float(figure))
    return found


def _typed(name: str, value: float) -> Numbers:
    words = set(re.findall(r"[a-z]+", name.lower()))
    if words & _PERCENT_WORDS:
        return Numbers(frozenset({value, value / 100}), frozenset({value}))
    if words & _SHARE_WORDS:
        return Numbers(frozenset({value}), frozenset({value * 100}))
    return Numbers(frozenset({value}))


def unsupported(text: str, allowed: Allowed) -> list[str]:
    """The figures of a text that nothing supports, each once, in order.

    Args:
        text: what an assistant wants to say, its placeholders filled.
        allowed: what it may say.
    """
    plain = shown(text)
    marks = list_marks(plain)
    wrong = [
        one
        for one in figures_in(plain)
        if one.start not in marks
        and not any(allowed.supports(reading, one.sign) for reading in one.readings)
        and not allowed.names.cover(plain, one.start, one.end)
    ]
    lists = side_by_side(plain, allowed.names.free) if wrong else []
    return list(dict.fromkeys(one.text for one in wrong if not _is_count(plain, one, allowed, lists)))


def _is_count(text: str, figure: FigureInText, allowed: Allowed, lists: Sequence[Listed]) -> bool:
    """Whether a figure counts what the text lists, or what a result lists."""
    counts = counts_at(text, (figure.start, figure.end), lists, allowed.counts)
    value = {reading.value for reading in figure.readings if reading.kind == "number"}
    return figure.sign == 0 and len(figure.readings) == 1 and not value.isdisjoint(counts)


class _Sorted:
    """Numbers in order, to look one up in an interval."""

    def __init__(self, values: Iterable[float]) -> None:
        self._signed = sorted(values)
        self._sizes = sorted(map(abs, self._signed))

    def near(self, reading: Reading, sign: int) -> bool:
        """Whether one of the numbers is as far from what is read as it may be, or nearer."""
        centre = reading.value * (sign or 1)
        reach = reading.slack * (1 + _EXACT) + _RELATIVE * abs(centre)
        if not math.isfinite(centre + reach):
            return False
        values: Sequence[float] = self._signed if sign else self._sizes
        at = bisect_left(values, centre - reach)
        return at < len(values) and values[at] <= centre + reach
