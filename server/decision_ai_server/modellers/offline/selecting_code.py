"""Selections as Python and LaTeX: loops over the data, conditions, and the term that is summed."""

from dataclasses import dataclass, field

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Attribute, Collection, Path
from decision_ai_server.modellers.offline.meaning import Filter, Selection, Subset
from decision_ai_server.modellers.offline.source_text import latex, literal, tuple_literal
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry, Vocabulary

_RESERVED = frozenset({"v", "data", "self", "pulp", "as", "if", "in", "is", "or"})


class NotExpressible(Exception):
    """A meaning that cannot be written over this model's data; `str` says why, for the person."""


@dataclass(frozen=True)
class Loop:
    """One `for` of a comprehension or statement, with its conditions."""

    head: str
    conditions: tuple[str, ...] = ()

    def clause(self) -> str:
        """As part of a comprehension."""
        return " ".join((self.head, *(["if " + " and ".join(self.conditions)] if self.conditions else [])))


@dataclass
class Names:
    """Hands out short loop names, each once."""

    used: set[str] = field(default_factory=lambda: set(_RESERVED))

    def take(self, word: str) -> str:
        """The shortest free beginning of a word."""
        for length in range(1, len(word) + 1):
            if word[:length] not in self.used and word[:length].isidentifier():
                return self._mark(word[:length])
        number = 2
        while f"{word[:1]}{number}" in self.used:
            number += 1
        return self._mark(f"{word[:1]}{number}")

    def whole(self, word: str) -> str:
        """The whole word, numbered if taken."""
        number = 2
        name = word
        while name in self.used:
            name, number = f"{word}_{number}", number + 1
        return self._mark(name)

    def _mark(self, name: str) -> str:
        self.used.add(name)
        return name


@dataclass(frozen=True)
class Place:
    """How one index position is written: its key, and the record variable where a loop has one."""

    key: str
    collection: int | None
    record: str | None = None


@dataclass(frozen=True)
class Rendered:
    """A selection as code.

    Attributes:
        outer: loops of the rows, for positions that repeat the rule.
        inner: loops of the sum.
        term: one summand.
        index: keys of the outer loops.
        latex_sum: the sum as a formula.
        latex_each: "for all …", or nothing.
    """

    outer: tuple[Loop, ...]
    inner: tuple[Loop, ...]
    term: str
    index: tuple[str, ...]
    latex_sum: str
    latex_each: str

    @property
    def total(self) -> str:
        """The sum as an expression."""
        if not self.inner:
            return self.term
        return f"pulp.lpSum({self.term} {' '.join(loop.clause() for loop in self.inner)})"


def singular(name: str) -> str:
    """A plural field name as the name of one element."""
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") and len(name) > 2 else name


