"""A sentence and a model together: what is proposed, asked or answered. Pure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decision_ai.errors import DataError, ProgramError
from decision_ai.modeling.data import parse_json
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ModelDescription
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.edits import Edit, to_changes
from decision_ai_server.agent.ports import VersionTree
from decision_ai_server.modellers.offline.calls import Command, Move
from decision_ai_server.modellers.offline.generate import Generator
from decision_ai_server.modellers.offline.grammar.readings import Interpretation, interpret
from decision_ai_server.modellers.offline.lexicon import FUNCTION_WORDS
from decision_ai_server.modellers.offline.linking import Linked, link
from decision_ai_server.modellers.offline.meaning import KeepCheck, Meaning, Show
from decision_ai_server.modellers.offline.past import read_past
from decision_ai_server.modellers.offline.phrases import sentence
from decision_ai_server.modellers.offline.selecting_code import NotExpressible
from decision_ai_server.modellers.offline.vocabulary import Vocabulary

_MOST_UNUSED = 4


@dataclass(frozen=True)
class Proposal:
    """One way to carry a sentence out.

    Attributes:
        edits: what changes; empty if the sentence only commands.
        commands: what to do besides, in order; moves to another version come before the edits.
        reading: the sentence as understood.
        unused_words: words that played no part.
        question: what has to be asked instead of proposing.
    """

    edits: tuple[Edit, ...]
    commands: tuple[Command, ...]
    reading: str
    unused_words: tuple[str, ...] = ()
    question: str | None = None


@dataclass(frozen=True)
class Understanding:
    """Everything a sentence may mean here.

    Attributes:
        proposals: best first; empty if it was not understood.
        missed: important words that found no place.
        refusal: why the best reading cannot be carried out, if that is what stands in the way.
        commands: the commands in it, whether or not the rest was understood.
    """

    linked: Linked
    vocabulary: Vocabulary
    proposals: tuple[Proposal, ...]
    missed: tuple[str, ...] = ()
    refusal: str | None = None
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True)
class Subject:
    """The version of a model that a sentence is about; `tree` and `checks` are what else it may speak of."""

    program: Program
    base: Program
    json_data: str
    description: ModelDescription | None
    tree: VersionTree | None = None
    checks: tuple[PlanCheck, ...] = ()

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        past = None if self.tree is None else read_past(self.tree, self.checks)
        return Vocabulary.build(self.program, self.data(), self.description, self.base, past)

    def vocabulary(self) -> Vocabulary:
        """The words of this version."""
        return self._vocabulary

    def first_vocabulary(self) -> Vocabulary:
        """The words of the version that the session began with."""
        if self.tree is None or self.tree.versions[0].id == self.tree.head:
            return self._vocabulary
        first = self.tree.versions[0]
        return Vocabulary.build(first.program, _parsed(first.json_data), None)

    def data(self) -> Any:
        """The parsed data; empty if they cannot be read."""
        return _parsed(self.json_data)


def _parsed(json_data: str) -> Any:
    try:
        return parse_json(json_data)
    except DataError:
        return {}


def understand(text: str, subject: Subject) -> Understanding:
    """Read a sentence; every proposal has been made into changes once, so that it can be."""
    vocabulary = subject.vocabulary()
    linked = link(text, vocabulary)
    proposals: list[Proposal] = []
    refusal = None
    ways = interpret(linked, vocabulary)
    whole = [way for way in ways if _complete(way, linked)]
    # Where the best reading cannot be carried out, one that leaves more words out is no substitute.
    for way in [way for way in whole if way.unused <= whole[0].unused]:
        try:
            proposals.append(_proposal(way, linked, vocabulary, subject))
        except (NotExpressible, ProgramError, DataError) as error:
            refusal = refusal or f"{_reading(way.meanings, vocabulary)} But {error}."
    if not proposals and ways:
        proposals = _lookups(ways[0], vocabulary)
    missed = tuple(linked.tokens[place].text for place in sorted(ways[0].missed)) if ways else ()
    spoken = ways[0].meanings if ways else ()
    commands = tuple(meaning for meaning in spoken if isinstance(meaning, Command))
    return Understanding(linked, vocabulary, tuple(proposals), missed, refusal, commands)


def _complete(way: Interpretation, linked: Linked) -> bool:
    """Whether enough of the sentence was used: everything important, and not just a word or two."""
    if way.missed or not way.readings:
        return False
    used = frozenset().union(*(reading.used for reading in way.readings))
    words = sum(1 for place in used if linked.tokens[place].kind == "word")
    return len(way.unused) <= max(_MOST_UNUSED, 2 * words)


def _proposal(way: Interpretation, linked: Linked, vocabulary: Vocabulary, subject: Subject) -> Proposal:
    meanings = way.meanings
    unclear = [span for span in linked.labels if span.unclear]
    question = way.question
    if unclear:
        names = " or ".join(repr(label) for label in unclear[0].labels)
        question = f"Which do you mean: {names}?"
    question = question or _unknown_attribute(way, linked, vocabulary)
    edits: list[Edit] = []
    commands: list[Command] = []
    if question is None:
        generator = Generator(subject.program, subject.data(), vocabulary, subject.first_vocabulary())
        edits = generator.edits(meanings)
        if edits:
            to_changes(edits, subject.program, subject.json_data)
        commands = _commands(meanings, generator)
    return Proposal(
        edits=tuple(edits),
        commands=tuple(commands),
        reading=_reading(_still_to_do(meanings) if edits else meanings, vocabulary),
        unused_words=tuple(
            linked.tokens[place].text
            for place in sorted(way.unused)
            if linked.tokens[place].word not in FUNCTION_WORDS
        ),
        question=question,
    )


def _commands(meanings: tuple[Meaning, ...], generator: Generator) -> list[Command]:
    """What is to be done besides the edits; moves first, as they say which version is changed."""
    spoken: list[Command] = []
    for meaning in meanings:
        if isinstance(meaning, KeepCheck):
            spoken.append(generator.check(meaning))
        elif isinstance(meaning, Command):
            spoken.append(meaning)
    return sorted(spoken, key=lambda command: not isinstance(command, Move))


def _unknown_attribute(way: Interpretation, linked: Linked, vocabulary: Vocabulary) -> str | None:
    """What to ask where a word that is not known stands before what is limited: "night shifts"."""
    starts = {noun.start for noun in linked.nouns if noun.start not in way.unused}
    for place in sorted(way.unused):
        token = linked.tokens[place]
        if (
            place + 1 in starts
            and token.word not in FUNCTION_WORDS
            and token.stem not in vocabulary.known_stems
        ):
            noun = linked.tokens[place + 1].text
            return f"I do not know what {token.text!r} says about {noun}; which {noun} do you mean?"
    return None


def _lookups(way: Interpretation, vocabulary: Vocabulary) -> list[Proposal]:
    """Where a sentence was not understood as a whole, a question in it may be answered all the same."""
    shows = [meaning for meaning in way.meanings if isinstance(meaning, Show)]
    return [Proposal((), (show,), _reading((show,), vocabulary)) for show in shows[-1:]]


def _still_to_do(meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """What is left once the session is at the version that is to be changed."""
    return tuple(meaning for meaning in meanings if not isinstance(meaning, Move))


def _reading(meanings: tuple[Meaning, ...], vocabulary: Vocabulary) -> str:
    return " ".join(sentence(meaning, vocabulary) for meaning in meanings)
