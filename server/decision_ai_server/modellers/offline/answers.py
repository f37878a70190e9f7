"""What the offline modeller says: values it looked up, what it can do, what it did not understand."""

from collections.abc import Sequence
from typing import Any

from decision_ai.client.schemas.chat_messages.protocol import AskForValidation
from decision_ai.modeling.program import Program
from decision_ai_server.agent.ports import CallRecord
from decision_ai_server.modellers.offline.data_walk import Attribute
from decision_ai_server.modellers.offline.grammar.clause import places
from decision_ai_server.modellers.offline.lexicon import FUNCTION_WORDS, is_unit, unit_of
from decision_ai_server.modellers.offline.linking import Linked
from decision_ai_server.modellers.offline.meaning import Show
from decision_ai_server.modellers.offline.naming import Naming, listed
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import number_text, stem

_MOST_LISTED = 40
SMALL_TALK = "Nothing is waiting for an answer. Say what to change or what you want to know, or 'help'."
_POLITE = "thanks thank you very much hi hello hey great good morning nice cool ok okay yes no y n bye fine"
_NEXT = {
    "undo": "Say 'redo' to have it back.",
    "branch": "Say 'compare with main' to see what it changes.",
    "checkout": "Say 'solve' to get its plan.",
}
_SMALL_TALK = frozenset(_POLITE.split())
_NEVER_MIND = frozenset(
    {"never mind", "nevermind", "forget it", "forget that", "forget about it", "leave it"}
)
_MOVES = ("undo", "redo", "branch", "checkout")


def looked_up(show: Show, vocabulary: Vocabulary) -> str | None:
    """The value or figure that was asked for; None where the whole place is the answer."""
    if show.attribute is None:
        return _members(show, vocabulary)
    attribute = vocabulary.attribute(show.attribute)
    values = vocabulary.matching(show.attribute, show.filters)
    if not values:
        return None
    name = Naming(vocabulary).field(show.attribute)
    if show.figure in ("largest", "smallest", "total") and attribute.kind == "number":
        return _figure(show.figure, name, attribute, values)
    if attribute.kind == "flag" and len(values) > 1:
        return _holders(name, values)
    labels, value = next(iter(values.items()))
    where = f" of {_joined(labels)}" if labels else ""
    if show.figure == "count" and attribute.kind == "labels":
        return f"The {name}{where} has {len(value)} entries: {listed(value)}"
    if len(values) == 1:
        return f"The {name}{where} is {_shown(value)}{_unit(attribute)}"
    if len(labels) == 1 and len(values) <= _MOST_LISTED:
        parts = [f"{label[0]} {_shown(value)}" for label, value in values.items()]
        return f"The {name} is {', '.join(parts)}{_unit(attribute)}"
    return None


def _holders(name: str, values: dict[tuple[Any, ...], Any]) -> str:
    """The labels that a flag is set for."""
    found = [_joined(labels) for labels, value in values.items() if value]
    return (
        f"{len(found)} of {len(values)} are {name}{': ' if found else ''}{listed(found, most=_MOST_LISTED)}"
    )


def _members(show: Show, vocabulary: Vocabulary) -> str | None:
    """The labels of a collection, or how many there are."""
    if show.figure not in ("members", "count") or len(show.filters) != 1:
        return None
    number, found = next(iter(show.filters.items()))
    labels = vocabulary.resolved(found, number)
    name = Naming(vocabulary).filtered(number, found, one=len(labels) == 1)
    if show.figure == "count":
        return f"There {'is' if len(labels) == 1 else 'are'} {len(labels)} {name}"
    return f"{len(labels)} {name}: {listed(labels, most=_MOST_LISTED)}" if labels else f"There are no {name}"


def _figure(figure: str, name: str, attribute: Attribute, values: dict[tuple[Any, ...], Any]) -> str:
    unit = _unit(attribute)
    if figure == "total":
        total = number_text(round(sum(values.values()), 9))
        return f"The {name} of all {len(values)} adds up to {total}{unit}"
    best = max(values.values()) if figure == "largest" else min(values.values())
    holders = [_joined(labels) for labels, value in values.items() if value == best]
    return f"The {figure} {name} is {number_text(best)}{unit}, of {listed(holders)}"


def _unit(attribute: Attribute) -> str:
    """The unit behind an amount; where it is not known, what the field means."""
    unit = unit_of(attribute.description)
    if unit:
        return f" {unit}" if " " not in unit else f", in {unit}"
    about = attribute.description.partition("\n")[0].strip().rstrip(".")
    return f" ({about})" if about else ""


def _joined(labels: tuple[Any, ...]) -> str:
    return ", ".join(map(str, labels))


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return listed(value) if value else "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value) if isinstance(value, int | float) else str(value)


def constraints_text(program: Program, base: Program) -> str:
    """Every constraint with its formula, and what is special about its state."""
    lines = ["Constraints:"]
    for part in program.constraints.values():
        marks = [] if part.enabled else ["switched off"]
        marks += [] if part.priority == "hard" else [f"soft, level {part.priority}"]
        marks += [] if part.id in base.constraints else ["added in this chat"]
        mark = f" ({', '.join(marks)})" if marks else ""
        lines.append(f"- {part.id}{mark}: {part.description.strip().partition(chr(10))[0]}")
        lines.append(f"    {part.math}")
    return "\n".join(lines)


def approved(record: CallRecord) -> str:
    """What is said once a change holds."""
    if record.call.name == "reset":
        reading = _reset(record)
    elif any(ask.tool_origin.args.get("edited") for ask in record.asks):
        # What the person edited is theirs: the reading of the proposal may no longer say what holds.
        reading = "Your edit holds."
    else:
        reading = str(record.call.args.get("reading", "")).strip()
    return f"Done. {reading} Say 'solve' to get the new plan.".replace("  ", " ")


