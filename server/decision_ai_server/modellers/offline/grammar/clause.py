"""One clause with what was linked in it, and how well things of the model fit its words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Attribute, FieldKind
from decision_ai_server.modellers.offline.lexicon import IMPORTANT, STOP_WORDS, related, unit
from decision_ai_server.modellers.offline.linking import LabelSpan, Linked, Mark, NounSpan
from decision_ai_server.modellers.offline.meaning import Filter, Subset
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry, Vocabulary
from decision_ai_server.modellers.offline.words import Token, stems

_LOGIC = ("if", "negation", "nobody", "unless", "between", "both", "instead", "only", "either", "same")
_JOINS = frozenset({"and", "or", ",", "&", "nor", "plus", "with"})


@dataclass(frozen=True)
class Fit:
    """How well a thing fits the words, and which words say so."""

    score: float = 0.0
    used: frozenset[int] = frozenset()
    named: bool = False
    """Whether a word fits the name, not only the description."""


@dataclass(frozen=True)
class Clause:
    """A stretch of tokens; positions are those of the whole sentence."""

    linked: Linked
    vocabulary: Vocabulary
    start: int
    stop: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens of the sentence."""
        return self.linked.tokens

    @property
    def places(self) -> range:
        """The positions of this clause."""
        return range(self.start, self.stop)

    def part(self, start: int, stop: int) -> "Clause":
        """A piece of this clause."""
        return Clause(self.linked, self.vocabulary, max(start, self.start), min(stop, self.stop))

    @cached_property
    def labels(self) -> tuple[LabelSpan, ...]:
        """Label spans in this clause."""
        return tuple(s for s in self.linked.labels if self.start <= s.start and s.stop <= self.stop)

    @cached_property
    def nouns(self) -> tuple[NounSpan, ...]:
        """Names of collections and of grouping fields."""
        return tuple(s for s in self.linked.nouns if self.start <= s.start and s.stop <= self.stop)

    @cached_property
    def _marks(self) -> tuple[Mark, ...]:
        return tuple(s for s in self.linked.marks if self.start <= s.start and s.stop <= self.stop)

    def marks(self, *kinds: str) -> tuple[Mark, ...]:
        """The marks of some kinds, in order."""
        return tuple(mark for mark in self._marks if mark.kind in kinds)

    @cached_property
    def label_places(self) -> frozenset[int]:
        """Positions inside label spans."""
        return places(self.labels)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Positions of numbers and percentages that are not part of a label and do not only repeat a size."""
        found = [
            place
            for place in self.places
            if self.tokens[place].value is not None and place not in self.label_places
        ]
        spoken = self.size_places | places(self.marks("both"))
        return tuple(place for place in found if place not in spoken)

    @cached_property
    def size_places(self) -> frozenset[int]:
        """Numbers that only say how many elements a collection has, as in "all twelve cities"."""
        sizes: set[int] = set()
        for noun in self.nouns:
            size = len(self.vocabulary.collections[noun.collection].labels)
            place = noun.start - 1
            if place > self.start and self.tokens[place].value == size:
                before = self.tokens[place - 1].word
                if before in ("all", "the", "of", "these", "our"):
                    sizes.add(place)
        return frozenset(sizes)

    @cached_property
    def content(self) -> tuple[int, ...]:
        """Positions of words that may name something.

        Words of logic, which descriptions contain too, name something only if a name consists of them.
        """
        names = self.vocabulary.names
        return tuple(
            place
            for place in self.places
            if self.tokens[place].kind == "word"
            and place not in self.label_places
            and self.tokens[place].word not in STOP_WORDS
            and (place not in self._logic or self.tokens[place].stem in names)
        )

    @cached_property
    def _logic(self) -> frozenset[int]:
        return places(self.marks(*_LOGIC))

    @cached_property
    def important(self) -> frozenset[int]:
        """Positions that no reading may leave unused: numbers, labels, comparison, negation."""
        marks = [mark for mark in self._marks if mark.kind in IMPORTANT]
        return places(marks) | self.label_places | frozenset(self.numbers)

    def fit(self, names: Iterable[str], doc: frozenset[str], *, over: Iterable[int] | None = None) -> Fit:
        """How well the words name a thing with these name stems and this description."""
        names = tuple(names)
        units = {unit(word) for word in doc}
        score, used = 0.0, set()
        named = False
        for place in self.content if over is None else over:
            found = self.tokens[place].stem
            word = self.tokens[place].word
            if "_" in word and tuple(stems(word)) == names:
                gain, named = 4.0, True
            elif found in names:
                gain, named = 4.0 / len(names), True
            elif any(related(found, name) for name in names):
                gain, named = 2.0 / len(names), True
            elif place not in self._logic and (
                found in doc or (unit(found) != found and unit(found) in units)
            ):
                gain = 0.8
            else:
                continue
            used.add(place)
            score += gain
        return Fit(min(score, 5.0), frozenset(used), named)

    def attributes(self, kind: FieldKind = "number") -> list[tuple[Fit, Attribute]]:
        """The fields that the words may name, best first."""
        rated = [
            (self.fit(attribute.words, attribute.doc), attribute)
            for attribute in self.vocabulary.attributes
            if attribute.kind == kind
        ]
        return sorted((pair for pair in rated if pair[0].score > 0), key=lambda pair: -pair[0].score)

    def families(self, needed: Iterable[int]) -> list[tuple[Fit, FamilyEntry]]:
        """The families with all the needed collections among their indices, best first."""
        wanted = set(needed)
        rated = []
        for family in self.vocabulary.families:
            indices = [dimension.collection for dimension in family.dimensions]
            if wanted <= set(indices):
                fit = self.fit(family.words, family.doc)
                spare = 0.05 * (len(indices) - len(wanted))
                rated.append((Fit(fit.score - spare, fit.used, fit.named), family))
        return sorted(rated, key=lambda pair: -pair[0].score)

    def label_filters(self) -> dict[int, Filter]:
        """Collection -> what its spans in this clause say together."""
        return {
            number: filter_of([s for s in self.labels if s.collection == number], self)
            for number in dict.fromkeys(span.collection for span in self.labels)
        }


def places(spans: Iterable[LabelSpan | NounSpan | Mark]) -> frozenset[int]:
    """All token positions of some spans."""
    return frozenset(place for span in spans for place in range(span.start, span.stop))


def filter_of(spans: list[LabelSpan], clause: Clause) -> Filter:
    """Spans of one collection together: a list is a union, side by side they restrict each other."""
    result = _single(spans[0])
    labels = set(spans[0].labels)
    for before, span in pairwise(spans):
        between = {clause.tokens[place].word for place in range(before.stop, span.start)}
        both = labels & set(span.labels)
        if between & _JOINS or not both:
            labels |= set(span.labels)
            result = _union(result, span, _ordered(labels, span, clause))
        else:
            labels = both
            result = _intersection(result, span, _ordered(labels, span, clause))
    return result


def _single(span: LabelSpan) -> Filter:
    return Filter(labels=span.labels) if span.subset is None else Filter(subsets=(span.subset,))


def _ordered(labels: set[Label], span: LabelSpan, clause: Clause) -> tuple[Label, ...]:
    return tuple(label for label in clause.vocabulary.collections[span.collection].labels if label in labels)


def _union(result: Filter, span: LabelSpan, labels: tuple[Label, ...]) -> Filter:
    subsets = result.subsets
    same_field = (
        span.subset is not None
        and result.labels is None
        and len(subsets) == 1
        and subsets[0].attribute == span.subset.attribute
    )
    if same_field and span.subset is not None:
        values = tuple(dict.fromkeys((*subsets[0].values, *span.subset.values)))
        return Filter(subsets=(Subset(attribute=span.subset.attribute, values=values),))
    return Filter(labels=labels)


def _intersection(result: Filter, span: LabelSpan, labels: tuple[Label, ...]) -> Filter:
    if len(labels) == 1 or (result.labels is not None and span.subset is None):
        return Filter(labels=labels)
    extra = () if span.subset is None else (span.subset,)
    return Filter(
        labels=result.labels if span.subset is not None else span.labels,
        subsets=tuple(dict.fromkeys((*result.subsets, *extra))),
    )
