"""Which lists of a script are its index sets: what they hold, by the name of the variable."""

from collections import defaultdict
from collections.abc import Iterable, KeysView, Mapping
from itertools import islice
from typing import Any

from decision_ai.modeling.importing.row_families import Label, is_whole

_KINDS = (list, tuple, range, set, frozenset, KeysView)
"""Not dictionaries: they are called after what they say of each label, such as `cost`."""

NamedSet = tuple[str, tuple[Label, ...]]


def named_sets(spaces: Iterable[Mapping[str, Any]], *, most: int) -> list[NamedSet]:
    """Name and labels of the lists of labels in a script, no name and no set of labels twice.

    The innermost name of a set of labels counts. Of several there, the shortest plural does; without one the
    set stays without a name.

    Args:
        spaces: names of the script, the innermost first.
        most: how many labels a set may have.
    """
    found: dict[frozenset[Label], NamedSet | None] = {}
    taken: set[str] = set()
    for space in spaces:
        candidates: dict[frozenset[Label], list[NamedSet]] = defaultdict(list)
        for name, value in list(space.items()):
            labels = () if name in taken or name != name.strip("_") else _labels(value, most)
            if labels:
                candidates[frozenset(labels)].append((name, labels))
        for key, named in candidates.items():
            taken.update(name for name, _ in named)
            found.setdefault(key, _clearest(named))
    return [one for one in found.values() if one is not None]


def _labels(value: Any, most: int) -> tuple[Label, ...]:
    """The labels of a list that could be an index set; none if it is no such list."""
    if not isinstance(value, _KINDS):
        return ()
    labels = list(islice(value, most + 1))
    if len(labels) > most or not (all(isinstance(one, str) for one in labels) or all(map(is_whole, labels))):
        return ()
    kept = tuple(str(one) if isinstance(one, str) else int(one) for one in labels)
    return kept if len(set(kept)) == len(kept) else ()


def _clearest(named: list[NamedSet]) -> NamedSet | None:
    if len(named) == 1:
        return named[0]
    plurals = sorted((one for one in named if one[0].lower().endswith("s")), key=lambda one: len(one[0]))
    if not plurals or (len(plurals) > 1 and len(plurals[0][0]) == len(plurals[1][0])):
        return None
    return plurals[0]
