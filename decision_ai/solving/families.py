"""Variable families: index sets and bounds become columns, and the program looks members up."""

import inspect
import itertools
import math
import numbers
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from decision_ai.modeling.variables import Bound, Domain, Family
from decision_ai.solving.blame import Blame
from decision_ai.solving.explaining import WrongIndex, nearest, signature, takes
from decision_ai.solving.guards import SilentlyRead
from decision_ai.solving.outcome import Label, indexed_name
from decision_ai.solving.problem import Problem

MOST_MEMBERS = 10_000_000
"""A family with more members is refused before it is built."""
_MOST_TURNED = 5
_MOST_COMPARED = 10_000

Index: TypeAlias = tuple[Label, ...]

_NO_SET = (str, bytes, numbers.Number, type(None))
_OVER = "write over=lambda data: ..."
_BOUND = "write a function of (data) or of (data, i, ...) with one argument for every label of an index"


@dataclass(frozen=True, kw_only=True)
class BuiltFamily:
    """One family as columns: member i is column `first + i`."""

    variable_id: str
    domain: Domain
    indices: list[Index]
    first: int
    field: Any
    """What the program sees: one variable, or a dict of variables."""


class Members(dict[Any, Any]):
    """A family by label or tuple; a wrong index says which family and what was probably meant."""

    def __init__(self, family: str, members: dict[Any, Any]) -> None:
        self._family = family
        super().__init__(members)

    def __missing__(self, key: Any) -> Any:
        """Say what is wrong with a key that is not a member."""
        example = next(iter(self), None)
        if example is None:
            raise WrongIndex(self._family, key, f"{self._written(key)}: the family has no member", None)
        size, wanted = (len(k) if isinstance(k, tuple) else 1 for k in (key, example))
        if size != wanted:
            takes = "one label" if wanted == 1 else f"{wanted} labels"
            message = f"{self._written(key)}: the family takes {takes}, as in {self._written(example)}"
            raise WrongIndex(self._family, key, message, None)
        message = f"{self._written(key)}: the family has no such member; it has {self._written(example)}"
        turned = itertools.permutations(key) if isinstance(key, tuple) and size <= _MOST_TURNED else ()
        swapped = next((other for other in turned if other in self), None)
        if swapped is not None:
            hint = f"its labels have another order: {self._written(swapped)}"
            raise WrongIndex(self._family, key, message, hint)
        raise WrongIndex(self._family, key, message, nearest(key, itertools.islice(self, _MOST_COMPARED)))

    def _written(self, key: Any) -> str:
        labels = key if isinstance(key, tuple) and key else (key,)
        return f"{self._family}[{', '.join(map(repr, labels))}]"


def _whole_family(self: Members, *_others: Any) -> Any:
    family, example = self._family, next(iter(self), None)
    raise SilentlyRead(
        "whole_family",
        f"{family} is a whole family of variables, not one of them",
        f"take a member, such as {self._written(example)}, or their sum: lpSum({family}.values())",
    )


for _name in (
    "le",
    "lt",
    "ge",
    "gt",
    "eq",
    "ne",
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "neg",
):
    setattr(Members, f"__{_name}__", _whole_family)
Members.__call__ = _whole_family  # type: ignore[method-assign]


def label(value: Any) -> Label:
    """One component of an index as it is reported.

    Raises:
        TypeError: if it cannot label anything.
    """
    if type(value) in (str, int):  # nearly all of them; asking the abstract classes below takes its time
        return value  # type: ignore[no-any-return]
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise TypeError(f"{value!r} cannot label a member")
        return float(value)
    if (
        isinstance(value, dict | list | set | frozenset | tuple)
        or hasattr(value, "__pydantic_fields__")
        or value is None
    ):
        raise TypeError(f"{value!r:.80} cannot label a member; use text, numbers or tuples of them")
    return str(value)


def index_of(key: Any) -> Index:
    """The index behind a key: a label stands for itself.

    Raises:
        TypeError: if a component cannot be a label.
    """
    return tuple(map(label, key)) if isinstance(key, tuple) else (label(key),)


