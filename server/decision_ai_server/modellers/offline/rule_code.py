"""Rules and objectives as methods of the model class."""

from collections.abc import Callable, Iterable

from decision_ai_server.modellers.offline.meaning import (
    Cardinality,
    Filter,
    Forbid,
    Force,
    Implication,
    ObjectiveReplace,
    PairConflict,
    Relation,
    RuleMeaning,
    Selection,
    Together,
    TotalLimit,
)
from decision_ai_server.modellers.offline.naming import Naming
from decision_ai_server.modellers.offline.phrases import goal, sentence
from decision_ai_server.modellers.offline.selecting_code import (
    Loop,
    NotExpressible,
    Rendered,
    SelectionWriter,
)
from decision_ai_server.modellers.offline.source_text import docstring, formula, identifier, literal
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry, Vocabulary
from decision_ai_server.modellers.offline.words import number_text

_Write = Callable[[Selection], tuple[list[str], str]]
_LATEX_RELATION: dict[Relation, str] = {"<=": r"\le", ">=": r"\ge", "==": "="}
_NAMED: dict[Relation, str] = {"<=": "max", ">=": "min", "==": "exact"}


def rule_code(meaning: RuleMeaning, vocabulary: Vocabulary, taken: Iterable[str]) -> tuple[str, str]:
    """Name and source of the constraint that a meaning asks for.

    Raises:
        NotExpressible: if it cannot be written over this model's data.
    """
    body, math = _Rules(vocabulary).write(meaning)
    name = identifier(_name_words(meaning, vocabulary), taken)
    lines = [
        f"@constraint({formula(math)})",
        f"def {name}(self, data, v):",
        f"    {docstring(sentence(meaning, vocabulary))}",
        *(f"    {line}" for line in body),
    ]
    return name, "\n".join(lines) + "\n"


def check_code(meaning: RuleMeaning, vocabulary: Vocabulary, taken: Iterable[str]) -> tuple[str, str]:
    """Name and source of the method that checks a plan for what a meaning asks for: the body of its rule.

    Raises:
        NotExpressible: if it cannot be written over this model's data.
    """
    name, code = rule_code(meaning, vocabulary, taken)
    return name, code.partition("\n")[2]


def objective_code(meaning: ObjectiveReplace, vocabulary: Vocabulary, taken: Iterable[str]) -> str:
    """Source of a new objective."""
    rendered = SelectionWriter(vocabulary).render(meaning.selection)
    words = ["total", *_total_words(meaning.selection, vocabulary)]
    lines = [
        f'@objective("{meaning.sense}", {formula(rendered.latex_sum)})',
        f"def {identifier(words, taken)}(self, data, v):",
        f"    {docstring(goal(meaning, vocabulary))}",
        f"    return {rendered.total}",
    ]
    return "\n".join(lines) + "\n"


class _Rules:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._writer = SelectionWriter(vocabulary)

    def write(self, meaning: RuleMeaning) -> tuple[list[str], str]:
        """Body and formula."""
        match meaning:
            case Cardinality() | TotalLimit():
                rendered = self._writer.render(meaning.selection)
                return self._limit(rendered, meaning.relation, number_text(meaning.amount))
            case Force(selections=selections):
                return self._each_of(selections, self._forced)
            case Forbid(selections=selections):
                return self._each_of(selections, self._forbidden)
            case PairConflict(selection=selection):
                return self._limit(self._writer.render(selection), "<=", "1")
            case Together():
                return self._together(meaning)
            case Implication():
                return self._implication(meaning)

    def _limit(self, rendered: Rendered, relation: Relation, bound: str) -> tuple[list[str], str]:
        row = f"{rendered.total} {relation} {bound}"
        math = f"{rendered.latex_sum} {_LATEX_RELATION[relation]} {bound}{rendered.latex_each}"
        return _rows(rendered.outer, rendered.index, row), math

    def _each_of(self, selections: tuple[Selection, ...], write: _Write) -> tuple[list[str], str]:
        written = [write(selection) for selection in selections]
        if len(written) == 1:
            return written[0]
        lines: list[str] = []
        for number, (body, _) in enumerate(written):
            if len(body) != 1 or not body[0].startswith("return "):
                raise NotExpressible("several rules at once; say them one by one")
            index = self._label(selections[number]) or number
            lines.append(f"yield {literal(index)}, {body[0].removeprefix('return ')}")
        return lines, r", \; ".join(math for _, math in written)

    def _label(self, selection: Selection) -> str:
        labels = [str(f.labels[0]) for f in selection.filters.values() if f.labels and len(f.labels) == 1]
        return " ".join(labels)

    def _forced(self, selection: Selection) -> tuple[list[str], str]:
        rendered = self._writer.render(selection)
        exact = self._vocabulary.family(selection.family).binary and not rendered.inner
        return self._limit(rendered, "==" if exact else ">=", "1")

    def _forbidden(self, selection: Selection) -> tuple[list[str], str]:
        family = self._vocabulary.family(selection.family)
        if family.binary or not family.dimensions:
            return self._limit(self._writer.render(selection), "==", "0")
        free = free_positions(family, selection)
        return self._limit(self._writer.render(_repeated(selection, free)), "==", "0")

    def _together(self, meaning: Together) -> tuple[list[str], str]:
        """Both labels in one pair of sums; the loops of the rows are shared."""
        selection = meaning.selection
        labels = selection.filters[meaning.position].labels or ()
        first, second = (
            SelectionWriter(self._vocabulary).render(
                selection.model_copy(
                    update={"filters": {**selection.filters, meaning.position: Filter(labels=(label,))}}
                )
            )
            for label in labels
        )
        row = f"{first.total} == {second.total}"
        math = f"{first.latex_sum} = {second.latex_sum}{first.latex_each}"
        return _rows(first.outer, first.index, row), math

    def _implication(self, meaning: Implication) -> tuple[list[str], str]:
        family = self._vocabulary.family(meaning.condition.family)
        condition = self._writer.render(
            _repeated(meaning.condition, free_positions(family, meaning.condition))
        )
        second = meaning.consequence
        if meaning.negated:
            second = _repeated(second, free_positions(self._vocabulary.family(second.family), second))
        consequence = self._writer.render(second)
        row = f"{condition.total} <= {consequence.total}"
        math = rf"{condition.latex_sum} \le {consequence.latex_sum}{condition.latex_each}"
        if meaning.negated:
            row = f"{condition.total} + {consequence.total} <= 1"
            math = rf"{condition.latex_sum} + {consequence.latex_sum} \le 1{condition.latex_each}"
        loops = (*condition.outer, *consequence.outer)
        return _rows(loops, (*condition.index, *consequence.index), row), math


