"""Index sets with a name: families whose members are all combinations of such sets are declared over them."""

from collections.abc import Collection, Sequence
from itertools import product
from math import prod

from decision_ai.modeling.importing.foreign import ForeignModel
from decision_ai.modeling.importing.grouping import Group, Index
from decision_ai.modeling.importing.naming import Names, class_identifier, identifier


class IndexSets:
    """The named sets that families of a model are made of.

    Args:
        model: the model.
        groups: its families and constraints.
        names: the names of the file; those of the families are taken already.
        claimed: names that the file gives later.
    """

    def __init__(
        self, model: ForeignModel, groups: Sequence[Group], names: Names, claimed: Collection[str]
    ) -> None:
        refused = {*claimed, *_own_names(model)}
        self._named = {
            frozenset(labels): (name, labels)
            for name, labels in model.sets
            if identifier(name) == name and name not in refused and names.is_free(name)
        }
        self._labels = dict(self._named.values())
        for name in dict.fromkeys(name for group in groups for name in self.of(group)):
            names.unique(name, instead="labels")

    def of(self, group: Group) -> tuple[str, ...]:
        """The sets whose combinations are the members of a group, in this order; none if there are none."""
        if not self._named:
            return ()
        indices = [index for _, index in group.members]
        sets = [self._named.get(frozenset(labels)) for labels in zip(*indices, strict=True)]
        known = [one for one in sets if one is not None]
        if not known or len(known) < len(sets) or prod(len(labels) for _, labels in known) != len(indices):
            return ()
        return tuple(name for name, _ in known) if _same(known, indices) else ()

    def labels(self, used: Collection[str]) -> dict[str, Index]:
        """The labels of the sets that are used, in the order of the script's names."""
        return {name: labels for name, labels in self._labels.items() if name in used}


def _same(sets: Sequence[tuple[str, Index]], indices: list[Index]) -> bool:
    return list(product(*(labels for _, labels in sets))) == indices


def _own_names(model: ForeignModel) -> set[str]:
    """What the file calls its objective and its main classes."""
    base = class_identifier(identifier(model.name)) or "Imported"
    return {
        *("total", "objective_constant", identifier(model.objective_name)),
        *(base, f"{base}Data", f"{base}Variables"),
    }