def build_family(problem: Problem, variable_id: str, family: Family, data: Any, blame: Blame) -> BuiltFamily:
    """Make the columns of one family.

    Raises:
        BuildFailure: if the index set or the bounds are not usable.
    """
    keys = _keys(variable_id, family, data, blame)
    indices: list[Index] = [()] if keys is None else _indices(variable_id, keys, blame)
    first = problem.columns
    bounds = zip(
        _bounds(variable_id, family.lower, keys, -math.inf, data, blame),
        _bounds(variable_id, family.upper, keys, math.inf, data, blame),
        strict=True,
    )
    made = []
    for index, (lower, upper) in zip(indices, bounds, strict=True):
        if lower > upper:
            member = indexed_name(variable_id, index)
            text = f"the lower bound {lower:g} of {member} is above its upper bound {upper:g}"
            hint = "swap them, or correct the data they come from"
            raise blame.failure("variable", variable_id, "bad_bounds", text, hint=hint)
        fixed = (lower, upper) if family.enabled else (0.0, 0.0)
        made.append(problem.add_variable(family.domain, *fixed))
    field = made[0] if keys is None else Members(variable_id, dict(zip(keys, made, strict=True)))
    return BuiltFamily(
        variable_id=variable_id, domain=family.domain, indices=indices, first=first, field=field
    )


def _keys(variable_id: str, family: Family, data: Any, blame: Blame) -> list[Any] | None:
    if family.over is None:
        return None
    try:
        if not takes(family.over, data):
            text = f"`over` is called with the data, and takes {signature(family.over)}"
            raise blame.failure("variable", variable_id, "wrong_arguments", text, hint=_OVER)
        over: Any = family.over(data)
        if isinstance(over, _NO_SET) or hasattr(over, "__pydantic_fields__"):
            hint = "range(n) gives the numbers below n" if isinstance(over, numbers.Number) else None
            given = "None" if over is None else f"one {type(over).__name__}"
            text = f"`over` must give a set of labels, not {given}"
            raise blame.failure("variable", variable_id, "exception", text, hint=hint)
        if isinstance(over, Sized) and len(over) > MOST_MEMBERS:
            raise _too_large(variable_id, blame)
        keys = list(itertools.islice(over, MOST_MEMBERS + 1))
    except Exception as error:
        raise blame.exception("variable", variable_id, error) from error
    if len(keys) > MOST_MEMBERS:
        raise _too_large(variable_id, blame)
    return keys


def _too_large(variable_id: str, blame: Blame) -> Exception:
    text = f"the family has more than {MOST_MEMBERS:,} members"
    hint = "index it over the combinations that matter only"
    return blame.failure("variable", variable_id, "too_large", text, hint=hint)


def _indices(variable_id: str, keys: list[Any], blame: Blame) -> list[Index]:
    try:
        indices = [index_of(key) for key in keys]
    except TypeError as error:
        hint = "give tuples, such as (i, t), for several labels" if type(keys[0]) is list else None
        raise blame.failure("variable", variable_id, "wrong_index", str(error), hint=hint) from error
    seen: set[Index] = set()
    for index in indices:
        if len(index) != len(indices[0]):
            text = f"`over` mixes indices of different lengths: {indices[0]!r} and {index!r}"
            hint = "give every member as many labels, or declare two families"
            raise blame.failure("variable", variable_id, "wrong_index", text, hint=hint)
        if index in seen:
            text = f"the index {index!r} occurs twice in `over`"
            hint = "give every index once, such as with set(...) or dict.fromkeys(...)"
            raise blame.failure("variable", variable_id, "wrong_index", text, hint=hint)
        seen.add(index)
    return indices


def _bounds(
    variable_id: str,
    bound: Bound,
    keys: list[Any] | None,
    none: float,
    data: Any,
    blame: Blame,
) -> Iterator[float]:
    count = 1 if keys is None else len(keys)
    try:
        if not callable(bound):
            yield from itertools.repeat(_number(bound, none), count)
        elif keys is None or _positional(bound) == 1:
            yield from itertools.repeat(_number(bound(data), none), count)
        else:
            for key in keys:
                labels = key if isinstance(key, tuple) else (key,)
                if key is keys[0] and not takes(bound, data, *labels):
                    text = f"a bound takes {signature(bound)}, its members have {len(labels)} labels"
                    raise blame.failure("variable", variable_id, "wrong_arguments", text, hint=_BOUND)
                yield _number(bound(data, *labels), none)
    except ValueError as error:
        raise blame.failure("variable", variable_id, "bad_bounds", str(error)) from error
    except Exception as error:
        raise blame.exception("variable", variable_id, error) from error


def _positional(function: Callable[..., Any]) -> int:
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
        for parameter in parameters
    )


def _number(value: Any, none: float) -> float:
    if value is None:
        return none
    if not isinstance(value, numbers.Real | np.number):
        raise ValueError(f"a bound must be a number or None, not {value!r:.80}")
    number = float(value)
    if math.isnan(number) or number == -none:
        raise ValueError(f"{number} is not a usable {'lower' if none < 0 else 'upper'} bound")
    return number
