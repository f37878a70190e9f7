"""Whole clauses by pattern: orders about versions and checks have a fixed wording around a free name."""

import re
from dataclasses import dataclass
from functools import cached_property

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.words import number_text

_BEFORE = (
    "please|now|ok|okay|then|and|also|so|just|let|lets|let us|can you|could you|can we|could we|can i|"
    "would you|will you|i want to|i want you to|i'd like to|i would like to|we want to|we should|i think|"
    "actually|hmm|well|oh|no|right|first|again|sorry|oops"
)
_AFTER = r"please|now|again|for now|then|first|instead|after all|thanks|for me|\?|!"


@dataclass(frozen=True)
class Spoken:
    """The words of a clause as one line, and where in it each token stands.

    Attributes:
        text: lower case, one blank between tokens; numbers as digits, what is quoted in one piece.
        spans: token position, first and last character.
    """

    text: str
    spans: tuple[tuple[int, int, int], ...]
    clause: Clause

    def match(self, pattern: re.Pattern[str]) -> "Found | None":
        """Match the whole clause, politeness aside."""
        found = pattern.fullmatch(self.text)
        return None if found is None else Found(self, found)


@dataclass(frozen=True)
class Found:
    """A pattern that matched a whole clause."""

    spoken: Spoken
    match: re.Match[str]

    def said(self, group: str) -> str | None:
        """What a group matched, in lower case; None if it took no part."""
        key = self._key(group)
        return None if key is None else self.match.group(key)

    def _key(self, group: str) -> str | None:
        """The group of that name in the alternative that matched."""
        known = self.match.groupdict().items()
        return next((key for key, text in known if text and key.startswith(f"{group}_")), None)

    def part(self, group: str) -> Clause:
        """The words of a group as a clause of their own; empty if it took no part."""
        key = self._key(group)
        start, stop = (0, 0) if key is None else self.match.span(key)
        inside = [place for place, first, last in self.spoken.spans if first < stop and last > start]
        clause = self.spoken.clause
        return clause.part(inside[0], inside[-1] + 1) if inside else clause.part(clause.start, clause.start)

    def name(self, group: str) -> str:
        """What a group matched, as the person wrote it."""
        part = self.part(group)
        text = " ".join(part.tokens[place].text for place in part.places)
        return re.sub(r" ?([-_./]) ?", r"\1", text)

    @cached_property
    def used(self) -> frozenset[int]:
        """Every place of the clause: all its words are explained."""
        return frozenset(self.spoken.clause.places)


def pattern(*alternatives: str) -> re.Pattern[str]:
    """A pattern of whole clauses; each alternative may have its own groups of the same names."""
    joined = "|".join(
        re.sub(r"\(\?P<(\w+)>", rf"(?P<\1_{number}>", alternative)
        for number, alternative in enumerate(alternatives)
    )
    return re.compile(rf"(?:(?:{_BEFORE})(?: ,)? )*(?:{joined})(?:(?: ,)? (?:{_AFTER}))*")


def spoken(clause: Clause) -> Spoken:
    """A clause as text for patterns."""
    words: list[str] = []
    spans: list[tuple[int, int, int]] = []
    position = 0
    for place in clause.places:
        token = clause.tokens[place]
        word = token.word
        if token.kind == "number":
            word = number_text(token.value or 0.0)
        elif token.kind == "quoted":
            word = re.sub(r"\s", "_", f'"{word}"')
        words.append(word)
        spans.append((place, position, position + len(word)))
        position += len(word) + 1
    return Spoken(" ".join(words), tuple(spans), clause)
