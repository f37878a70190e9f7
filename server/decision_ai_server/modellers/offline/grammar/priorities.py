"""How much a rule matters: "make the budget rule soft with priority B", "make it hard again"."""

from collections.abc import Iterator, Sequence

from decision_ai.client.schemas.components import Priority
from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.naming_parts import either, named
from decision_ai_server.modellers.offline.grammar.patterns import Found, pattern, spoken
from decision_ai_server.modellers.offline.lexicon import related
from decision_ai_server.modellers.offline.meaning import Prioritise, Reading
from decision_ai_server.modellers.offline.vocabulary import Rule

_RANK = -3
_WHAT = "(?P<what>.+?)"
_LEVEL = (
    r"(?:(?: ,| :)?(?: (?:with|at|of|on|and|in|give it|it gets))*(?: (?:the|a))?"
    r"(?: (?:priority|level|class))* (?P<level>[abc]))"
)
_NOUN = "(?: (?:rule|constraint|one|limit))?"
_IS = "is|are|becomes?|be|should be|shall be|may be|can be|must be|has to be|have to be|gets?|stays?|remains?"
_SOFT = pattern(
    rf"(?:make|treat|set|turn|declare|consider|mark|keep|have) {_WHAT} (?:(?:as|to|into|a|be|only) )*soft"
    rf"{_NOUN}{_LEVEL}?",
    rf"{_WHAT} (?:(?:{_IS}) )?(?:(?:now|only|a|merely) )*soft{_NOUN}{_LEVEL}?",
    rf"{_WHAT} (?:can|may|might) (?:give way|be (?:violated|broken|missed|relaxed|softened))"
    rf"(?: if (?:needed|necessary|need be))?(?:(?: ,| :)? make (?:it|them) soft)?{_LEVEL}?",
    rf"soften {_WHAT}{_LEVEL}?",
    rf"(?:give|assign) {_WHAT} (?:(?:the|a) )?(?:priority|level) (?P<level>[abc])",
    rf"(?:set|change) (?:the )?(?:priority|level) of {_WHAT} to (?:(?:priority|level) )?(?P<level>[abc])",
    rf"(?:set|change) {_WHAT} to (?:priority|level) (?P<level>[abc])",
    rf"{_WHAT} (?:has|gets|should have|have|get) (?:(?:the|a) )?(?:priority|level) (?P<level>[abc])",
)
_HARD = pattern(
    rf"(?:make|treat|set|turn|declare|mark|keep) {_WHAT} (?:(?:as|to|into|a|be) )*(?:hard|mandatory){_NOUN}",
    rf"{_WHAT} (?:{_IS}) (?:(?:now|a) )*(?:hard|mandatory){_NOUN}",
    rf"(?:give|assign|set) {_WHAT} (?:to )?(?:priority )?hard",
    rf"harden {_WHAT}",
)
_LEVELS: dict[str, Priority] = {"a": "A", "b": "B", "c": "C"}
# Words of another order before this one.
_OTHERS = frozenset({"soft", "hard", "priority", ",", ";", "."})
_CUTS = frozenset({",", ":"})
_LAST = frozenset({"it", "that", "this", "them", "new", "last", "latest"})


def read_priorities(clause: Clause) -> Iterator[Reading]:
    """Orders that make a rule soft or hard."""
    line = spoken(clause)
    soft, hard = line.match(_SOFT), line.match(_HARD)
    if soft is not None:
        level = soft.said("level")
        meant, question = _meant(soft, clause.vocabulary.rules)
        if level is None and question is None and meant:
            question = "With which priority: A (kept first), B or C (given up first)?"
        yield from _reading(soft, meant, _LEVELS.get(level or "c", "C"), question)
    elif hard is not None:
        present = [rule for rule in clause.vocabulary.rules if rule.soft]
        meant, question = _meant(hard, present)
        if not meant and not present:
            # All rules are hard as it is: "the minimum amounts stay hard" asks for nothing.
            yield Reading(meanings=(), used=hard.used, rank=_RANK)
        yield from _reading(hard, meant, "hard", question)


def _reading(found: Found, meant: Rule | None, priority: Priority, question: str | None) -> Iterator[Reading]:
    if meant is not None:
        meaning = Prioritise(rule=meant.id, priority=priority)
        # One order over a comma or colon goes before the orders that its pieces would be.
        clause = found.spoken.clause
        pieces = 1 + sum(clause.tokens[place].word in _CUTS for place in clause.places)
        yield Reading(meanings=(meaning,), used=found.used, rank=_RANK * pieces, question=question)


def _meant(found: Found, rules: Sequence[Rule]) -> tuple[Rule | None, str | None]:
    """The rule that is meant, and a question if several are meant alike."""
    what = found.part("what")
    if not _OTHERS.isdisjoint(what.tokens[place].word for place in what.places):
        return None, None
    fitting = _narrowed(what, named(what, rules))
    if len(fitting) == 1:
        return fitting[0], None
    last = [rule for rule in rules if rule.added] or (list(rules) if len(rules) == 1 else [])
    if last and {what.tokens[place].word for place in what.places} & _LAST:
        return last[-1], None
    if fitting:
        return fitting[0], f"Which rule do you mean: {either(fitting)}?"
    return None, None


def _narrowed(what: Clause, rules: list[Rule]) -> list[Rule]:
    """Of rules that fit alike, those that limit from the side spoken of: "the cap on …" is a maximum."""
    said = [what.tokens[place].stem for place in what.places]
    sided = [rule for rule in rules if any(related(word, name) for word in said for name in rule.words)]
    return sided or rules
