"""Rules by name: switch off and on, remove, and change the number in one."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from decision_ai_server.modellers.offline.grammar.clause import Clause, places
from decision_ai_server.modellers.offline.lexicon import calendar_short, related
from decision_ai_server.modellers.offline.linking import Mark
from decision_ai_server.modellers.offline.meaning import Reading, RemoveRule, RightHandSide, SwitchRule
from decision_ai_server.modellers.offline.past import Named
from decision_ai_server.modellers.offline.vocabulary import Rule
from decision_ai_server.modellers.offline.words import tokenise

_ENOUGH = 0.7
_CLEAR = 1.15
_PRONOUNS = frozenset({"it", "that", "this", "them"})
_FAMILY_WORDS = frozenset({"variabl", "family", "decision"})
N = TypeVar("N", bound=Named)


def read_rules(clause: Clause) -> Iterator[Reading]:
    """Sentences about a rule that is already there."""
    yield from _new_numbers(clause)
    if clause.numbers:
        return
    on, off, gone = _switching(clause, "on"), _switching(clause, "off"), _removing(clause)
    rules = clause.vocabulary.rules
    for_now = places(clause.marks("for_now"))
    if on or off:
        yield from _switched_families(clause, on or off, enabled=bool(on))
    if on:
        yield from _switched(clause, [rule for rule in rules if not rule.enabled], on | for_now, enabled=True)
    elif off:
        yield from _switched(clause, [rule for rule in rules if rule.enabled], off | for_now, enabled=False)
    if gone and not on:
        yield from _removed(clause, [rule for rule in rules if rule.added], gone)


def rate_rules(clause: Clause, rules: Sequence[N]) -> list[tuple[float, N, frozenset[int]]]:
    """The rules, or other parts, that the words may name, best first; a word that fits many says little."""
    scores = {rule.id: 0.0 for rule in rules}
    used: dict[str, set[int]] = {rule.id: set() for rule in rules}
    for place in (*clause.content, *sorted(clause.label_places)):
        gains = {rule.id: _gain(clause, place, rule) for rule in rules}
        best = max(gains.values(), default=0.0)
        hits = sum(1 for gain in gains.values() if gain >= best) or 1
        for name, gain in gains.items():
            if gain:
                scores[name] += gain / hits**0.5
                used[name].add(place)
    rated = [(scores[rule.id], rule, frozenset(used[rule.id])) for rule in rules if scores[rule.id] > 0]
    return sorted(rated, key=lambda entry: -entry[0])


def _gain(clause: Clause, place: int, rule: Named) -> float:
    found = clause.tokens[place].stem
    if clause.tokens[place].word == rule.id.lower():
        return 6.0
    if place in places(clause.marks("rule")):
        pointed = place > clause.start and clause.tokens[place - 1].word in _PRONOUNS
        return 3.0 if found in rule.words and not pointed else 0.0
    if place in clause.label_places:
        return 3.0 if {found, calendar_short(clause.tokens[place].word)} & {*rule.doc, *rule.words} else 0.0
    return next((gain for gain, fits in _grades(found, rule) if fits), 0.0)


def _grades(found: str, rule: Named) -> Iterator[tuple[float, bool]]:
    """How much a word says for a rule, the strongest first."""
    yield 3.0, found in rule.words
    yield 2.0, any(len(word) >= 3 and found.startswith(word) for word in rule.words)  # the id shortens it
    yield 1.5, found in rule.doc
    yield 1.2, found in rule.fields or any(related(found, word) for word in rule.words)
    yield 0.7, any(related(found, word) for word in rule.doc | rule.fields)


def _switching(clause: Clause, way: str) -> frozenset[int]:
    found = places(clause.marks(f"switch_{way}"))
    words = {place: clause.tokens[place].stem for place in clause.places}
    verbs = {"on": ("switch", "turn", "bring", "put"), "off": ("switch", "turn", "tak")}[way]
    particles = {"on": ("on", "back"), "off": ("off",)}[way]
    for verb in [place for place, word in words.items() if word in verbs]:
        found |= {
            place for last in words if last > verb and words[last] in particles for place in (verb, last)
        }
    if way == "off":
        matters = {place for place, word in words.items() if word == "matter"}
        denied = places(clause.marks("negation", "nobody"))
        found |= matters | denied if matters and denied else frozenset()
    return found


def _removing(clause: Clause) -> frozenset[int]:
    found = places(clause.marks("remove"))
    if rule_words(clause):
        takes = [place for place in clause.places if clause.tokens[place].stem == "tak"]
        outs = [place for place in clause.places if clause.tokens[place].word in ("out", "away")]
        found |= {place for take in takes for out in outs if out > take for place in (take, out)}
    return found


def rule_words(clause: Clause) -> frozenset[int]:
    """Positions of words that say that a rule is spoken of."""
    return places(m for m in clause.marks("rule") if clause.tokens[m.start].word not in _PRONOUNS)


def _switched_families(clause: Clause, verbs: frozenset[int], *, enabled: bool) -> Iterator[Reading]:
    """Read 'turn off the variable family late'."""
    spoken = frozenset(place for place in clause.places if clause.tokens[place].stem in _FAMILY_WORDS)
    parts = clause.vocabulary.past.components
    families = [part for part in parts if part.kind == "variable" and part.enabled != enabled]
    rated = [entry for entry in rate_rules(clause, families) if entry[0] >= _ENOUGH] if spoken else []
    if rated:
        rivals = [part.id for score, part, _ in rated if rated[0][0] < score * _CLEAR]
        names = " or ".join(map(repr, rivals[:4]))
        yield Reading(
            meanings=(SwitchRule(rule=rated[0][1].id, enabled=enabled),),
            used=rated[0][2] | spoken | verbs | places(clause.marks("rule")),
            rank=-1,
            question=f"Which variables do you mean: {names}?" if len(rivals) > 1 else None,
        )


def _switched(
    clause: Clause, rules: list[Rule], verbs: frozenset[int], *, enabled: bool
) -> Iterator[Reading]:
    chosen, used, question = _referred(clause, rules, lonely=enabled)
    if chosen is not None:
        meaning = SwitchRule(rule=chosen.id, enabled=enabled)
        yield Reading(meanings=(meaning,), used=used | verbs | _limit_words(clause), question=question)


def _removed(clause: Clause, rules: list[Rule], verbs: frozenset[int]) -> Iterator[Reading]:
    chosen, used, question = _referred(clause, rules, lonely=True)
    if chosen is not None:
        used |= verbs | _limit_words(clause)
        if used & clause.label_places and not rule_words(clause) and not _named_by_id(clause):
            # "Remove the tent" may mean the thing itself.
            question = (
                question or f"Do you mean the rule {chosen.id}? Then say 'remove the rule {chosen.id}'."
            )
        yield Reading(meanings=(RemoveRule(rule=chosen.id),), used=used, question=question)
        return
    if not rule_words(clause) and not _named_by_id(clause):
        return
    # A rule of the model itself is not deleted on a word: switched off, it can come back.
    own = [rule for rule in clause.vocabulary.rules if rule.enabled and not rule.added]
    yield from _switched(clause, own, verbs, enabled=False)


def _is_given(clause: Clause, place: int) -> bool:
    """Read 'max_items = 5' and "make max_items 5"."""
    ids = {rule.id.lower() for rule in clause.vocabulary.rules}
    before = clause.tokens[place - 1].word if place > clause.start else ""
    return before in ids or (before in ("=", ":") and _named_by_id(clause))


def _named_by_id(clause: Clause) -> bool:
    ids = {rule.id.lower() for rule in clause.vocabulary.rules}
    return any(clause.tokens[place].word in ids for place in clause.places)


def _limit_words(clause: Clause) -> frozenset[int]:
    spoken = places(clause.marks("rule", "at_most", "at_least"))
    return spoken | places(clause.marks("for_now", "set", "may", "must"))


def _referred(
    clause: Clause, rules: list[Rule], *, lonely: bool
) -> tuple[Rule | None, frozenset[int], str | None]:
    """The rule that is meant, the words that say so, and a question if two are meant alike."""
    said = {clause.tokens[place].word: place for place in clause.places}
    exact = [rule for rule in clause.vocabulary.rules if rule.id.lower() in said]
    if len(exact) == 1:
        place = said[exact[0].id.lower()]
        return (exact[0] if exact[0] in rules else None), frozenset({place}), None
    rated = [entry for entry in rate_rules(clause, rules) if entry[0] >= _ENOUGH]
    if rated:
        best, rule, used = rated[0]
        rivals = [entry[1] for entry in rated[1:] if best < entry[0] * _CLEAR]
        if not rivals:
            return rule, used, None
        names = " or ".join(repr(entry.id) for entry in [rule, *rivals[:3]])
        return rule, used, f"Which rule do you mean: {names}?"
    spoken = {clause.tokens[place].word for place in clause.places}
    if lonely and rules and not clause.label_places and (spoken & _PRONOUNS or len(rules) == 1):
        return rules[-1], frozenset(), None
    return None, frozenset(), None


def _new_numbers(clause: Clause) -> Iterator[Reading]:
    numbers = [place for place in clause.numbers if clause.tokens[place].kind == "number"]
    if len(numbers) == 2:
        yield from _replaced(clause, numbers)
    elif len(numbers) == 1 and not clause.label_places:
        yield from _renumbered(clause, numbers[0])


def _replaced(clause: Clause, numbers: list[int]) -> Iterator[Reading]:
    """Read 'Eight instead of seven': the rule in which a seven is written."""
    marks: list[Mark] = []
    for place in numbers:
        marks += [mark for mark in clause.marks("instead", "negation") if 0 <= place - mark.stop <= 2]
    if not marks:
        return
    old = next(place for place in numbers if place >= marks[0].stop)
    new = numbers[0] if numbers[1] == old else numbers[1]
    before, after = clause.tokens[old].value or 0.0, clause.tokens[new].value or 0.0
    holders = [rule for rule in clause.vocabulary.rules if before in rule.numbers]
    if not holders:
        return
    rated = rate_rules(clause, holders)
    chosen, used = (rated[0][1], rated[0][2]) if rated else (holders[0], frozenset())
    unclear = len(holders) > 1 and (
        len(rated) == 0 or (len(rated) > 1 and rated[0][0] < rated[1][0] * _CLEAR)
    )
    names = " or ".join(repr(rule.id) for rule in holders[:4])
    spoken = places(marks) | places(clause.marks("at_most", "at_least", "together", "set", "raise", "lower"))
    yield Reading(
        meanings=(RightHandSide(rule=chosen.id, before=before, after=after),),
        used=used | spoken | frozenset(numbers),
        rank=-2,
        question=f"Which rule do you mean: {names}?" if unclear else None,
    )


def _says_its_number(rule: Rule) -> bool:
    """Whether a rule has one number that its description speaks of; "not both" speaks of none."""
    spoken = {token.value for token in tokenise(rule.description)}
    return len(set(rule.numbers)) == 1 and rule.numbers[0] in spoken


def _whole_name(clause: Clause, rule: Rule, used: frozenset[int]) -> bool:
    """Whether every word of a rule's id was said, a related word allowed."""
    spoken = [clause.tokens[place] for place in used | places(clause.marks("rule"))]
    if any(token.word == rule.id.lower() for token in spoken):
        return True
    return bool(used) and all(
        any(token.stem == word or related(token.stem, word) for token in spoken) for word in rule.words
    )


