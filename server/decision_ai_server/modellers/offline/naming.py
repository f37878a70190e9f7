"""What things are called in front of a person: collections, fields and members, in the model's own words."""

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Path
from decision_ai_server.modellers.offline.lexicon import unit_of
from decision_ai_server.modellers.offline.meaning import Filter, Selection, Subset
from decision_ai_server.modellers.offline.selecting_code import singular
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import stem

_MOST_LABELS = 8
_VERB_WORDS = (
    "make produce manufacture build ship send deliver transport supply move haul take pack load bring choose "
    "pick select carry work assign open run use operate visit serve drive buy eat consume have sell cut plant"
)
_VERBS = frozenset(map(stem, _VERB_WORDS.split()))


def listed(labels: tuple[Label | bool, ...] | list[str], last: str = "and", most: int = _MOST_LABELS) -> str:
    """Labels as "A, B and C", the long list cut."""
    names = [str(label) for label in labels[:most]]
    if len(labels) > most:
        return f"{', '.join(names)} and {len(labels) - most} more"
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} {last} {names[-1]}"


class Naming:
    """Words for the things of one model."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def collection(self, number: int | None, *, one: bool = True) -> str:
        """A collection by its field name: "item", or "items"."""
        if number is None:
            return "member" if one else "members"
        name = self.field(self._vocabulary.collections[number].path)
        return singular(name) if one else name

    def field(self, path: Path) -> str:
        """The last name of a path as words."""
        return next(str(step) for step in reversed(path) if isinstance(step, str)).replace("_", " ")

    def family(self, selection: Selection) -> str:
        """The family's id as words."""
        return selection.family.replace("_", " ")

    def amount(self, selection: Selection, *, total: bool = False) -> str:
        """What the variables of a selection stand for: "the stock of Alder", "the amount of Oats (eat)"."""
        name = self.family(selection)
        start = "the total " if total else "the "
        parts = [self.position(selection, place) for place in sorted(selection.filters)]
        where = f" of {' for '.join(parts)}" if parts else ""
        if stem(name.split()[0]) in _VERBS:
            return f"{start}amount{where} ({name})"
        return f"{start}{name}{where}"

    def is_plural(self, path: Path) -> bool:
        """Whether a field that counts, as `rows: int` does, is named by a plural."""
        attribute, name = self._vocabulary.attribute(path), self.field(path)
        return not attribute.collections and isinstance(attribute.values[()], int) and singular(name) != name

    def tag(self, selection: Selection) -> str:
        """The family in brackets where the model has several."""
        return f" ({self.family(selection)})" if len(self._vocabulary.families) > 1 else ""

    def unit(self, path: Path, after: str = "") -> str:
        """The unit of a field behind an amount: " kilograms", or ", in kilograms" after a comma."""
        unit = unit_of(self._vocabulary.attribute(path).description)
        if after:
            return f"{after} in {unit}" if unit else ""
        return f" {unit}" if unit and " " not in unit else ""

    def counted(self, selection: Selection) -> list[int]:
        """The index positions that a sum runs over, the one that is not restricted first."""
        places = range(len(self._vocabulary.family(selection.family).dimensions))
        free = [place for place in places if place not in selection.each and not _one(selection, place)]
        return sorted(free, key=lambda place: place in selection.filters)

    def some(self, selection: Selection, *, one: bool) -> str:
        """What is counted: "items", "items with category outdoor", "of Tent and Stove"."""
        counted = self.counted(selection)
        if len(counted) > 1:
            parts = [self.position(selection, place) for place in sorted(counted)]
            return f"{'combination' if one else 'combinations'} of {listed(parts)}"
        place = counted[0]
        found = selection.filters.get(place)
        if found is None:
            number = self._vocabulary.family(selection.family).dimensions[place].collection
            return self.collection(number, one=one)
        return f"{'of ' if found.labels is not None else ''}{self.position(selection, place, one=one)}"

    def position(self, selection: Selection, place: int, *, one: bool = False) -> str:
        """The labels meant at one index position."""
        number = self._vocabulary.family(selection.family).dimensions[place].collection
        return self.filtered(number, selection.filters.get(place, Filter()), one=one)

    def filtered(self, number: int | None, found: Filter, *, one: bool = False) -> str:
        """The elements of a collection that a filter leaves."""
        flags = [self.field(s.attribute) for s in found.subsets if s.values == (True,)]
        others = [self._with(s) for s in found.subsets if s.values != (True,)]
        name = " ".join((*flags, self.collection(number, one=one)))
        if found.labels is None:
            return " ".join((name, *others))
        where = [f"that are {flag}" for flag in flags] + others
        return " ".join((listed(found.labels), *where))

    def _with(self, subset: Subset) -> str:
        return f"with {self.field(subset.attribute)} {listed(subset.values, 'or')}"

    def rest(self, selection: Selection, *subjects: int) -> str:
        """The restrictions at the other positions: " for Dov and shifts with day Sat"."""
        parts = [
            self.position(selection, place) for place in sorted(selection.filters) if place not in subjects
        ]
        return f" for {listed(parts)}" if parts else ""

    def each(self, selection: Selection) -> str:
        """Over what a rule is repeated, where the restrictions do not say it already."""
        dimensions = self._vocabulary.family(selection.family).dimensions
        names = [self.collection(dimensions[place].collection) for place in selection.each]
        if selection.each_value is not None:
            names.append(self.field(selection.each_value))
        return f", for each {listed(names)}" if names else ""

    def filters(self, path: Path, filters: dict[int, Filter]) -> str:
        """Whose values of a field are meant: " of Tent", " of every item for Jun"."""
        parts = [
            self.filtered(number, filters[number])
            if number in filters
            else f"every {self._element(number, path)}"
            for number in self._vocabulary.attribute(path).collections
        ]
        return f" of {' for '.join(parts)}" if parts else ""

    def _element(self, number: int, path: Path) -> str:
        """One element of a collection; "entry" where the field is the collection, as in `price: dict`."""
        name = self.collection(number)
        return "entry" if name == singular(self.field(path)) else name


def _one(selection: Selection, place: int) -> bool:
    found = selection.filters.get(place)
    return found is not None and found.labels is not None and len(found.labels) == 1 and not found.subsets
