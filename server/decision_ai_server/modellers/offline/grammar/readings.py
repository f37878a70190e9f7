"""The choice among readings: where a sentence is cut, and which reading each piece gets."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from decision_ai_server.modellers.offline.grammar.choices import read_choices
from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.commands import read_commands, read_questions
from decision_ai_server.modellers.offline.grammar.comparisons import read_comparisons
from decision_ai_server.modellers.offline.grammar.data_edits import read_data_edits
from decision_ai_server.modellers.offline.grammar.goals import read_goals
from decision_ai_server.modellers.offline.grammar.kept_checks import read_check_questions, read_kept_checks
from decision_ai_server.modellers.offline.grammar.limits import read_limits
from decision_ai_server.modellers.offline.grammar.moves import read_moves
from decision_ai_server.modellers.offline.grammar.priorities import read_priorities
from decision_ai_server.modellers.offline.grammar.remarks import read_remarks
from decision_ai_server.modellers.offline.grammar.resets import read_resets
from decision_ai_server.modellers.offline.grammar.rules import read_rules
from decision_ai_server.modellers.offline.linking import Linked
from decision_ai_server.modellers.offline.meaning import Meaning, Reading
from decision_ai_server.modellers.offline.vocabulary import Vocabulary

_MOST_TOKENS = 120
_MOST_CUTS = 9
_CUTS = frozenset({",", ";", ".", "!", "?", ":", "-", "\u2013", "\u2014", "and", "but", "then"})
_SENTENCE_ENDS = frozenset({".", "!", "?", ";"})
_ASKING = frozenset(
    [
        "how",
        "what",
        "which",
        "who",
        "where",
        "when",
        "why",
        "is",
        "are",
        "does",
        "whats",
        "what's",
        "am",
        "was",
        "were",
        "whose",
        "whom",
    ]
)
_Recogniser = Callable[[Clause], Iterator[Reading]]
_ON_QUESTIONS: tuple[_Recogniser, ...] = (read_questions, read_comparisons, read_check_questions)
_ON_ORDERS: tuple[_Recogniser, ...] = (
    read_commands,
    read_moves,
    read_comparisons,
    read_resets,
    read_kept_checks,
    read_priorities,
    read_remarks,
    read_rules,
    read_limits,
    read_choices,
    read_data_edits,
    read_goals,
)


@dataclass(frozen=True)
class Interpretation:
    """A whole sentence read.

    Attributes:
        readings: one for each piece that says something.
        missed: positions of important words that no reading uses; with any, nothing is proposed.
        unused: positions of other words that no reading uses.
    """

    readings: tuple[Reading, ...]
    missed: frozenset[int]
    unused: frozenset[int]
    cuts: int = 0

    @property
    def cost(self) -> tuple[int, int, int]:
        """Smaller is better."""
        rank = sum(reading.rank for reading in self.readings)
        return len(self.missed), rank + len(self.unused), self.cuts

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """All meanings, in order."""
        return tuple(meaning for reading in self.readings for meaning in reading.meanings)

    @property
    def question(self) -> str | None:
        """What has to be asked before anything is proposed."""
        return next((reading.question for reading in self.readings if reading.question), None)


def interpret(linked: Linked, vocabulary: Vocabulary) -> list[Interpretation]:
    """The ways to read a sentence, best first; empty if it is too long to read."""
    if len(linked.tokens) > _MOST_TOKENS:
        return []
    pieces = _pieces(linked)
    whole = [_of_piece(linked, vocabulary, *piece) for piece in _spans(pieces)]
    found = dict(zip(_spans(pieces), whole, strict=True))
    best: dict[int, Interpretation] = {0: Interpretation((), frozenset(), frozenset())}
    for stop in range(1, len(pieces) + 1):
        options = [
            _joined(best[start], found[pieces[start][0], pieces[stop - 1][1]][0]) for start in range(stop)
        ]
        best[stop] = min(options, key=lambda option: option.cost)
    alternatives = found[pieces[0][0], pieces[-1][1]] if pieces else []
    ways = [best[len(pieces)], *(way for way in alternatives if way.readings)]
    different = [
        way for place, way in enumerate(ways) if all(way.meanings != w.meanings for w in ways[:place])
    ]
    return sorted(different, key=lambda way: way.cost)[:3]


def is_question(clause: Clause) -> bool:
    """Whether a clause asks rather than orders; "can you …" and "what leaves A must …" order."""
    words = [
        clause.tokens[place].word for place in clause.places if clause.tokens[place].kind != "punctuation"
    ]
    last = clause.tokens[clause.stop - 1].word if clause.stop > clause.start else ""
    if not words:
        return False
    if words[0] in ("can", "could", "would", "will", "please", "may") and {*words[:2]} & {"you", "i", "we"}:
        return False
    if words[0] in _ASKING:
        return last == "?" or not clause.marks("must", "may")
    return last == "?"


def _pieces(linked: Linked) -> list[tuple[int, int]]:
    """Neighbouring stretches between possible cuts; too many are joined at the end."""
    pieces: list[tuple[int, int]] = []
    start = 0
    inside = {place for span in linked.labels for place in range(span.start, span.stop)}
    for place, token in enumerate(linked.tokens):
        if token.word in _CUTS and token.kind != "quoted" and place not in inside:
            if place > start and len(pieces) < _MOST_CUTS:
                end = place + 1 if token.word == "?" else place
                pieces.append((start, end))
                start = place + 1
            elif place == start:
                start = place + 1
    if start < len(linked.tokens):
        pieces.append((start, len(linked.tokens)))
    return pieces


def _spans(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(first[0], last[1]) for index, first in enumerate(pieces) for last in pieces[index:]]


def _of_piece(linked: Linked, vocabulary: Vocabulary, start: int, stop: int) -> list[Interpretation]:
    """Every reading of one piece, best first; one without a reading if there is none."""
    clause = Clause(linked, vocabulary, start, stop)
    content = frozenset(clause.content)
    nothing = Interpretation((), clause.important, content - clause.important, cuts=1)
    aside = [mark.start for mark in clause.marks("concession")]
    if start in aside:
        return [Interpretation((), frozenset(), content, cuts=1)]
    if _crosses_sentences(linked, start, stop) or any(_begins_piece(linked, place) for place in aside):
        return [nothing]
    recognisers = _ON_QUESTIONS if is_question(clause) else _ON_ORDERS
    found = [
        Interpretation(
            (reading,), clause.important - reading.used, content - reading.used - clause.important, cuts=1
        )
        for recogniser in recognisers
        for reading in recogniser(clause)
    ]
    return sorted([*found, nothing], key=lambda option: (option.cost[0], not option.readings, option.cost))


def _begins_piece(linked: Linked, place: int) -> bool:
    return place > 0 and linked.tokens[place - 1].word in _CUTS


def _crosses_sentences(linked: Linked, start: int, stop: int) -> bool:
    return any(linked.tokens[place].word in _SENTENCE_ENDS for place in range(start, stop - 1))


def _joined(before: Interpretation, piece: Interpretation) -> Interpretation:
    return Interpretation(
        (*before.readings, *piece.readings),
        before.missed | piece.missed,
        before.unused | piece.unused,
        before.cuts + piece.cuts,
    )