def _renumbered(clause: Clause, place: int) -> Iterator[Reading]:
    """Read 'Set max_items to 8', and "make it 2" of the rule that was added last."""
    verbs = clause.marks("set", "raise", "lower", "limit_verb", "must")
    value = clause.tokens[place].value or 0.0
    if not verbs and not _is_given(clause, place):
        return
    it = [mark for mark in clause.marks("set") if clause.tokens[mark.stop - 1].word == "it"]
    added = [rule for rule in clause.vocabulary.rules if rule.added and _says_its_number(rule)]
    if it and added:
        meaning = RightHandSide(rule=added[-1].id, before=added[-1].numbers[0], after=value)
        used = places(clause.marks("set", "instead")) | {place}
        yield Reading(meanings=(meaning,), used=used, rank=-1)
        return
    rated = [
        entry for entry in rate_rules(clause, clause.vocabulary.rules) if len(set(entry[1].numbers)) == 1
    ]
    named = [entry for entry in rated if _whole_name(clause, entry[1], entry[2])]
    if len(named) == 1:
        _, rule, used = named[0]
        spoken = places(clause.marks("rule", "set", "raise", "lower", "at_most", "at_least", "must"))
        meaning = RightHandSide(rule=rule.id, before=rule.numbers[0], after=value)
        yield Reading(meanings=(meaning,), used=used | spoken | {place}, rank=1)
