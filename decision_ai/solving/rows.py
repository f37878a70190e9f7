"""Runs constraint methods and keeps the map from rows back to them."""

from collections.abc import Collection, Iterator
from types import GeneratorType
from typing import Any

from decision_ai.client.schemas.components import Priority
from decision_ai.solving.blame import Blame, Component
from decision_ai.solving.explaining import signature, takes
from decision_ai.solving.families import MOST_MEMBERS, Index, index_of
from decision_ai.solving.findings import PartName
from decision_ai.solving.problem import EXPRESSIONS, NotLinear, Problem, Row

SINGLE = object()
"""Stands for the index of a constraint that is one row."""


class Rows:
    """The rows of one model."""

    def __init__(self, problem: Problem, blame: Blame, focus: Collection[PartName] = ()) -> None:
        """Collect nothing yet.

        Args:
            problem: where the rows go.
            blame: makes the reports.
            focus: parts of which it is an error, and not a warning, that they come to nothing.
        """
        self.keys: list[tuple[str, Index]] = []
        self.priorities: list[Priority] = []
        self.indices: dict[str, dict[Index, None]] = {}
        self.warnings: list[str] = []
        self._problem = problem
        self._blame = blame
        self._focus = focus

    def build(self, name: str, method: Any, data: Any, variables: Any, priority: Priority) -> None:
        """Add the rows of one constraint.

        Raises:
            BuildFailure: if it does not build.
        """
        self.indices[name] = {}
        always: list[str | None] = []
        if not takes(method, data, variables):
            text = f"it must take (self, data, v), not {signature(method)}"
            raise self._blame.failure("constraint", name, "wrong_arguments", text)
        try:
            for index, constraint, line in pairs(method(data, variables)):
                always.append(self._add(name, index, constraint, line, priority))
        except NotLinear as error:
            raise self._blame.failure(
                "constraint", name, error.error_type, str(error), line=error.line, hint=error.hint
            ) from error
        except Exception as error:
            raise self._blame.exception("constraint", name, error) from error
        if None not in always:
            self._nothing(name, always[0] if always else None)

    def _add(self, name: str, index: Any, returned: Any, line: int | None, priority: Priority) -> str | None:
        """Add one row; None, or why it always holds."""
        blame: tuple[Component, str] = ("constraint", name)
        try:
            key = () if index is SINGLE else index_of(index)
            row = self._problem.row(returned)
        except NotLinear as error:
            raise self._blame.failure(
                *blame, error.error_type, str(error), line=line, hint=error.hint
            ) from error
        except TypeError as error:
            raise self._blame.failure(*blame, "wrong_index", str(error), line=line) from error
        holds = row if isinstance(row, bool) else row.constant
        why = None if holds is None else _without_variables(row)
        if holds is False:
            text = f"the comparison{f' at {key!r}' if key else ''} is never true on these data: {why}"
            raise self._blame.failure(*blame, "constant_constraint", text, line=line, hint=_never_hint(row))
        if key in self.indices[name]:
            text = f"the index {key!r} occurs twice"
            hint = "yield every index once; several rows of one index need one more label, such as (i, t)"
            raise self._blame.failure(*blame, "duplicate_row", text, line=line, hint=hint)
        if self._problem.rows >= MOST_MEMBERS:
            text = f"the model has more than {MOST_MEMBERS:,} rows"
            raise self._blame.failure(*blame, "too_large", text, line=line)
        if isinstance(row, Row) and (holds is None or key):
            self.indices[name][key] = None
            self._problem.add_row(row)
            self.keys.append((name, key))
            self.priorities.append(priority)
        return why

    def _nothing(self, name: str, always: str | None) -> None:
        """A constraint without a row: an error where it was just changed, else a warning."""
        if always is None:
            error_type, text = "empty_index_set", "gives no row on these data"
            hint = self._blame.empty_hint() or "the loop runs over nothing; check its set and its conditions"
        else:
            error_type, text = "constant_constraint", f"is always true on these data: {always}"
            hint = self._blame.empty_hint() or "put at least one variable on one side of the comparison"
        if PartName(kind="constraint", id=name) in self._focus:
            raise self._blame.failure("constraint", name, error_type, f"it {text}", hint=hint)
        self.warnings.append(f"constraint {name} {text}")


def _without_variables(row: Row | bool) -> str:
    return "no variable is left in it" if isinstance(row, Row) else "it compares no variables"


def _never_hint(row: Row | bool) -> str:
    if isinstance(row, Row):
        return "its variables cancel out or its sum is empty; check the signs and the set it sums over"
    return "put at least one variable on one side of the comparison"


def pairs(returned: Any) -> Iterator[tuple[Any, Any, int | None]]:
    """The rows a method returned, as (index, constraint, line of the program that yielded it).

    Raises:
        NotLinear: for what is no pair of index and constraint.
    """
    if isinstance(returned, GeneratorType):
        for pair in returned:
            frame = returned.gi_frame
            line = frame.f_lineno if frame is not None else None
            yield *_pair(pair, line), line
    elif type(returned) is dict:
        yield from ((index, constraint, None) for index, constraint in returned.items())
    elif isinstance(returned, list | tuple | zip | map | filter):
        yield from ((*_pair(pair), None) for pair in returned)
    else:
        yield SINGLE, returned, None


def _pair(pair: Any, line: int | None = None) -> tuple[Any, Any]:
    if isinstance(pair, tuple) and len(pair) == 2:
        index, comparison = pair
        if not isinstance(index, EXPRESSIONS):
            return pair
        text, hint = "the index comes first, then the comparison", "write `yield i, v.x[i] <= 1`"
        if isinstance(comparison, EXPRESSIONS):
            text, hint = (
                "several constraints are yielded with an index each",
                "write `yield 'first', v.x[i] <= 1`",
            )
        raise NotLinear("not_a_constraint", text, hint, line)
    raise NotLinear(
        "not_a_constraint",
        "several constraints are given as (index, comparison) pairs, such as `yield i, v.x[i] <= 1`",
        "one constraint is returned alone, without an index",
        line,
    )
