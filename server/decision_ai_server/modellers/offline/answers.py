"""What the offline modeller says: values it looked up, what it can do, what it did not understand."""

from typing import Any

from decision_ai_server.modellers.offline.generate import resolved
from decision_ai_server.modellers.offline.linking import Linked
from decision_ai_server.modellers.offline.meaning import Show
from decision_ai_server.modellers.offline.phrases import listed
from decision_ai_server.modellers.offline.selecting_code import singular
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import number_text


def looked_up(show: Show, vocabulary: Vocabulary) -> str | None:
    """The value or figure that was asked for; None where the whole place is the answer."""
    if show.attribute is None:
        return None
    attribute = vocabulary.attribute(show.attribute)
    allowed = {number: resolved(found, number, vocabulary) for number, found in show.filters.items()}
    values = {
        labels: value
        for labels, value in attribute.values.items()
        if all(
            label in allowed.get(number, (label,))
            for number, label in zip(attribute.collections, labels, strict=True)
        )
    }
    if not values:
        return None
    unit = f" ({attribute.description.rstrip('.')})" if attribute.description else ""
    if show.figure in ("largest", "smallest", "total") and attribute.kind == "number":
        return _figure(show.figure, attribute.name, values) + unit
    if show.figure == "count" and attribute.kind == "labels":
        labels, value = next(iter(values.items()))
        return f"{attribute.name} of {_joined(labels)} has {len(value)} entries: {listed(value)}"
    if len(values) != 1:
        return None
    labels, value = next(iter(values.items()))
    where = f" of {_joined(labels)}" if labels else ""
    return f"{attribute.name}{where} is {_shown(value)}{unit}"


def _figure(figure: str, name: str, values: dict[tuple[Any, ...], Any]) -> str:
    if figure == "total":
        return f"The {name} of all {len(values)} add up to {number_text(round(sum(values.values()), 9))}"
    best = max(values.values()) if figure == "largest" else min(values.values())
    holders = [_joined(labels) for labels, value in values.items() if value == best]
    return f"The {figure} {name} is {number_text(best)}, of {listed(holders)}"


def _joined(labels: tuple[Any, ...]) -> str:
    return ", ".join(map(str, labels))


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return listed(value) if value else "empty"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return number_text(value)


def abilities(vocabulary: Vocabulary) -> str:
    """What can be asked for, with sentences in the words of this model."""
    examples = _examples(vocabulary)
    return (
        "I can add limits on numbers and totals, force or forbid something, keep two things apart, "
        "change values of the data, switch rules off and on, remove added rules, change the objective, "
        "solve, show the model, the data or the plan, and undo. For example:\n"
        + "\n".join(f"  {example}" for example in examples)
    )


def _examples(vocabulary: Vocabulary) -> list[str]:
    examples: list[str] = []
    for family in vocabulary.families:
        number = family.dimensions[0].collection if family.dimensions else None
        if family.binary and number is not None and len(family.dimensions) == 1 and not examples:
            collection = vocabulary.collections[number]
            examples.append(f"at most 3 {str(collection.path[-1]).replace('_', ' ')}")
            examples.append(f"{collection.labels[0]} must not be chosen")
    attribute = next(
        (a for a in vocabulary.attributes if a.kind == "number" and len(a.collections) == 1), None
    )
    if attribute is not None:
        name = str(attribute.path[-1]).replace("_", " ")
        label, value = next(iter(attribute.values.items()))
        examples.append(f"set the {name} of {label[0]} to {number_text(value)}")
        examples.append(f"raise the {name} of every {singular(str(attribute.path[0]))} by 10 %")
    if vocabulary.rules:
        examples.append(f"switch off {vocabulary.rules[0].id}")
    return [*examples, "solve", "undo"]


def recognised(linked: Linked, vocabulary: Vocabulary) -> list[str]:
    """What was recognised in a sentence, for the person."""
    found = []
    for span in linked.labels:
        collection = vocabulary.collections[span.collection]
        path = [str(step) for step in collection.path if isinstance(step, str)]
        found.append(f"{listed(span.labels)} of {'.'.join(path)!r}")
    found += [f"the number {token.text}" for token in linked.tokens if token.value is not None]
    stems = {token.stem for token in linked.tokens if token.kind == "word"}
    fields = [a.name for a in vocabulary.attributes if set(a.words) <= stems]
    found += [f"the field {name!r}" for name in dict.fromkeys(fields)]
    found += [f"the decision {family.id!r}" for family in vocabulary.families if set(family.words) <= stems]
    found += [f"the rule {rule.id!r}" for rule in vocabulary.rules if set(rule.words) <= stems]
    return list(dict.fromkeys(found))[:8]


def not_understood(linked: Linked, vocabulary: Vocabulary, missed: list[str]) -> str:
    """What to say where nothing can be proposed."""
    known = recognised(linked, vocabulary)
    parts = ["I did not understand that, so nothing was changed."]
    if known:
        parts.append(f"I recognised {listed(known)}.")
    if missed and known:
        parts.append(f"I could not place {listed([repr(word) for word in missed])}.")
    return f"{' '.join(parts)}\n{abilities(vocabulary)}"
