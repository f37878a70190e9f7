"""Variables that a PuLP script declares together, with the index each of them has.

The indices are called `indexs` in PuLP 2.
"""

import itertools
from typing import Any

from decision_ai.modeling.importing.pulp_variables import CONTINUOUS, LpVariable


def variable_dicts(
    name: str,
    indices: Any = None,
    lowBound: Any = None,
    upBound: Any = None,
    cat: str = CONTINUOUS,
    indexStart: Any = None,
    indexs: Any = None,
) -> dict[Any, Any]:
    """`LpVariable.dicts`: one dictionary inside another for several indices."""
    family = _Family(name, indices if indexs is None else indexs, (lowBound, upBound, cat))
    return family.nested(family.indices, tuple(indexStart or ()), as_lists=False)  # type: ignore[no-any-return]


def variable_matrix(
    name: str,
    indices: Any = None,
    lowBound: Any = None,
    upBound: Any = None,
    cat: str = CONTINUOUS,
    indexStart: Any = None,
    indexs: Any = None,
) -> list[Any]:
    """`LpVariable.matrix`: lists inside lists for several indices."""
    family = _Family(name, indices if indexs is None else indexs, (lowBound, upBound, cat))
    return family.nested(family.indices, tuple(indexStart or ()), as_lists=True)  # type: ignore[no-any-return]


def variable_dict(
    name: str,
    indices: Any = None,
    lowBound: Any = None,
    upBound: Any = None,
    cat: str = CONTINUOUS,
    indexs: Any = None,
) -> dict[Any, LpVariable]:
    """`LpVariable.dict`: one dictionary, by tuples for several indices."""
    family = _Family(name, indices if indexs is None else indexs, (lowBound, upBound, cat))
    if len(family.indices) == 1:
        return {key: family.variable(_labels(key)) for key in family.indices[0]}
    return {key: family.variable(key) for key in itertools.product(*family.indices)}


class _Family:
    """Variables that are declared together."""

    def __init__(self, name: str, indices: Any, properties: tuple[Any, ...]) -> None:
        given = indices if isinstance(indices, tuple) else (indices,)
        self.indices = tuple(list(one) for one in given)
        self._name = str(name)
        self._template = self._name if "%" in self._name else self._name + "_%s" * len(given)
        self._properties = properties

    def nested(self, indices: tuple[list[Any], ...], before: tuple[Any, ...], *, as_lists: bool) -> Any:
        """Variables by index, one container inside another."""
        first, rest = indices[0], indices[1:]
        made = [
            self.nested(rest, (*before, one), as_lists=as_lists) if rest else self.variable((*before, one))
            for one in first
        ]
        return made if as_lists else dict(zip(first, made, strict=True))

    def variable(self, index: tuple[Any, ...]) -> LpVariable:
        """One variable; its name holds one label for each `%s`."""
        # PuLP writes the last label as text, so that a tuple there is one label.
        labels = index if self._template.count("%") == len(index) else (index,)
        variable = LpVariable(self._template % tuple(map(_text, labels)), *self._properties)
        if "%" not in self._name:
            variable.member = self._name, tuple(label for one in index for label in _labels(one))
        return variable


def _text(label: Any) -> Any:
    return str(label) if isinstance(label, tuple) else label


def _labels(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


# PuLP 2 and 3 have them there.
LpVariable.dicts = staticmethod(variable_dicts)  # type: ignore[attr-defined]
LpVariable.dict = staticmethod(variable_dict)  # type: ignore[attr-defined]
LpVariable.matrix = staticmethod(variable_matrix)  # type: ignore[attr-defined]
