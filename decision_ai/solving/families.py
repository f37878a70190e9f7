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
from decision_ai.solving.blame import Blame, WrongIndex, nearest
from decision_ai.solving.outcome import Label
from decision_ai.solving.problem import Problem

MOST_MEMBERS = 10_000_000
"""A family with more members is refused before it is built."""

Index: TypeAlias = tuple[Label, ...]


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
        size, wanted = (len(k) if isinstance(k, tuple) else 1 for k in (key, example))
        if example is not None and size != wanted:
            takes = "one label" if wanted == 1 else f"a tuple of {wanted} labels"
            message = f"{self._family}[{key!r}]: the family takes {takes}, such as {example!r}"
        else:
            message = f"{self._family}[{key!r}]: the family has no such member"
        raise WrongIndex(self._family, key, message, nearest(key, self))


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
    if isinstance(value, dict | list | set | tuple) or hasattr(value, "__pydantic_fields__") or value is None:
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
            member = _member(variable_id, index)
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
        over = family.over(data)
        if isinstance(over, str | bytes | numbers.Number) or hasattr(over, "__pydantic_fields__"):
            hint = "range(n) gives the numbers below n" if isinstance(over, numbers.Number) else None
            text = f"`over` must give a set of labels, not one {type(over).__name__}"
            raise blame.failure("variable", variable_id, "exception", text, hint=hint)
        if isinstance(over, Sized) and len(over) > MOST_MEMBERS:
            raise _too_large(variable_id, blame)
        keys = list(itertools.islice(over, MOST_MEMBERS + 1))
    except Exception as error:
        raise blame.exception("variable", variable_id, error) from error
    if len(keys) > MOST_MEMBERS:
        raise _too_large(variable_id, blame)
    return keys


def _member(variable_id: str, index: Index) -> str:
    return f"{variable_id}[{', '.join(map(str, index))}]" if index else variable_id


def _too_large(variable_id: str, blame: Blame) -> Exception:
    text = f"the family has more than {MOST_MEMBERS:,} members"
    hint = "index it over the combinations that matter only"
    return blame.failure("variable", variable_id, "too_large", text, hint=hint)


def _indices(variable_id: str, keys: list[Any], blame: Blame) -> list[Index]:
    try:
        indices = [index_of(key) for key in keys]
    except TypeError as error:
        raise blame.failure("variable", variable_id, "wrong_index", str(error)) from error
    seen: set[Index] = set()
    for index in indices:
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
                yield _number(bound(data, *(key if isinstance(key, tuple) else (key,))), none)
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
