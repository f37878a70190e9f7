"""The names that may have digits in them without stating a figure: of the model, its data and the results."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from decision_ai.errors import DataError
from decision_ai.modeling.data import parse_json
from decision_ai_server.agent import number_words
from decision_ai_server.agent.figure_text import figures_in
from decision_ai_server.agent.shown_text import shown

_LONGEST = 80
"""Characters of a label that counts as a name; longer ones are texts."""
_REACH = 16
"""Word boundaries to look beyond a figure for the name it may be a part of."""
_TOKEN = re.compile(r"(?<!\w)[^\W\d][\w-]*\d[\w-]*(?<!-)")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d\d?:\d\d(?:-\d\d?:\d\d)?")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"([^\W\d]\w*)\s$"), re.compile(r"\s([^\W\d]\w*)")
_WHEN, _YEAR = frozenset({"in", "during", "since", "until", "year"}), re.compile(r"(?:19|20)\d\d")
_CODE = re.compile(r"\d+(?:-[A-Z]|[^\W\d_]+\d)[\w-]*")
_GOES_ON = re.compile(r"\w|[.,' ]?\d|\s?[%‰]")


@dataclass(frozen=True)
class Names:
    """Names as `shown` shows them, in small letters.

    Attributes:
        free: names that are no figure by themselves.
        numbered: labels that begin with a digit, by the words they may follow: the collection they are in.
    """

    free: frozenset[str] = frozenset()
    numbered: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __or__(self, other: "Names") -> "Names":
        words = {*self.numbered, *other.numbered}
        none: frozenset[str] = frozenset()
        merged = {word: self.numbered.get(word, none) | other.numbered.get(word, none) for word in words}
        return Names(self.free | other.free, merged)

    def __sub__(self, other: "Names") -> "Names":
        return Names(self.free - other.free, self.numbered)

    def cover(self, text: str, start: int, end: int) -> bool:
        """Whether a part of a plain text belongs to one of the names there."""
        lower = small(text)
        spans = [(a, b) for a in _boundaries(text, start, -1) for b in _boundaries(text, end, 1)]
        return any(
            (lower[first:last] in self.free and not _GOES_ON.match(lower, last))
            or (lower[first:last] in self._collections and self._is_label(lower, first, last))
            for first, last in spans
        )

    @cached_property
    def _collections(self) -> Mapping[str, frozenset[str]]:
        """Label → the words it may follow."""
        found: dict[str, set[str]] = {}
        for word, labels in self.numbered.items():
            for label in labels:
                found.setdefault(label, set()).add(word)
        return {label: frozenset(words) for label, words in found.items()}

    def _is_label(self, text: str, start: int, end: int) -> bool:
        """Whether a label is used as one: `make[A, 3]`, `period 3`, `in 2026`, `the 24h shift`."""
        label, after = text[start:end], text[end : end + 2 * _LONGEST]
        before = text[max(0, start - 2 * _LONGEST) : start]
        if re.search(r"\w\[[^\[\]\n]{0,80}$", before) and re.match(r"[^\[\]\n]{0,80}\]", after):
            return True
        if _GOES_ON.match(after):
            return False
        words, word, more = self._collections[label], _WORD_BEFORE.search(before), _WORD_AFTER.match(after)
        if word is not None and (word[1] in words or (word[1] in _WHEN and _YEAR.fullmatch(label))):
            return True
        return more is not None and more[1] in words and not label.isdecimal()


def names_of(names: Iterable[str]) -> Names:
    """Names that are given one by one, such as labels and ids."""
    plain = {shown(name).strip() for name in names}
    return Names(frozenset(small(name) for name in plain if _is_free(name)))


def names_in(text: str) -> Names:
    """The words of a text that begin with a letter and have a digit, such as `at_most_4`."""
    return names_of(_TOKEN.findall(shown(text)))


@lru_cache(maxsize=4)
def names_of_data(json_data: str) -> Names:
    """The labels of input data: keys of objects, and strings."""
    try:
        data = parse_json(json_data)
    except DataError:
        return Names()
    numbered: dict[str, set[str]] = {}
    for word, label in _numbered(data, ""):
        for follows in {word, word.removesuffix("s")}:
            numbered.setdefault(follows, set()).add(small(shown(label)))
    free = names_of(label for label in _labels(data) if len(label) <= _LONGEST)
    return free | Names(frozenset(), {word: frozenset(labels) for word, labels in numbered.items()})


def _is_free(name: str) -> bool:
    """Whether a name cannot be taken for a figure with a unit, such as "10 kg" or "twelve"."""
    if not name or _DATE.fullmatch(name):
        return bool(name)
    if _CODE.fullmatch(name):  # 2026-Q1, 4x4, but not 5-Million
        return all(one.end - one.start < len(name) for one in figures_in(name))
    return name[0].isalpha() and name.lower() not in number_words.VOCABULARY


def _labels(value: object) -> Iterator[str]:
    """Every key of an object and every string."""
    match value:
        case dict():
            yield from map(str, value)
            for inner in value.values():
                yield from _labels(inner)
        case list():
            for inner in value:
                yield from _labels(inner)
        case str():
            yield value


def _numbered(value: object, collection: str) -> Iterator[tuple[str, str]]:
    """Collection and label of every key, string of a list and number of a counting list that begins so."""
    match value:
        case dict():
            for key, inner in value.items():
                if key[:1].isdigit() and len(key) <= _LONGEST:
                    yield collection, key
                yield from _numbered(inner, key.lower())
        case list():
            counts = bool(value) and all(
                type(one) is int and one == value[0] + n for n, one in enumerate(value)
            )
            for inner in value:
                if counts or (isinstance(inner, str) and inner[:1].isdigit() and len(inner) <= _LONGEST):
                    yield collection, str(inner)
                elif isinstance(inner, dict | list):
                    yield from _numbered(inner, collection)


def small(text: str) -> str:
    """In small letters, where that leaves the length as it is."""
    return "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)


def _boundaries(text: str, place: int, step: int) -> list[int]:
    """The nearest word boundaries of a text from a place on, that place included if it is one."""
    found: list[int] = []
    while 0 <= place <= len(text) and len(found) < _REACH:
        before, after = text[place - 1 : place], text[place : place + 1]
        if _is_word(before) != _is_word(after):
            found.append(place)
        place += step
    return found


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