class SelectionWriter:
    """Writes the selections of one rule; loop names are unique across them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._names = Names()

    def render(self, selection: Selection) -> Rendered:
        """One selection as loops and a term.

        Raises:
            NotExpressible: if a loop over the data cannot say it.
        """
        family = self._vocabulary.family(selection.family)
        if not family.dimensions:
            return Rendered((), (), f"v.{family.id}", (), latex(family.id), "")
        return self._full(family, selection) if family.full else self._sparse(family, selection)

    def _full(self, family: FamilyEntry, selection: Selection) -> Rendered:
        outer: list[tuple[Loop, Place, int]] = []
        inner: list[tuple[Loop, Place, int]] = []
        places: list[Place] = []
        formulas: list[str] = []
        group_key, group_loop = self._group(selection)
        for position, dimension in enumerate(family.dimensions):
            found = selection.filters.get(position, Filter())
            if fixed := _only(found):
                places.append(Place(literal(fixed[0]), dimension.collection))
                formulas.append(latex(fixed[0]))
                continue
            number = dimension.collection
            if number is None:
                raise NotExpressible(f"the index of {family.id!r} is not in the data")
            place, loop = self._loop(number, found, selection, group_key)
            places.append(place)
            formulas.append(_shown_key(place))
            (outer if position in selection.each else inner).append((loop, place, number))
        index = tuple(place.key for _, place, _ in outer)
        if group_loop is not None:
            index = (group_key, *index)
        term = self._term(family, selection, places)
        return Rendered(
            (*((group_loop,) if group_loop else ()), *(loop for loop, _, _ in outer)),
            tuple(loop for loop, _, _ in inner),
            term,
            index,
            self._latex_sum(family, selection, formulas, [(_shown_key(p), n) for _, p, n in inner]),
            self._latex_each([(_shown_key(place), number) for _, place, number in outer], selection),
        )

    def _loop(self, number: int, found: Filter, selection: Selection, group_key: str) -> tuple[Place, Loop]:
        """The loop over one collection, with a record variable where its fields are read."""
        collection = self._vocabulary.collections[number]
        word = singular(str(collection.path[-1]))
        reads = [subset.attribute for subset in found.subsets]
        grouped = selection.each_value
        if grouped is not None and self._vocabulary.attribute(grouped).collections == (number,):
            reads.append(grouped)
        if selection.weight is not None:
            reads.append(selection.weight)
        head = (*collection.path, number)
        fields = any(path[: len(head)] == head for path in reads)
        if collection.shape == "records":
            record = self._names.whole(word)
            place = Place(f"{record}.{collection.label_field}", number, record)
            loop_head = f"for {record} in {_data(collection.path)}"
        elif found.labels is not None or not fields or collection.shape == "list":
            key = self._names.take(word)
            place = Place(key, number)
            source = tuple_literal(found.labels) if found.labels is not None else _data(collection.path)
            loop_head = f"for {key} in {source}"
        else:
            key, record = self._names.take(word), self._names.whole(word)
            place = Place(key, number, record)
            loop_head = f"for {key}, {record} in {_data(collection.path)}.items()"
        conditions = [self._condition(subset, [place]) for subset in found.subsets]
        if collection.shape == "records" and found.labels is not None:
            conditions.append(f"{place.key} in {tuple_literal(found.labels)}")
        if grouped in reads and grouped is not None:
            conditions.append(
                f"{self._value(self._vocabulary.attribute(grouped), [place], {})} == {group_key}"
            )
        return place, Loop(loop_head, tuple(conditions))

    def _sparse(self, family: FamilyEntry, selection: Selection) -> Rendered:
        """A family whose members are not all combinations: loop over the family itself."""
        outer: list[tuple[Loop, str, int | None]] = []
        places: list[Place] = []
        conditions: list[str] = []
        group_key, group_loop = self._group(selection)
        for position, dimension in enumerate(family.dimensions):
            key = self._names.take(self._word(family, position))
            found = selection.filters.get(position, Filter())
            places.append(Place(key, dimension.collection))
            conditions += self._sparse_conditions(found, places[-1], family, position)
            if position in selection.each:
                own = self._names.take(f"each_{key}")
                conditions.append(f"{key} == {own}")
                outer.append((Loop(self._range(family, position, own)), own, dimension.collection))
        if selection.weight is not None:
            conditions += self._membership(family, selection.weight, places)
        if selection.each_value is not None:
            attribute = self._vocabulary.attribute(selection.each_value)
            conditions += self._membership(family, attribute.path, places)
            conditions.append(f"{self._value(attribute, places, {})} == {group_key}")
        keys = ", ".join(place.key for place in places)
        head = f"for {keys} in v.{family.id}"
        index = tuple(own for _, own, _ in outer)
        return Rendered(
            (*((group_loop,) if group_loop else ()), *(loop for loop, _, _ in outer)),
            (Loop(head, tuple(dict.fromkeys(conditions))),),
            self._term(family, selection, places),
            (group_key, *index) if group_loop else index,
            self._latex_sum(
                family, selection, [p.key for p in places], [(p.key, p.collection) for p in places]
            ),
            self._latex_each([(own, number) for _, own, number in outer], selection),
        )

    def _sparse_conditions(
        self, found: Filter, place: Place, family: FamilyEntry, position: int
    ) -> list[str]:
        conditions = []
        if fixed := _only(found):
            return [f"{place.key} == {literal(fixed[0])}"]
        if found.labels is not None:
            conditions.append(f"{place.key} in {tuple_literal(found.labels)}")
        for subset in found.subsets:
            conditions += self._membership(family, subset.attribute, [place], position)
            conditions.append(self._condition(subset, [place]))
        return conditions

    def _membership(
        self, family: FamilyEntry, path: Path, places: list[Place], position: int | None = None
    ) -> list[str]:
        """Conditions that keep labels out that the data do not know, such as a depot among customers."""
        conditions = []
        for number in (step for step in path if isinstance(step, int)):
            holding = [index for index, place in enumerate(places) if place.collection == number]
            if not holding:
                continue
            dimension = family.dimensions[holding[-1] if position is None else position]
            collection = self._vocabulary.collections[number]
            if collection.shape == "records":
                raise NotExpressible(f"{family.id!r} does not run over {collection.path[-1]!r} in the data")
            if not set(dimension.labels) <= set(collection.labels):
                conditions.append(f"{places[holding[-1]].key} in {_data(collection.path)}")
        return conditions

    def _range(self, family: FamilyEntry, position: int, key: str) -> str:
        dimension = family.dimensions[position]
        if dimension.collection is not None and dimension.exact:
            collection = self._vocabulary.collections[dimension.collection]
            if collection.shape != "records" and _iterable(collection):
                return f"for {key} in {_data(collection.path)}"
        whole = f"key[{position}]" if len(family.dimensions) > 1 else "key"
        return f"for {key} in dict.fromkeys({whole} for key in v.{family.id})"

    def _word(self, family: FamilyEntry, position: int) -> str:
        number = family.dimensions[position].collection
        path = self._vocabulary.collections[number].path if number is not None else ()
        names = [step for step in path if isinstance(step, str)]
        return singular(names[-1]) if names else "index"

    def _group(self, selection: Selection) -> tuple[str, Loop | None]:
        """The loop over the values of a text field."""
        if selection.each_value is None:
            return "", None
        attribute = self._vocabulary.attribute(selection.each_value)
        collection = self._vocabulary.collections[attribute.collections[0]]
        if not _iterable(collection) or len(attribute.collections) != 1:
            raise NotExpressible(f"{attribute.name!r} does not group anything that can be listed")
        key = self._names.whole(str(attribute.path[-1]))
        record = self._names.whole(singular(str(collection.path[-1])))
        values = ".values()" if collection.shape == "dict" else ""
        inner = Place("", attribute.collections[0], record)
        value = self._value(attribute, [inner], {})
        source = f"{_data(collection.path)}{values}"
        return key, Loop(f"for {key} in dict.fromkeys({value} for {record} in {source})")

    def _term(self, family: FamilyEntry, selection: Selection, places: list[Place]) -> str:
        member = f"v.{family.id}[{', '.join(place.key for place in places)}]"
        if selection.weight is None:
            return member
        attribute = self._vocabulary.attribute(selection.weight)
        return f"{self._value(attribute, places, selection.pinned)} * {member}"

    def _condition(self, subset: Subset, places: list[Place]) -> str:
        value = self._value(self._vocabulary.attribute(subset.attribute), places, {})
        if subset.values == (True,):
            return value
        if len(subset.values) == 1:
            return f"{value} == {literal(subset.values[0])}"
        return f"{value} in {tuple_literal(subset.values)}"

    def _value(self, attribute: Attribute, places: list[Place], pinned: dict[int, Label]) -> str:
        """A field of the data at the given index."""
        text = "data"
        path: tuple[str | int, ...] = ()
        for step in attribute.path:
            path = (*path, step)
            if isinstance(step, str):
                text += f".{step}"
                continue
            place = next((found for found in reversed(places) if found.collection == step), None)
            collection = self._vocabulary.collections[step]
            if place is not None and place.record is not None and path == (*collection.path, step):
                text = place.record
            elif collection.shape == "records":
                raise NotExpressible(f"{attribute.name!r} cannot be looked up by name in the data")
            elif place is not None:
                text += f"[{place.key}]"
            elif step in pinned:
                text += f"[{literal(pinned[step])}]"
            else:
                raise NotExpressible(f"{attribute.name!r} needs an index that {text!r} does not have")
        return text

    def _latex_sum(
        self,
        family: FamilyEntry,
        selection: Selection,
        index: list[str],
        inner: list[tuple[str, int | None]],
    ) -> str:
        member = f"{latex(family.id)}_{{{', '.join(index)}}}"
        if selection.weight is not None:
            member = rf"{latex(self._vocabulary.attribute(selection.weight).name)} \, {member}"
        if not inner:
            return member
        parts = [
            rf"{key} \in {self._latex_range(number, selection.filters.get(index.index(key), Filter()))}"
            for key, number in inner
        ]
        for found in selection.filters.values():
            for subset in found.subsets:
                name = latex(self._vocabulary.attribute(subset.attribute).name)
                parts.append(f"{name} = {latex(', '.join(map(str, subset.values)))}")
        return f"\\sum_{{{', '.join(parts)}}} {member}"

    def _latex_range(self, number: int | None, found: Filter) -> str:
        if found.labels is None:
            return self._latex_set(number)
        return rf"\{{{', '.join(latex(label) for label in found.labels)}\}}"

    def _latex_set(self, number: int | None) -> str:
        if number is None:
            return latex("index")
        return latex(".".join(s for s in self._vocabulary.collections[number].path if isinstance(s, str)))

    def _latex_each(self, outer: list[tuple[str, int | None]], selection: Selection) -> str:
        parts = [rf"\forall {key} \in {self._latex_set(number)}" for key, number in outer]
        if selection.each_value is not None:
            parts.insert(0, rf"\forall {latex(self._vocabulary.attribute(selection.each_value).name)}")
        return rf" \quad {', '.join(parts)}" if parts else ""


def _shown_key(place: Place) -> str:
    """The index of a formula: the record where the key is one of its fields."""
    return place.record if place.record is not None and "." in place.key else place.key


def _only(found: Filter) -> tuple[Label, ...]:
    """The one label of a filter, if it is one label."""
    return found.labels if found.labels is not None and len(found.labels) == 1 and not found.subsets else ()


def _iterable(collection: Collection) -> bool:
    return all(isinstance(step, str) for step in collection.path)


def _data(path: Path) -> str:
    return ".".join(("data", *(str(step) for step in path)))