def free_positions(family: FamilyEntry, selection: Selection) -> tuple[int, ...]:
    """The index positions that are not pinned to one label."""
    return tuple(
        place
        for place in range(len(family.dimensions))
        if (found := selection.filters.get(place, Filter())).labels is None
        or len(found.labels) > 1
        or found.subsets
    )


def _repeated(selection: Selection, positions: tuple[int, ...]) -> Selection:
    return selection.model_copy(update={"each": positions})


def _rows(loops: tuple[Loop, ...], index: tuple[str, ...], row: str) -> list[str]:
    """A `return` for one row, else loops with a `yield`."""
    if not loops:
        return [f"return {row}"]
    lines, depth = [], 0
    for loop in loops:
        lines.append("    " * depth + loop.head + ":")
        depth += 1
        if loop.conditions:
            lines.append("    " * depth + f"if {' and '.join(loop.conditions)}:")
            depth += 1
    key = index[0] if len(index) == 1 else f"({', '.join(index)})"
    lines.append("    " * depth + f"yield {key}, {row}")
    return lines


def _name_words(meaning: RuleMeaning, vocabulary: Vocabulary) -> list[object]:
    match meaning:
        case (
            Cardinality(selection=selection, relation=relation)
            | TotalLimit(selection=selection, relation=relation)
        ):
            return [_NAMED[relation], *_total_words(selection, vocabulary)]
        case Force(selections=selections):
            return ["force", *_all_words(selections, vocabulary)]
        case Forbid(selections=selections):
            return ["no", *_all_words(selections, vocabulary)]
        case PairConflict(selection=selection):
            return ["not_both", *_all_words((selection,), vocabulary)]
        case Together(selection=selection):
            return ["together", *_all_words((selection,), vocabulary)]
        case Implication(condition=first, consequence=second, negated=negated):
            between = "excludes" if negated else "needs"
            start = _all_words((first,), vocabulary)
            return [*start, between, *_selection_words(second, vocabulary)]


def _total_words(selection: Selection, vocabulary: Vocabulary) -> list[object]:
    """What is limited: the field that is summed up, or what is counted."""
    family, names = vocabulary.family(selection.family), Naming(vocabulary)
    words: list[object] = _family_words(selection, vocabulary)
    if selection.weight is not None:
        words.append(names.field(selection.weight))
    elif family.binary and (counted := names.counted(selection)):
        words = words or ["chosen"]
        words.append(names.collection(family.dimensions[counted[0]].collection, one=False))
    else:
        words = [selection.family]
    return [*words, *_selection_words(selection, vocabulary)]


def _all_words(selections: tuple[Selection, ...], vocabulary: Vocabulary) -> list[object]:
    words = [word for entry in selections[:3] for word in _selection_words(entry, vocabulary)]
    family = _family_words(selections[0], vocabulary)
    return [*(family if words else [selections[0].family]), *dict.fromkeys(words)]


def _family_words(selection: Selection, vocabulary: Vocabulary) -> list[object]:
    """The family, where the model has several."""
    return [selection.family] if len(vocabulary.families) > 1 else []


def _selection_words(selection: Selection, vocabulary: Vocabulary) -> list[object]:
    words: list[object] = []
    for _, found in sorted(selection.filters.items()):
        words += [str(label) for label in (found.labels or ())[:2]]
        words += [value for subset in found.subsets for value in subset.values if isinstance(value, str)]
        words += [subset.attribute[-1] for subset in found.subsets if subset.values == (True,)]
    family = vocabulary.family(selection.family)
    if selection.each_value is not None:
        words += ["per", Naming(vocabulary).field(selection.each_value)]
    for place in selection.each:
        number = family.dimensions[place].collection
        if number is not None:
            words += ["per", Naming(vocabulary).collection(number)]
    return words
