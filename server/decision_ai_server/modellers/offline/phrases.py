"""Meanings in plain words: docstrings of new rules, and "I read this as …"."""

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.meaning import (
    Branch,
    Cardinality,
    Checkout,
    Compare,
    DataReset,
    DataScale,
    DataSet,
    Forbid,
    Force,
    Help,
    Implication,
    KeepCheck,
    Meaning,
    ObjectiveReplace,
    ObjectiveSense,
    PairConflict,
    Prioritise,
    Redo,
    RemoveCheck,
    RemoveRule,
    Reset,
    RightHandSide,
    Selection,
    Show,
    Solve,
    SwitchRule,
    Together,
    TotalLimit,
    Undo,
)
from decision_ai_server.modellers.offline.naming import Naming, listed
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import number_text

_RELATIONS = {"<=": "at most", ">=": "at least", "==": "exactly"}


def sentence(meaning: Meaning, vocabulary: Vocabulary) -> str:
    """One sentence that says what a meaning does."""
    text = _Phrases(vocabulary).say(meaning)
    return text[:1].upper() + text[1:] + "."


def goal(meaning: ObjectiveReplace, vocabulary: Vocabulary) -> str:
    """What a new objective adds up, as its docstring."""
    unit = Naming(vocabulary).unit(meaning.selection.weight, after=",") if meaning.selection.weight else ""
    text = _Phrases(vocabulary).total(meaning.selection)
    return text[:1].upper() + text[1:] + unit + "."


