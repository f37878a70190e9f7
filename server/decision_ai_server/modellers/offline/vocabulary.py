"""What this model calls its things: collections and fields of the data, families, rules."""

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decision_ai.modeling.program import Program
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.executors.base import FamilyDescription, ModelDescription
from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Attribute, Collection, DataWalk, Path
from decision_ai_server.modellers.offline.meaning import Filter
from decision_ai_server.modellers.offline.past import Named, Past, fields_of, parts_of
from decision_ai_server.modellers.offline.words import stems


@dataclass(frozen=True)
class Dimension:
    """One index position of a family.

    Attributes:
        labels: in the order of the model.
        collection: number of the collection it runs over; None if no collection has these labels.
        exact: whether the labels are those of the collection, none more and none fewer.
    """

    labels: tuple[Label, ...]
    collection: int | None
    exact: bool


@dataclass(frozen=True)
class FamilyEntry:
    """One variable family.

    Attributes:
        full: whether every combination of collection labels is a member, so that loops over the data do.
    """

    id: str
    binary: bool
    discrete: bool
    dimensions: tuple[Dimension, ...]
    full: bool
    words: tuple[str, ...]
    doc: frozenset[str]
    description: str


@dataclass(frozen=True)
class Rule(Named):
    """One constraint of the program.

    Attributes:
        numbers: the numbers written in its code.
        soft: whether it has a priority.
        added: whether it came in the chat.
    """

    numbers: tuple[float, ...]
    enabled: bool
    soft: bool
    added: bool
    description: str


@dataclass(frozen=True)
class Vocabulary:
    """Everything a sentence can speak of."""

    collections: tuple[Collection, ...]
    attributes: tuple[Attribute, ...]
    families: tuple[FamilyEntry, ...]
    rules: tuple[Rule, ...]
    objective_doc: str
    past: Past

    @classmethod
    def build(
        cls,
        program: Program,
        data: Any,
        description: ModelDescription | None,
        base: Program | None = None,
        past: Past | None = None,
    ) -> "Vocabulary":
        """Read a model; `base` tells which rules were there from the start, `past` what else there was."""
        walk = DataWalk(program)
        walk.run(data)
        built = description.families if description is not None else {}
        families = [
            _family(program, built[name], walk.collections)
            for name in program.variables
            if name in built and built[name].indices
        ]
        known = program if base is None else base
        rules = [_rule(program, name, added=name not in known.constraints) for name in program.constraints]
        return cls(
            collections=tuple(walk.collections),
            attributes=tuple(walk.attributes),
            families=tuple(families),
            rules=tuple(rules),
            objective_doc=program.objective.description if program.objective else "",
            past=parts_of(program) if past is None else past,
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems that names of fields, families and rules consist of."""
        named = [entry.words for entry in self.attributes]
        named += [entry.words for entry in self.families] + [entry.words for entry in self.rules]
        return frozenset(word for words in named for word in words)

    @cached_property
    def known_stems(self) -> frozenset[str]:
        """Every stem of a name or a description."""
        found = set(stems(self.objective_doc))
        for attribute in self.attributes:
            found.update(attribute.words, attribute.doc)
        for family in self.families:
            found.update(family.words, family.doc)
        for rule in self.rules:
            found.update(rule.words, rule.doc, rule.fields)
        return frozenset(found)

    def resolved(self, found: Filter, number: int) -> tuple[Label, ...]:
        """The labels of a collection that a filter leaves."""
        labels = self.collections[number].labels if found.labels is None else found.labels
        for subset in found.subsets:
            values = self.attribute(subset.attribute).values
            labels = tuple(label for label in labels if values.get((label,)) in subset.values)
        return labels

    def matching(self, path: Path, filters: dict[int, Filter]) -> dict[tuple[Label, ...], Any]:
        """The values of a field that filters by collection leave."""
        attribute = self.attribute(path)
        allowed = {number: self.resolved(found, number) for number, found in filters.items()}
        return {
            labels: value
            for labels, value in attribute.values.items()
            if all(
                label in allowed.get(number, (label,))
                for number, label in zip(attribute.collections, labels, strict=True)
            )
        }

    def attribute(self, path: Path) -> Attribute:
        """The field at a path."""
        return next(found for found in self.attributes if found.path == path)

    def family(self, name: str) -> FamilyEntry:
        """The family of an id."""
        return next(found for found in self.families if found.id == name)

    def rule(self, name: str) -> Rule:
        """The rule of an id."""
        return next(found for found in self.rules if found.id == name)


def _family(program: Program, built: FamilyDescription, collections: list[Collection]) -> FamilyEntry:
    part = program.variables[built.variable_id]
    columns = zip(*built.indices, strict=True) if built.indices != [()] else ()
    dimensions = tuple(_dimension(tuple(dict.fromkeys(column)), collections) for column in columns)
    size = 1
    for dimension in dimensions:
        size *= len(dimension.labels)
    full = size == len(built.indices) and all(
        dimension.exact
        and dimension.collection is not None
        and all(isinstance(step, str) for step in collections[dimension.collection].path)
        for dimension in dimensions
    )
    return FamilyEntry(
        id=part.id,
        binary=built.domain == "binary",
        discrete=built.domain != "continuous",
        dimensions=dimensions,
        full=full,
        words=tuple(stems(part.id)),
        doc=frozenset(stems(part.description)),
        description=part.description,
    )


def _dimension(labels: tuple[Label, ...], collections: list[Collection]) -> Dimension:
    """The collection of an index: the one with the same labels, else the one that shares most of them."""
    wanted = set(labels)
    shared = [(len(wanted & set(entry.labels)), entry) for entry in collections]
    for number, (_, entry) in enumerate(shared):
        if set(entry.labels) == wanted:
            return Dimension(labels, number, exact=True)
    best = max(range(len(shared)), key=lambda number: (shared[number][0], -number), default=None)
    if best is None or shared[best][0] * 2 <= len(wanted):
        return Dimension(labels, None, exact=False)
    return Dimension(labels, best, exact=False)


def _rule(program: Program, name: str, *, added: bool) -> Rule:
    part = program.constraints[name]
    nodes = list(ast.walk(parse_module(part.code)))
    numbers = [
        float(node.value)
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ]
    return Rule(
        id=name,
        words=tuple(stems(name)),
        doc=frozenset(stems(part.description)),
        fields=fields_of(part.code),
        numbers=tuple(numbers),
        enabled=part.enabled,
        soft=part.priority != "hard",
        added=added,
        description=part.description,
    )
