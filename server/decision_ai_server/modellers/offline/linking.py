"""Words to things: which tokens name a label, a subset, a collection, and which carry grammar."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Attribute, Collection
from decision_ai_server.modellers.offline.lexicon import (
    FUNCTION_WORDS,
    KNOWN_WORDS,
    PHRASES,
    STOP_WORDS,
    calendar_short,
    same_noun,
)
from decision_ai_server.modellers.offline.meaning import Subset
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import Token, stem, stems, tokenise

_LEXICON = frozenset(stem(word) for word in KNOWN_WORDS)


@dataclass(frozen=True)
class LabelSpan:
    """Tokens that name one or several labels of a collection.

    Attributes:
        subset: set where a field value was named ("kitchen") rather than labels.
        unclear: several labels are written alike.
    """

    start: int
    stop: int
    collection: int
    labels: tuple[Label, ...]
    subset: Subset | None = None
    unclear: bool = False


@dataclass(frozen=True)
class NounSpan:
    """A token that names a collection ("shifts") or a text field that groups one ("category")."""

    start: int
    stop: int
    collection: int
    group: tuple[str | int, ...] | None = None


@dataclass(frozen=True)
class Mark:
    """Tokens that carry grammar, such as `at_most`."""

    kind: str
    start: int
    stop: int


@dataclass(frozen=True)
class Linked:
    """A sentence with everything that was recognised in it."""

    tokens: tuple[Token, ...]
    labels: tuple[LabelSpan, ...]
    nouns: tuple[NounSpan, ...]
    marks: tuple[Mark, ...]
    corrections: tuple[tuple[str, str], ...]
    """Words read as misspelt, with what they were taken for."""


def link(text: str, vocabulary: Vocabulary) -> Linked:
    """Recognise everything in a sentence that the vocabulary and the lexicon know."""
    known = _LEXICON | vocabulary.known_stems | vocabulary.past.words
    tokens, corrections = _corrected(tokenise(text), vocabulary, known)
    labels = tuple(_without_overlaps(_label_spans(tokens, vocabulary)))
    taken = {place for span in labels for place in range(span.start, span.stop)}
    nouns = tuple(_nouns(tokens, vocabulary, taken))
    marks = tuple(_marks(tokens, taken))
    return Linked(tokens, labels, nouns, marks, corrections)


def _vocabulary_words(vocabulary: Vocabulary) -> dict[str, str]:
    """Canonical part -> a way to write it, for everything a word may be a misspelling of."""
    words: dict[str, str] = {}
    for collection in vocabulary.collections:
        for label in collection.labels:
            words.update((part, part) for part in _parts(label))
        words.update((word, word) for word in collection.words)
    for attribute in vocabulary.attributes:
        words.update((word, word) for word in attribute.words)
        if attribute.kind == "text":
            words.update((part, part) for value in attribute.values.values() for part in _parts(value))
    for family in vocabulary.families:
        words.update((word, word) for word in family.words)
    for rule in vocabulary.rules:
        words.update((word, word) for word in rule.words)
    words.update((word, word) for word in vocabulary.past.words)
    return words


def _corrected(
    tokens: tuple[Token, ...], vocabulary: Vocabulary, known: frozenset[str]
) -> tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]:
    ours = _vocabulary_words(vocabulary)
    candidates = {**{word: word for word in KNOWN_WORDS if len(word) > 4}, **ours}
    result: list[Token] = []
    corrections: list[tuple[str, str]] = []
    for token in tokens:
        plain = token.kind == "word" and len(token.word) >= 4 and "'" not in token.word
        if not plain or token.stem in known or token.stem in ours or _canonical(token) in ours:
            result.append(token)
            continue
        best = _closest(token, candidates, ours)
        if best is None:
            result.append(token)
        else:
            corrections.append((token.text, best))
            result.append(replace(token, word=best, stem=stem(best)))
    return tuple(result), tuple(corrections)


def _closest(token: Token, candidates: Iterable[str], ours: Iterable[str]) -> str | None:
    """The one word a token is a misspelling of: same first letter, one slip, two in a long name."""
    most = 1 if len(token.word) < 8 else 2
    near: list[tuple[int, str]] = []
    for word in candidates:
        if word[:1] != token.word[0] or word.isdigit() or len(word) < 4:
            continue
        if len(token.word) == 4 and len(word) != 5:
            continue
        allowed = most if word in ours else 1
        distance = min(
            OSA.distance(token.word, word, score_cutoff=allowed),
            OSA.distance(token.stem, stem(word), score_cutoff=allowed)
            if len(token.stem) > 4
            else allowed + 1,
        )
        if distance <= allowed:
            near.append((distance, word))
    near.sort()
    if not near or (len({stem(word) for distance, word in near if distance == near[0][0]}) > 1):
        return None
    return near[0][1]


def _parts(label: Label) -> tuple[str, ...]:
    return tuple(calendar_short(token) for token in stems(str(label)))


def _canonical(token: Token) -> str:
    return calendar_short(token.stem if token.kind == "word" and len(token.stem) < 3 else token.word)


def _forms(token: Token) -> frozenset[str]:
    """The ways a token may be written as part of a label."""
    return frozenset({token.stem, token.word, calendar_short(token.word)})


def _matches(token: Token, part: str) -> bool:
    return part in _forms(token)


def _label_spans(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> Iterator[LabelSpan]:
    indexing = {d.collection for family in vocabulary.families for d in family.dimensions}
    order = sorted(range(len(vocabulary.collections)), key=lambda number: number not in indexing)
    for number in order:
        collection = vocabulary.collections[number]
        yield from _exact_labels(tokens, number, collection)
        yield from _partial_labels(tokens, number, collection)
    for attribute in vocabulary.attributes:
        if attribute.kind in ("text", "flag") and len(attribute.collections) == 1:
            yield from _value_spans(tokens, attribute)


def _exact_labels(tokens: tuple[Token, ...], number: int, collection: Collection) -> Iterator[LabelSpan]:
    by_parts: dict[tuple[str, ...], list[Label]] = {}
    for label in collection.labels:
        by_parts.setdefault(_parts(label), []).append(label)
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for parts in by_parts:
        by_first.setdefault(parts[0] if parts else "", []).append(parts)
    for start, token in enumerate(tokens):
        if token.kind == "quoted":
            same = tuple(label for label in collection.labels if str(label).lower() == token.word)
            if same:
                yield LabelSpan(start, start + 1, number, same, unclear=len(same) > 1)
            continue
        for parts in [found for form in _forms(token) for found in by_first.get(form, [])]:
            found, stop = by_parts[parts], _match_parts(tokens, start, parts)
            if stop and not (len(parts) == 1 and _is_function_word(token, found[0])):
                yield LabelSpan(start, stop, number, tuple(found), unclear=len(found) > 1)


def _match_parts(tokens: tuple[Token, ...], start: int, parts: tuple[str, ...]) -> int:
    """Where a label ends that starts at `start`; 0 if it does not. Hyphens and the like do not count."""
    position, matched = start, 0
    while matched < len(parts) and position < len(tokens):
        if _matches(tokens[position], parts[matched]):
            matched += 1
        elif not matched or tokens[position].kind != "punctuation":
            return 0
        position += 1
    return position if parts and matched == len(parts) else 0


def _is_function_word(token: Token, label: Label) -> bool:
    """Whether a token such as "may" is grammar rather than the label "May"; plain numbers are numbers."""
    if token.kind == "number":
        return True
    if token.word not in FUNCTION_WORDS:
        return False
    return token.text.islower() and not str(label).islower()


def _partial_labels(tokens: tuple[Token, ...], number: int, collection: Collection) -> Iterator[LabelSpan]:
    parts_of = {label: _parts(label) for label in collection.labels}
    if not any(len(parts) > 1 for parts in parts_of.values()):
        return
    start = 0
    while start < len(tokens):
        position, labels = start, set(collection.labels)
        while position < len(tokens) and tokens[position].kind == "word":
            token = tokens[position]
            ordinary = token.word in STOP_WORDS or token.stem in collection.words
            fitting = {
                label for label in labels if not ordinary and any(_matches(token, p) for p in parts_of[label])
            }
            if not fitting:
                break
            labels = fitting
            position += 1
        if position > start and len(labels) < len(collection.labels):
            yield LabelSpan(start, position, number, tuple(x for x in collection.labels if x in labels))
        start = max(position, start + 1)


def _value_spans(tokens: tuple[Token, ...], attribute: Attribute) -> Iterator[LabelSpan]:
    number = attribute.collections[0]
    wanted: dict[tuple[str, ...], str | bool] = {}
    if attribute.kind == "flag":
        wanted[attribute.words] = True
    else:
        wanted = {_parts(value): value for value in attribute.values.values() if value}
    for start in range(len(tokens)):
        for parts, value in wanted.items():
            stop = _match_parts(tokens, start, parts)
            if stop and not (len(parts) == 1 and _is_function_word(tokens[start], str(value))):
                subset = Subset(attribute=attribute.path, values=(value,))
                labels = tuple(key[0] for key, found in attribute.values.items() if found == value)
                yield LabelSpan(start, stop, number, labels, subset=subset)


def _without_overlaps(spans: Iterable[LabelSpan]) -> list[LabelSpan]:
    """The longest spans, exact labels before field values before parts of labels."""
    chosen: list[LabelSpan] = []
    taken: set[int] = set()

    def preference(span: LabelSpan) -> tuple[int, int]:
        quality = 0 if len(span.labels) == 1 and span.subset is None else 1 if span.subset is not None else 2
        return span.start - span.stop, quality

    for span in sorted(spans, key=preference):
        places = set(range(span.start, span.stop))
        if not places & taken:
            chosen.append(span)
            taken |= places
    return sorted(chosen, key=lambda span: span.start)


def _nouns(tokens: tuple[Token, ...], vocabulary: Vocabulary, taken: set[int]) -> Iterator[NounSpan]:
    groups = [
        attribute
        for attribute in vocabulary.attributes
        if attribute.kind == "text" and len(attribute.collections) == 1
    ]
    for position, token in enumerate(tokens):
        if position in taken or token.kind != "word":
            continue
        for number, collection in enumerate(vocabulary.collections):
            if token.stem in collection.words or same_noun(token.stem, collection.words):
                yield NounSpan(position, position + 1, number)
        for attribute in groups:
            if token.stem in attribute.words:
                yield NounSpan(position, position + 1, attribute.collections[0], attribute.path)


def _phrase_table() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind, phrases in PHRASES.items():
        for phrase in phrases.split("|"):
            words = tuple(phrase.replace(",", " , ").replace("-", " - ").split())
            table.setdefault(words[0], []).append((words, kind))
    return table


_TABLE = _phrase_table()


def _marks(tokens: tuple[Token, ...], taken: set[int]) -> list[Mark]:
    found: list[Mark] = []
    for start, token in enumerate(tokens):
        for words, kind in _TABLE.get(token.word, []):
            stop = start + len(words)
            same = tuple(token.word for token in tokens[start:stop]) == words
            if same and not taken & set(range(start, stop)) and token.kind != "quoted":
                found.append(Mark(kind, start, stop))
    return [mark for mark in found if not any(_inside(mark, other) for other in found)]


def _inside(mark: Mark, other: Mark) -> bool:
    longer = other.stop - other.start > mark.stop - mark.start
    return longer and other.start <= mark.start and mark.stop <= other.stop