class _Phrases:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._names = Naming(vocabulary)

    def say(self, meaning: Meaning) -> str:
        match meaning:
            case Cardinality() | TotalLimit():
                return self._limit(meaning)
            case Force() | Forbid() | PairConflict() | Together() | Implication():
                return self._choice(meaning)
            case DataSet() | DataScale() | DataReset():
                return self._data(meaning)
            case ObjectiveReplace(sense=sense, selection=selection):
                return f"the objective is now to {sense} {self.total(selection)}"
            case ObjectiveSense(sense=sense):
                return f"the objective stays the same, but it is now to be {sense}d"
            case RemoveRule() | SwitchRule() | RightHandSide() | Prioritise():
                return self._about_rule(meaning)
            case _:
                return self._command(meaning)

    def _command(self, meaning: Meaning) -> str:
        match meaning:
            case Solve(time_limit=limit):
                return "solve the model" + (f" for at most {number_text(limit)} seconds" if limit else "")
            case Show(what="data", path=path):
                return f"show {'.'.join(map(str, path)) or 'the data'}"
            case Show(what=what, rule=rule):
                return f"show the {what}" if rule is None else f"show the rule {rule}"
            case Help():
                return "say what can be asked for"
            case KeepCheck(rule=rule):
                return f"every plan is checked for this: {self.say(rule)}"
            case Undo() | Redo() | Branch() | Checkout() | Compare() | Reset() | RemoveCheck():
                return _about_versions(meaning)
            case _:
                raise AssertionError(meaning)

    def _about_rule(self, meaning: RemoveRule | SwitchRule | RightHandSide | Prioritise) -> str:
        match meaning:
            case RemoveRule(rule=rule):
                return f"the rule {rule} is removed"
            case SwitchRule(rule=rule, enabled=enabled):
                known = any(entry.id == rule for entry in self._vocabulary.rules)
                what = f"the rule {rule} is" if known else f"the variables {rule} are"
                return f"{what} switched {'on' if enabled else 'off'}"
            case RightHandSide(rule=rule, before=before, after=after):
                return f"in the rule {rule}, {number_text(before)} becomes {number_text(after)}"
            case Prioritise(rule=rule, priority=priority):
                state = "hard" if priority == "hard" else f"soft, with priority {priority}"
                return f"the rule {rule} is {state}"

    def _limit(self, meaning: Cardinality | TotalLimit) -> str:
        selection = meaning.selection
        bound = f"{_RELATIONS[meaning.relation]} {number_text(meaning.amount)}"
        family = self._vocabulary.family(selection.family)
        counted = self._names.counted(selection)
        each, tag = self._names.each(selection), self._names.tag(selection)
        if selection.weight is not None or not family.binary or not counted:
            unit = self._names.unit(selection.weight) if selection.weight is not None else ""
            return f"{self.total(selection)} is {bound}{unit}{each}"
        one = meaning.amount == 1
        number, verb = self._names.some(selection, one=one), "is" if one else "are"
        return f"{bound} {number} {verb} chosen{self._names.rest(selection, *counted)}{each}{tag}"

    def total(self, selection: Selection) -> str:
        """What is added up; without "total" where it is one value."""
        family = self._vocabulary.family(selection.family)
        counted = self._names.counted(selection)
        if selection.weight is None and family.binary and counted:
            some = self._names.some(selection, one=False)
            some = some.removeprefix("of ")
            tag = self._names.tag(selection)
            return f"the number of chosen {some}{self._names.rest(selection, *counted)}{tag}"
        if selection.weight is None:
            return self._names.amount(selection, total=bool(counted))
        field = self._names.field(selection.weight)
        pinned = "".join(f" of {label}" for label in selection.pinned.values())
        if family.binary and counted:
            some = self._names.some(selection, one=False)
            some = some.replace("of ", "among ", 1) if some.startswith("of ") else some
            rest, tag = self._names.rest(selection, *counted), self._names.tag(selection)
            return f"the total {field}{pinned} of the chosen {some}{rest}{tag}"
        return f"the total {field}{pinned} times {self._names.amount(selection)}"

    def _choice(self, meaning: Force | Forbid | PairConflict | Together | Implication) -> str:
        match meaning:
            case Force(selections=selections):
                return self._forced(selections)
            case Forbid(selections=selections):
                return self._forbidden(selections)
            case PairConflict(selection=selection, position=position):
                labels = selection.filters[position].labels or ()
                who = (
                    f"{listed(labels)} are not both"
                    if len(labels) == 2
                    else f"at most one of {listed(labels)} is"
                )
                return f"{who} chosen{self._ending(selection, position)}"
            case Together(selection=selection, position=position):
                labels = selection.filters[position].labels or ()
                ending = self._ending(selection, position)
                return f"{listed(labels)} are chosen together or not at all{ending}"
            case Implication(condition=first, consequence=second, negated=negated):
                verb = "must not be chosen" if negated else "has to be chosen too"
                tag = self._names.tag(first)
                return f"if {self._chosen(first, 'is chosen')}, {self._chosen(second, verb)}{tag}"

    def _forced(self, selections: tuple[Selection, ...]) -> str:
        family = self._vocabulary.family(selections[0].family)
        each, tag = self._names.each(selections[0]), self._names.tag(selections[0])
        whole = [selection for selection in selections if not self._names.counted(selection)]
        if not family.binary:
            names = [self._names.amount(selection) for selection in selections]
            return f"{listed(names)} {'is' if len(names) == 1 else 'are'} at least 1{each}"
        if len(whole) == len(selections) and len(family.dimensions) == 1 and not each:
            names = [str(self._names.position(selection, 0)) for selection in selections]
            return f"{listed(names)} {'has' if len(names) == 1 else 'have'} to be chosen{tag}"
        if len(family.dimensions) == 1 and each:
            return f"every one of the {self._names.position(selections[0], 0)} has to be chosen{tag}"
        parts = []
        for selection in selections:
            counted = self._names.counted(selection)
            if counted and (len(selection.filters) == 1 or counted[0] in selection.filters):
                some = self._names.some(selection, one=True)
                rest = self._names.rest(selection, counted[0])
                parts.append(f"at least one {some} has to be chosen{rest}")
            else:
                parts.append(self._chosen(selection, "has to be chosen"))
        return f"{listed(parts)}{each}{tag}"

    def _forbidden(self, selections: tuple[Selection, ...]) -> str:
        family = self._vocabulary.family(selections[0].family)
        if not family.binary:
            names = [self._names.amount(selection) for selection in selections]
            return f"{listed(names)} {'stays' if len(names) == 1 else 'stay'} zero"
        each, tag = self._names.each(selections[0]), self._names.tag(selections[0])
        parts = [self._chosen(selection, "must not be chosen") for selection in selections]
        return f"{listed(parts)}{each}{tag}"

    def _chosen(self, selection: Selection, verb: str) -> str:
        """A subject, the verb, and where it is said of."""
        subject = min(selection.filters, default=None)
        if subject is None:
            return f"{self._names.family(selection)} {verb}"
        return f"{self._names.position(selection, subject)} {verb}{self._names.rest(selection, subject)}"

    def _ending(self, selection: Selection, position: int) -> str:
        rest = self._names.rest(selection, position)
        return f"{rest}{self._names.each(selection)}{self._names.tag(selection)}"

    def _data(self, meaning: DataSet | DataScale | DataReset) -> str:
        where = self._names.filters(meaning.attribute, meaning.filters)
        field = f"the {self._names.field(meaning.attribute)}{where}"
        present = list(self._vocabulary.matching(meaning.attribute, meaning.filters).values())
        was = f" (was {_shown(present[0])})" if len(present) == 1 else ""
        unit = self._names.unit(meaning.attribute, after=",")
        many = self._names.is_plural(meaning.attribute)
        if isinstance(meaning, DataReset):
            return f"{field} {'are' if many else 'is'} again as when the model was opened{was}"
        if isinstance(meaning, DataScale):
            return f"{field} {'are' if many else 'is'} multiplied by {number_text(meaning.factor)}{was}"
        if meaning.by:
            way = "raised" if meaning.value >= 0 else "lowered"
            return f"{field} {'are' if many else 'is'} {way} by {number_text(abs(meaning.value))}{was}{unit}"
        return f"{field} {'become' if many else 'becomes'} {number_text(meaning.value)}{was}{unit}"


def _about_versions(meaning: Undo | Redo | Branch | Checkout | Compare | Reset | RemoveCheck) -> str:
    match meaning:
        case Undo(steps=steps):
            return "take back the last change" if steps == 1 else f"take back the last {steps} changes"
        case Redo(steps=steps):
            return f"bring back {'the change' if steps == 1 else f'{steps} changes'} taken back"
        case Branch(name=name):
            return f"start the branch {name!r}"
        case Checkout(version=version, before=before):
            return (
                f"go to {version_words(version)}"
                if before is None
                else f"go back to before {before} was changed"
            )
        case Compare(a=a, b=b):
            return f"compare {version_words(a)} with {version_words(b)}"
        case Reset(id=id):
            return f"bring {id} back to what it was at first"
        case RemoveCheck(name=name):
            return f"stop checking {name}"


def version_words(name: str | None) -> str:
    """A version as it is called in a sentence; None is the present one."""
    if name is None:
        return "the present version"
    if name == "0":
        return "the model as it was opened"
    return f"version {name}" if name.isdecimal() else f"the branch {name!r}"


def _shown(value: Label | float) -> str:
    return number_text(value) if isinstance(value, int | float) else str(value)
