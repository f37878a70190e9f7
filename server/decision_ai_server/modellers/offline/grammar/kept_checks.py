"""Checks of every plan that are no part of the model: "always check that …", "stop checking …"."""

from collections.abc import Iterator
from dataclasses import replace

from decision_ai_server.modellers.offline.grammar.choices import read_choices
from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.limits import read_limits
from decision_ai_server.modellers.offline.grammar.naming_parts import either, named
from decision_ai_server.modellers.offline.grammar.patterns import Found, pattern, spoken
from decision_ai_server.modellers.offline.linking import Mark
from decision_ai_server.modellers.offline.meaning import KeepCheck, Reading, RemoveCheck, RuleMeaning, Show

_RANK = -3
_MOST_UNUSED = 2
_CHECK = "check|test|verify|control|validate"
_CHECKING = "checking|testing|verifying|controlling|validating"
_EVERY = (
    "always|from now on|every time|each time|in future|(?:for|in|with|on) (?:every|each|any|all)(?: new)? "
    "(?:plans?|solutions?|results?)|after (?:every|each) (?:solve|change)"
)
_THAT = "(?:(?:that|whether|if|:) )?"
_RULE = "(?P<rule>.+?)"
_KEEP = pattern(
    rf"(?:{_EVERY})(?: ,)? (?:always )?(?:{_CHECK})(?: (?:{_EVERY}))? {_THAT}{_RULE}",
    rf"(?:{_CHECK}) (?:{_EVERY}) {_THAT}{_RULE}",
    rf"(?:{_CHECK}) (?:that|whether) {_RULE}(?: (?:{_EVERY}))?",
    rf"(?:keep|add|make|set up|create|write|have) (?:me )?(?:(?:a|the|another|this|new) )*(?:check|test)"
    rf"(?: (?:that|whether|if|for|on|says?|:))* {_RULE}",
    rf"(?:keep|continue|start) (?:{_CHECKING}) {_THAT}{_RULE}",
    rf"keep an eye on (?:(?:this|it|that|whether|:) )*{_RULE}",
    rf"(?:watch|keep watch|look out|alert me|warn me) (?:that|unless) {_RULE}",
)
_DROP = "remove|delete|drop|forget|cancel|discard|get rid of|take out|stop|end|withdraw"
_WHAT = "(?P<what>.+?)"
_THESE = frozenset({"that", "this", "it", "the", "my", "our", "them", "last"})
_STOP = pattern(
    rf"(?:stop|quit|no longer|no more) (?:{_CHECK}|{_CHECKING})(?: {_THAT}{_WHAT})?",
    rf"(?:{_DROP}) (?:(?:the|that|this|my|our) )?{_WHAT} check",
    rf"(?:{_DROP}) (?:(?:the|that|this|my|our|all|last) )*checks?"
    rf"(?: (?:that|on|about|for|of|called|named|whether))*(?: {_WHAT})?",
    rf"(?:do not|don't) (?:{_CHECK}) {_THAT}{_WHAT}(?: (?:any more|anymore|any longer))?",
)
_SHOW = pattern(
    r"(?:which|what) (?:checks|tests) "
    r"(?:are there|are kept|are on|exist|(?:do|have) (?:we|i|you) (?:have|keep|kept|got))(?: so far)?|"
    r"(?:show|list|print|display|see|tell)(?: me| us)?(?: (?:all|the|my|our|your|kept))* checks|"
    r"(?:the |my |all )?checks|what (?:do|are) you (?:check|checking)(?: for)?|what is (?:being )?checked|"
    r"(?:are there|do we have|do i have) (?:any )?checks"
)


def read_kept_checks(clause: Clause) -> Iterator[Reading]:
    """Orders about the checks that are kept."""
    line = spoken(clause)
    keep, stop = line.match(_KEEP), line.match(_STOP)
    if stop is not None:
        yield _removed(stop, clause)
    elif keep is not None:
        yield _kept(keep)
    yield from read_check_questions(clause)


def read_check_questions(clause: Clause) -> Iterator[Reading]:
    """Read 'which checks are there'."""
    if spoken(clause).match(_SHOW) is not None:
        yield Reading(meanings=(Show(what="checks"),), used=frozenset(clause.places), rank=_RANK)


def _kept(found: Found) -> Reading:
    rule = found.part("rule")
    # What is checked holds of every plan: "the ladder comes along" is what a rule says with "must".
    told = (Mark("must", rule.start, rule.start), *rule.linked.marks)
    firm = replace(rule, linked=replace(rule.linked, marks=told))
    ways = [*read_limits(rule), *read_choices(rule), *read_choices(firm)]
    whole = [way for way in ways if not rule.important - way.used and len(_unused(rule, way)) <= _MOST_UNUSED]
    best = min(whole, key=lambda way: (len(_unused(rule, way)), way.rank), default=None)
    rules = [meaning for meaning in best.meanings if isinstance(meaning, RuleMeaning)] if best else []
    question = best.question if best is not None else None
    if not rules and question is None:
        words = " ".join(rule.tokens[place].text for place in rule.places)
        question = f"What exactly should I check? I cannot make a rule of {words!r}."
    return Reading(
        meanings=tuple(KeepCheck(rule=meaning) for meaning in rules),
        used=found.used - (_unused(rule, best) if best else frozenset()),
        rank=_RANK,
        question=question,
    )


def _unused(rule: Clause, way: Reading) -> frozenset[int]:
    return frozenset(rule.content) - way.used


def _removed(found: Found, clause: Clause) -> Reading:
    checks = clause.vocabulary.past.checks
    said = found.said("what")
    meant = list(checks) if said is None or said in _THESE else named(found.part("what"), checks)
    question = None
    if len(meant) == 1 or not checks:
        # Where there is no check at all, the tool says so.
        name = meant[0].id if meant else found.name("what") if said else "any"
        return Reading(meanings=(RemoveCheck(name=name),), used=found.used, rank=_RANK)
    question = f"Which check do you mean: {either(meant or checks)}?"
    return Reading(meanings=(), used=found.used, rank=_RANK, question=question)
