"""Orders about versions: undo, redo, branch, go to a version, go back to before something."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.naming_parts import component, unknown_part
from decision_ai_server.modellers.offline.grammar.patterns import Found, pattern, spoken
from decision_ai_server.modellers.offline.grammar.version_names import HERE, version_named
from decision_ai_server.modellers.offline.meaning import Branch, Checkout, Meaning, Reading, Redo, Undo
from decision_ai_server.modellers.offline.past import Past
from decision_ai_server.modellers.offline.words import stem

_MOST_STEPS = 1000
_MOST_WORDS = 5
# Before every other reading: nothing else in the model is worded like these.
_RANK = -3

_THINGS = "changes?|steps?|edits?|modifications?|bits?|ones?|things?|versions?|times|proposals?"
_LAST = "last|previous|latest|most recent|newest|next"
_OBJECT = (
    r"(?:it|that|this|them|(?P<all>everything|all|(?:all|all of) (?:it|that|the changes|my changes|changes))|"
    rf"(?:(?:the|my|our|that|those|these|all) )*(?:(?:{_LAST}) )?(?:(?P<steps>[1-9]\d*) )?(?:{_THINGS})"
    r"(?: (?:i|we|you) made)?|"
    rf"(?:the )?(?:{_LAST})(?: (?P<count>[1-9]\d*))?|(?P<number>[1-9]\d*)(?: (?:{_THINGS}))?)"
)
_TAKE_BACK = "undo|revert|take back|roll back|rollback|reverse|retract"
_UNDO = pattern(
    rf"(?:{_TAKE_BACK})(?: {_OBJECT})?",
    rf"(?:take|roll|turn) {_OBJECT} back",
    rf"(?:go|step) (?:back )?(?:by )?(?:a|one|(?P<number>[1-9]\d*))(?: (?:{_THINGS}))(?: back)?",
    r"(?:go|step) back(?: to before)?",
)
_REDO = pattern(
    rf"redo(?: {_OBJECT})?",
    r"undo (?:the|that|my|your|this) (?:last )?undo",
    rf"go forward(?: (?:by )?(?:a|one|(?P<number>[1-9]\d*))(?: (?:{_THINGS}))?)?",
)
_AGAIN = pattern(
    r"(?:do|make|apply) (?:it|that|this)(?: all)?(?: (?:once more|over))?",
    rf"(?:bring|put|get|take) {_OBJECT} back(?: in)?",
    rf"(?:bring|put|get) back {_OBJECT}",
    r"restore (?:it|that|this|what i (?:undid|took back))",
)

_START = "start|make|create|begin|add|set up|fork|give me|have"
_NOUN = "branch|variant|fork"
_THIS_STATE = "(?:it|(?:this|that|the)(?: (?:present|current))?(?: (?:version|state|model|variant))?)"
_NAME = r"(?:(?:called|named|by the name of|with the name|as) )*(?P<name>\S+(?: \S+)*?)"
_BRANCH = pattern(
    rf"(?:{_START}) (?:me )?(?:(?:a|an|another|one|new|separate|the) )*(?:{_NOUN})(?: {_NAME})?",
    rf"(?:branch off|branch this|branch it|fork this|fork it|new branch|a new branch)(?: (?:{_NAME}))?",
    rf"(?:try|do|test|put|keep|have)(?: (?:this|that|it|something|things|these changes|the next changes?))?"
    rf"(?: out)? (?:on|in) (?:(?:a|an|another|its|own|new|separate) )+(?:{_NOUN})(?: {_NAME})?",
    rf"(?:on|in) a (?:new |separate )?(?:{_NOUN})(?: {_NAME})?",
    rf"(?:save|store) {_THIS_STATE} as {_NAME}",
    rf"(?:call|name) (?:this|that|the)(?: (?:present|current))? (?:version|state|model|variant) {_NAME}",
)
# A name does not begin with these: "make a branch in Oslo" opens a shop.
_NOT_NAMES = frozenset(
    {"in", "at", "on", "of", "from", "with", "that", "which", "to", "the", "here", "or", "and", "for"}
)  # fmt: skip
_CALLED = frozenset({"called", "named", "name"})

_GO = "go|switch|jump|return|get|take me|take us|bring me|roll"
_BACK_TO = (
    rf"(?:(?:{_GO})(?: (?:back|over))*(?: (?:to|onto|on|into))?|back to|revert to|reset to|undo back to)"
)
_CHECKOUT = pattern(
    rf"{_BACK_TO} (?P<version>.+?)",
    r"(?:check ?out|restore|reopen) (?P<version>.+?)",
    r"(?:start|begin) (?:over|again|afresh|anew)(?: from (?P<version>.+?))?",
    r"(?:start|begin) (?:again )?from (?P<version>scratch)",
    r"(?:reset|restore|revert) (?:everything|all|the (?:whole |entire )?model)"
    r"(?: (?:back )?to (?P<version>.+?))?",
)
_WAS = (
    r"(?:how|what|the way|where|the (?:point|moment|time|state|version|model)|a version|the one) ?"
    r"(?:(?:it|things|everything|the model|we) (?:was|were|looked|stood|had) ?)?"
)
_BY = r"(?:i|we|you) (?:had |have )?(?:added|introduced|changed|put in|made|switched off|removed|set)"
_HAPPENED = r"(?:was|were|got|came|became)(?: (?:added|introduced|changed|in|there|made|removed|imposed))*"
_BEFORE = pattern(
    rf"(?:{_BACK_TO}|(?:check ?out|restore|undo|revert)) (?:{_WAS})?(?:from )?(?:right |just )?before "
    rf"(?:(?:{_BY}|adding|introducing|the (?:change|changes|addition|introduction) (?:of|to|in)) )?"
    rf"(?P<what>.+?)(?: {_HAPPENED})?(?: (?:in|on))?"
)  # fmt: skip
_LAST_CHANGE = pattern(_OBJECT)
_ABOUT_CHANGES = frozenset(map(stem, ("change", "edit", "raise", "cut", "new", "data", "value")))


def read_moves(clause: Clause) -> Iterator[Reading]:
    """Orders that go to another version or make a branch."""
    for reader in (_undo, _redo, _branch, _before, _checkout):
        yield from reader(clause)


def _reading(found: Found, meaning: Meaning | None, question: str | None = None) -> Reading:
    meanings = () if meaning is None else (meaning,)
    return Reading(meanings=meanings, used=found.used, rank=_RANK, question=question)


def _steps(found: Found, everything: int) -> int:
    if found.said("all"):
        return max(everything, 1)
    said = found.said("steps") or found.said("count") or found.said("number") or "1"
    return min(int(said), _MOST_STEPS)


def _undo(clause: Clause) -> Iterator[Reading]:
    found = spoken(clause).match(_UNDO)
    if found is not None:
        yield _reading(found, Undo(steps=_steps(found, clause.vocabulary.past.behind)))


def _redo(clause: Clause) -> Iterator[Reading]:
    ahead = clause.vocabulary.past.ahead
    found = spoken(clause).match(_REDO)
    if found is None and ahead:
        # "Bring it back" is about the undo only right after one; else about a rule that was switched off.
        found = spoken(clause).match(_AGAIN)
    if found is not None:
        yield _reading(found, Redo(steps=_steps(found, ahead)))


def _branch(clause: Clause) -> Iterator[Reading]:
    found = spoken(clause).match(_BRANCH)
    if found is None:
        return
    if found.said("name") is None:
        yield _reading(found, Branch(name=_free_name(clause.vocabulary.past.branches)))
        return
    name = found.part("name")
    words = [name.tokens[place].word for place in name.places]
    called = {clause.tokens[place].word for place in clause.places} & _CALLED
    if len(words) > _MOST_WORDS or words[0] in _NOT_NAMES or (not called and _is_thing(clause)):
        return
    if not called and not {"and", ",", "then", "?", ":"}.isdisjoint(words):
        return
    yield _reading(found, Branch(name=found.name("name")))


def _is_thing(clause: Clause) -> bool:
    """Whether this model itself has branches, such as those of a bank."""
    return stem("branch") in clause.vocabulary.known_stems


def _free_name(branches: tuple[str, ...]) -> str:
    number = len(branches) + 1
    while f"branch {number}" in branches:
        number += 1
    return f"branch {number}"


def _checkout(clause: Clause) -> Iterator[Reading]:
    found = spoken(clause).match(_CHECKOUT)
    if found is None:
        return
    said = found.said("version")
    version = "0" if said is None else version_named(said, clause.vocabulary.past)
    if version is not None and version != HERE:
        yield _reading(found, Checkout(version=version))


def _before(clause: Clause) -> Iterator[Reading]:
    found = spoken(clause).match(_BEFORE)
    said = found.said("what") if found is not None else None
    if found is None or said is None:
        return
    past = clause.vocabulary.past
    step = spoken(found.part("what")).match(_LAST_CHANGE)
    if step is not None:
        yield _reading(found, Undo(steps=_steps(step, past.behind)))
        return
    version = version_named(said, past)
    if version is not None and version.isdecimal() and 0 < int(version) < len(past.parents):
        yield _reading(found, Checkout(version=str(past.parents[int(version)])))
        return
    what = found.part("what")
    chosen = component(what, lambda part: part.changed)
    change = None if chosen.part is not None and chosen.part.changed else _change(what, past)
    if change is not None:
        yield _reading(found, Checkout(version=str(past.parents[change])))
    elif chosen.part is not None:
        yield _reading(found, Checkout(before=chosen.part.id))
    else:
        yield _reading(found, None, chosen.question or unknown_part(what))


def _change(what: Clause, past: Past) -> int | None:
    """Number of the newest version in this line whose change some words are about: "the capacity change"."""
    words = {what.tokens[place].stem for place in what.content} - _ABOUT_CHANGES
    number: int | None = past.present
    while number is not None and past.parents[number] is not None:
        if words and words <= past.changes[number]:
            return number
        number = past.parents[number]
    return None