def _reset(record: CallRecord) -> str:
    id = record.call.args.get("id")
    asks = [ask for ask in record.asks if isinstance(ask, AskForValidation)]
    if asks and all(ask.changes.added is None for ask in asks):
        return f"{id} is out again; it was not there when the model was opened."
    return f"{id} is again as it was when the model was opened."


def rejected(record: CallRecord) -> str:
    """What is said where the person said no."""
    what = "I did not solve" if record.call.name == "solve" else "Nothing was changed"
    return f"{what}. You said: {record.rejection}" if record.rejection else f"{what}."


def told(record: CallRecord) -> str:
    """What a tool did, and what can be said next; every figure is the tool's."""
    output = record.output or "Done."
    hint = _NEXT.get(record.call.name)
    return output if hint is None else f"{output} {hint}"


def with_moves(records: Sequence[CallRecord], text: str) -> str:
    """An answer after what was undone, redone or gone to for the same sentence."""
    moves = [record for record in records if record.call.name in _MOVES and record.state == "done"]
    # "nothing else was changed" is true of the move alone.
    said = [(move.output or "").removesuffix("; nothing else was changed.") for move in moves]
    return "\n".join([*(f"{line.rstrip('.')}." for line in said), text])


def abilities(vocabulary: Vocabulary) -> str:
    """What can be asked for, with sentences in the words of this model."""
    examples = _examples(vocabulary)
    return (
        "I can add limits on numbers and totals, force or forbid something, keep two things apart, "
        "change values of the data, switch rules off and on, make them soft, remove added rules, change the "
        "objective, solve, show the model, the data or the plan, undo and redo, keep branches and compare "
        "versions, bring a rule back to what it was, and keep checks of every plan. For example:\n"
        + "\n".join(f"  {example}" for example in examples)
    )


def _examples(vocabulary: Vocabulary) -> list[str]:
    names = Naming(vocabulary)
    examples: list[str] = []
    for family in vocabulary.families:
        number = family.dimensions[0].collection if family.dimensions else None
        if family.binary and number is not None and len(family.dimensions) == 1 and not examples:
            examples.append(f"at most 3 {names.collection(number, one=False)}")
            examples.append(f"{vocabulary.collections[number].labels[0]} must not be chosen")
    attribute = next(
        (a for a in vocabulary.attributes if a.kind == "number" and len(a.collections) == 1), None
    )
    if attribute is not None:
        name = names.field(attribute.path)
        label, value = next(iter(attribute.values.items()))
        examples.append(f"set the {name} of {label[0]} to {number_text(value)}")
        examples.append(f"raise the {name} of every {names.collection(attribute.collections[0])} by 10 %")
    if vocabulary.rules:
        examples.append(f"switch off {vocabulary.rules[0].id}")
        examples.append(f"go back to before {vocabulary.rules[0].id}")
    return [*examples, "start a branch called cheap", "what changed since version 1", "solve", "undo"]


def recognised(linked: Linked, vocabulary: Vocabulary) -> list[str]:
    """What was recognised in a sentence, for the person."""
    names = Naming(vocabulary)
    found = [
        f"{listed(span.labels)} ({names.collection(span.collection, one=len(span.labels) == 1)})"
        for span in linked.labels
    ]
    found += [f"the number {token.text}" for token in linked.tokens if token.value is not None]
    stems = {token.stem for token in linked.tokens if token.kind == "word"}
    said = {token.word for token in linked.tokens}
    fields = [names.field(a.path) for a in vocabulary.attributes if set(a.words) <= stems]
    found += [f"the field {name!r}" for name in dict.fromkeys(fields)]
    found += [f"the decision {family.id!r}" for family in vocabulary.families if set(family.words) <= stems]
    found += [
        f"the rule {rule.id!r}"
        for rule in vocabulary.rules
        if set(rule.words) <= stems or rule.id.lower() in said
    ]
    return list(dict.fromkeys(found))[:8]


def _unknown(linked: Linked, vocabulary: Vocabulary) -> list[str]:
    """The words that mean nothing to this model or to the grammar."""
    known = vocabulary.known_stems | {stem(rule.id.lower()) for rule in vocabulary.rules}
    linked_places = places(linked.labels) | places(linked.nouns)
    return [
        token.text
        for place, token in enumerate(linked.tokens)
        if token.kind in ("word", "quoted")
        and place not in linked_places
        and token.word not in FUNCTION_WORDS
        and token.stem not in known
        and not is_unit(token.word)
    ]


def is_small_talk(linked: Linked) -> bool:
    """Whether a sentence says nothing but "thanks", "ok" or "hello"."""
    return all(token.word in _SMALL_TALK or token.kind == "punctuation" for token in linked.tokens)


def is_dismissal(sentence: str) -> bool:
    """Whether a sentence takes back what was asked or said, and wants nothing."""
    return " ".join(sentence.lower().strip(" .!,").split()) in _NEVER_MIND


def not_understood(linked: Linked, vocabulary: Vocabulary) -> str:
    """What to say where nothing can be proposed."""
    known, unknown = recognised(linked, vocabulary), _unknown(linked, vocabulary)
    parts = ["I did not understand that, so nothing was changed."]
    if known:
        parts.append(f"I recognised {listed(known)}.")
    if unknown and known:
        parts.append(f"I do not know what to do with {listed([repr(word) for word in unknown])}.")
    if known:
        return " ".join(parts)
    examples = listed([repr(example) for example in _examples(vocabulary)[:3]])
    return f"{' '.join(parts)} I understand sentences such as {examples}; say 'help' for more."
