"""How many things a text lists by their names: "Ana, Ben and Cem" are three, and so are the lines of a list.

Counting what stands there is no arithmetic, so such a count needs no tool. It has to stand in front of the
things, or be about a list that a result shows, and be followed by what it counts.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

from decision_ai_server.agent.known_names import small

_CLAUSE = re.compile(r"(?:[^\n:;()!?.]|\.(?!\s|$))+")
_BETWEEN = re.compile(r",?\s+(?:and|or|&)\s+|,\s*")
_MARKS = " '\"\u201c\u201d"
_LINE = re.compile(r"(?P<indent>\s*)(?P<bullet>[-*\u2022]\s+)?(?P<text>\S.*)")
_COUNTED = re.compile(r"\s+[^\W\d_]{3}")
_ALL = re.compile(r"\ball\s$", re.IGNORECASE)
_FIRST_LETTER, _LAST_LETTER = re.compile(r"(?<!\w)\w"), re.compile(r"\w(?!\w)")
_LONGEST = 80
"""Characters of a name."""
_REACH = 60
"""Characters between a count and the things that are counted."""


@dataclass(frozen=True)
class Listed:
    """Things that stand side by side in a text.

    Attributes:
        start: where the first one begins, or the list of it.
        end: where the last one ends.
        count: how many they are.
    """

    start: int
    end: int
    count: int


def side_by_side(text: str, names: Collection[str]) -> list[Listed]:
    """The enumerations of a plain text whose members are names; the names are in small letters."""
    return [one for clause in _CLAUSE.finditer(text) for one in _in_clause(clause, names)]


def lines_counted(text: str, names: Collection[str]) -> set[int]:
    """How many lines each list of a plain text has: lines with bullets, or with a name at their beginning."""
    kinds = [_kind(line, names) for line in text.splitlines()]
    groups = [len(list(group)) for kind, group in groupby(kinds) if kind is not None]
    return {length for length in groups if length > 1}


def counts_at(
    text: str, span: tuple[int, int], lists: Collection[Listed], shown: Collection[int] = ()
) -> set[int]:
    """What a figure of a plain text may count.

    Args:
        text: the text.
        span: where the figure begins and ends.
        lists: what stands side by side in the text.
        shown: counts of lists that are elsewhere.
    """
    start, end = span
    counts = {one.count for one in lists if 0 <= one.start - end <= _REACH} | set(shown)
    before = {one.count for one in lists if 0 <= start - one.end <= len(", all ")}
    return (counts if _COUNTED.match(text, end) else set()) | (
        before if _ALL.search(text, 0, start) else set()
    )


def _in_clause(clause: re.Match[str], names: Collection[str]) -> Iterator[Listed]:
    text = small(clause[0])
    gaps = list(_BETWEEN.finditer(text))
    pieces = zip([0, *(gap.end() for gap in gaps)], [*(gap.start() for gap in gaps), len(text)], strict=True)
    start, end, count = 0, 0, 0

    def listed() -> Iterator[Listed]:
        if count > 1:
            yield Listed(clause.start() + start, clause.start() + end, count)

    for first, last in pieces:
        piece = text[first:last]
        goes_on = count > 0 and _begins(piece, names)
        if goes_on:
            end, count = last, count + 1
        if goes_on and piece.strip(_MARKS) in names:
            continue
        yield from listed()
        begins = _name_at_end(piece, names)
        start, end, count = (0, 0, 0) if begins is None else (first + begins, last, 1)
    yield from listed()


def _begins(piece: str, names: Collection[str]) -> bool:
    piece = piece.lstrip(_MARKS)[:_LONGEST]
    return any(piece[: word.end()] in names for word in _LAST_LETTER.finditer(piece))


def _name_at_end(piece: str, names: Collection[str]) -> int | None:
    """Where a name begins that ends a piece."""
    piece = piece.rstrip(_MARKS)
    starts = (word.start() for word in _FIRST_LETTER.finditer(piece, max(0, len(piece) - _LONGEST)))
    return next((start for start in starts if piece[start:] in names), None)


def _kind(line: str, names: Collection[str]) -> tuple[str, bool] | None:
    """What the lines of one list have in common; None for a line that is of no list."""
    match = _LINE.match(line)
    if match is None:
        return None
    if match["bullet"] or _begins(small(match["text"]), names):
        return match["indent"], bool(match["bullet"])
    return None
