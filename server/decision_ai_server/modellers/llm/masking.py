"""Taking labels and numbers out of a text that leaves, and putting labels back into what comes.

Every label has a stand-in such as `⟦label 3⟧`, the same in every request; a number becomes `⟦number⟧`.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from decision_ai.modeling.data import canonical_json

NUMBER = "⟦number⟧"
_STAND_IN = re.compile(r"⟦label \d+⟧")
_HALF = re.compile(r"⟦(?:l|la|lab|labe|label|label \d*)?")
_NUMBER = re.compile(r"\d+(?:[.,_]\d+)*(?:[eE][+-]?\d+)?")
_CUT = re.compile(r"\w+(?=…)")
"""What is left of a word that an output cut off: it may be half a label."""
_NAME = re.compile(r"\w+")
_RUN = re.compile(r"[A-Za-z0-9]{1,40}")
_LEAST_FOLDED = 3
"""Shorter labels, such as `A`, are told from words by their case."""
_LONG = 40
"""Of a longer text, a beginning of this length counts as the text: outputs cut long texts."""


class Mask:
    """Masks what leaves and restores what comes; by default it changes nothing."""

    def __init__(
        self,
        labels: Mapping[str, str] | None = None,
        names: frozenset[str] = frozenset(),
        *,
        numbers: bool = False,
    ) -> None:
        """Prepare the look-up.

        Args:
            labels: label → its stand-in.
            names: identifiers that stay.
            numbers: whether numbers go.
        """
        self._labels = {stand_in: label for label, stand_in in (labels or {}).items()}
        self._names, self._numbers = names, numbers
        self._index: dict[str, list[tuple[str, str]]] = {}
        for label, stand_in in (labels or {}).items():
            for written in _spellings(label):
                self._index.setdefault(_key(written, 0), []).append((written, stand_in))
        for entries in self._index.values():
            entries.sort(key=lambda entry: (-len(entry[0]), entry))

    def text(self, text: str) -> str:
        """A text that tells about the data or about results, as it may leave."""
        masked = self._masked(text, numbers=self._numbers)
        return _CUT.sub("", masked) if self._labels else masked

    def code(self, text: str) -> str:
        """A piece of the program as it may leave: its numbers are its own."""
        return self._masked(text, numbers=False)

    def given(self, value: Any) -> Any:
        """The input of a call as it may leave; its numbers are what the language model wrote."""
        return mapped(value, self.code)

    def put_back(self, value: Any) -> Any:
        """The input of a call as the language model meant it.

        Inside a string of code a label is escaped: whatever it holds, it stays the content of that string.
        """
        return mapped(value, self._meant)

    def said(self, text: str) -> str:
        """What the language model says to the person, with the labels in it."""
        return _STAND_IN.sub(lambda found: self._label(found.group()), text)

    def split(self, text: str) -> tuple[str, str]:
        """What can be told of a text that still comes, and the beginning of a stand-in at its end."""
        start = text.rfind("⟦")
        half = self._labels and start >= 0 and _HALF.fullmatch(text, start)
        return (text[:start], text[start:]) if half else (text, "")

    def _meant(self, text: str) -> str:
        if _STAND_IN.fullmatch(text):
            return self._label(text)
        if not self._labels or _STAND_IN.search(text) is None:
            return text
        # Python has no ⟦ outside of strings and comments: code that parses has its stand-ins in there.
        inside = _escaped if _parses(text) else repr
        return _STAND_IN.sub(lambda found: inside(self._label(found.group())), text)

    def _label(self, stand_in: str) -> str:
        return self._labels.get(stand_in, stand_in)

    def _masked(self, text: str, *, numbers: bool) -> str:
        return "".join(self._pieces(text, numbers=numbers)) if self._labels or numbers else text

    def _pieces(self, text: str, *, numbers: bool) -> Iterator[str]:
        place = 0
        while place < len(text):
            size, piece = self._piece(text, place, numbers=numbers)
            yield piece
            place += size

    def _piece(self, text: str, place: int, *, numbers: bool) -> tuple[int, str]:
        """How much of the text comes next as one piece, and what goes out for it."""
        name = _NAME.match(text, place)
        if name and name.group() in self._names and not (place and _is_word(text[place - 1])):
            return len(name.group()), name.group()
        found = self._found(text, place, numbers=numbers)
        if found is not None:
            return found
        number = _NUMBER.match(text, place) if numbers else None
        if number:
            return len(number.group()), NUMBER
        key = _key(text, place)
        return len(key), text[place : place + len(key)]

    def _found(self, text: str, place: int, *, numbers: bool) -> tuple[int, str] | None:
        """The longest label that begins at a place: how long it is there, and its stand-in.

        Where numbers stay, one is a label in quotes only.
        """
        quoted = numbers or text[place - 1 : place] in ("'", '"')
        for written, stand_in in self._index.get(_key(text, place), ()):
            size = _agreeing(text, place, written)
            whole = size == len(written) and not _goes_on(text, place + size)
            if (whole or size >= _LONG) and (quoted or not _NUMBER.fullmatch(written)):
                return size, stand_in
        return None


def _spellings(label: str) -> Iterable[str]:
    """A label as texts write it: as it is, and with the escapes of Python and JSON."""
    plain = label.encode("unicode_escape").decode("ascii")
    return {label, repr(label)[1:-1], canonical_json(label)[1:-1], plain}


def _key(text: str, place: int) -> str:
    """What a label is looked up by: the ASCII letters and digits it begins with, or its first character."""
    run = _RUN.match(text, place)
    return run.group().lower() if run else text[place]


def _agreeing(text: str, place: int, written: str) -> int:
    """How many characters of a label stand at a place; short labels count in their own case only."""
    folded = len(written) >= _LEAST_FOLDED
    size = 0
    for one, other in zip(text[place : place + len(written)], written, strict=False):
        if one != other and not (folded and one.lower() == other.lower()):
            break
        size += 1
    return size


def _goes_on(text: str, end: int) -> bool:
    """Whether a word that ends before a place goes on there; scripts without spaces have no such words."""
    return end < len(text) and bool(_RUN.match(text, end - 1)) and bool(_RUN.match(text, end))


def _is_word(character: str) -> bool:
    return bool(_NAME.match(character))


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every string in it changed, keys too."""
    match value:
        case str():
            return change(value)
        case dict():
            return {mapped(key, change): mapped(inner, change) for key, inner in value.items()}
        case list():
            return [mapped(inner, change) for inner in value]
    return value


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _escaped(label: str) -> str:
    """A label as the content of any string literal: without quotes, braces, backslashes and line ends."""
    return "".join(
        letter if letter.isalnum() or letter in " _-.,:;/()[]+*" else _escape(ord(letter)) for letter in label
    )


def _escape(code_point: int) -> str:
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
