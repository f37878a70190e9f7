"""What a plan that somebody brings is worth and what it breaks, in words."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, TypeAlias

from decision_ai.client.solution import Solution
from decision_ai.errors import DataError
from decision_ai.solving.executors.base import ModelDescription
from decision_ai.solving.findings import BrokenMember, CheckResult, PricedPlan
from decision_ai.solving.outcome import Label, Plan, RowState, indexed_name

PlanForm: TypeAlias = Any
"""A `Plan` or `Solution`; a dictionary by family of values, or of dictionaries from key to value; a path of
an Excel, CSV or JSON file or of a folder of CSV files; a data frame, or a dictionary of them by family."""

_MOST_LINES = 10
_MOST_NAMES = 10


@dataclass(frozen=True, kw_only=True)
class CheckedPlan:
    """A plan evaluated without solving.

    Attributes:
        priced: objective, rows, and what is broken.
        sense: `minimize` or `maximize`.
        best: the newest plan that this session found for the same model and data, to compare with.
    """

    priced: PricedPlan
    sense: Literal["minimize", "maximize"]
    best: Solution | None = None

    @property
    def objective(self) -> float | None:
        """The user's objective at the plan; None for a model without one."""
        return self.priced.objective

    @property
    def feasible(self) -> bool:
        """Whether every hard row, every bound and every integrality is kept."""
        return self.priced.feasible

    @property
    def broken(self) -> list[RowState]:
        """The rows of hard constraints that the plan misses; `violation` says by how much."""
        return self.priced.broken

    @property
    def members(self) -> list[BrokenMember]:
        """Members outside of their bounds, or not whole where they must be."""
        return self.priced.members

    @property
    def checks(self) -> list[CheckResult]:
        """How the plan does on the checks that are kept."""
        return self.priced.checks

    @property
    def acceptable(self) -> bool:
        """Whether the plan is feasible and breaks no kept check."""
        return self.feasible and all(check.holds is not False for check in self.checks)

    @property
    def lines(self) -> list[str]:
        """Everything there is to say, the verdict first."""
        soft = [
            row for row in self.priced.rows if row.violation > 0 and row.constraint_id in self.priced.soft
        ]
        return [
            self._verdict(),
            *_some(f"broken: {_row_words(row)}" for row in self.broken),
            *_some(f"broken: {_member_words(member)}" for member in self.members),
            *_some(f"soft, missed: {_row_words(row)}" for row in soft),
            *(_check_words(check) for check in self.checks),
            *_names("missing, taken as 0 or the bound nearest to it", self.priced.missing),
            *_names("not in the model and left out", self.priced.unknown),
        ]

    def _verdict(self) -> str:
        verdict = "feasible" if self.feasible else "not feasible"
        if self.objective is None:
            return f"{verdict}: the model has no objective"
        return f"{verdict}: objective {self.objective:.10g}{self._comparison(self.objective)}"

    def _comparison(self, objective: float) -> str:
        best = None if self.best is None else self.best.objective_value
        if best is None:
            return ""
        gain = objective - best if self.sense == "maximize" else best - objective
        if abs(gain) <= 1e-9 * max(1.0, abs(best)):
            return f", as good as the best known plan ({best:.10g})"
        return (
            f", {abs(gain):.10g} {'better' if gain > 0 else 'worse'} than the best known plan ({best:.10g})"
        )

    def __str__(self) -> str:
        first, *rest = self.lines
        return "\n".join([first, *(f"  {line}" for line in rest)])

    def _repr_html_(self) -> str:
        """The same as a list for a notebook."""
        first, *rest = self.lines
        items = "".join(f"<li>{escape(line)}</li>" for line in rest)
        return f"<p>{escape(first)}</p>" + (f"<ul>{items}</ul>" if items else "")


def plan_of(source: PlanForm, description: ModelDescription) -> Plan:
    """A plan in any of its forms.

    Args:
        source: the plan.
        description: the model it is for.

    Raises:
        DataError: if it does not fit; every problem of a table names its place.
        DecisionAIError: if a file cannot be read.
        TypeError: if it is none of these.
    """
    if isinstance(source, Solution):
        if source.plan is None:
            raise DataError("this solution has no plan; give one that has")
        return source.plan
    if isinstance(source, Plan):
        return source
    if isinstance(source, Mapping) and not any(_is_table(members) for members in source.values()):
        return Plan(values={str(name): list(_members((), values)) for name, values in source.items()})
    from decision_ai.tabular.plan_reading import read_plan

    return read_plan(Path(source) if isinstance(source, str) else source, description)


def _is_table(members: Any) -> bool:
    return not isinstance(members, Mapping | Real)


def _members(index: tuple[Label, ...], values: Any) -> Iterator[tuple[tuple[Label, ...], float]]:
    if isinstance(values, Mapping):
        for key, inner in values.items():
            labels = key if isinstance(key, tuple) else (key,)
            yield from _members((*index, *map(_label, labels)), inner)
        return
    number = float(values) if isinstance(values, Real) else float("nan")
    if number - number != 0:
        where = f" of [{', '.join(map(str, index))}]" if index else ""
        raise DataError(f"the value{where} is {values!r:.80}; a plan has numbers")
    yield index, number


def _label(key: Any) -> Label:
    """A key in the type in which models report it."""
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, Integral):
        return int(key)
    return float(key) if isinstance(key, Real) else str(key)


def _row_words(row: RowState) -> str:
    if row.lower == row.upper:
        wanted = f"be exactly {row.upper:.10g}"
    elif row.lower is not None and row.activity < row.lower:
        wanted = f"be at least {row.lower:.10g}"
    else:
        wanted = f"be at most {row.upper:.10g}"
    name = indexed_name(row.constraint_id, row.index)
    return f"{name}: {row.activity:.10g} must {wanted}, missed by {row.violation:.10g}"


def _member_words(member: BrokenMember) -> str:
    name = f"{indexed_name(member.variable_id, member.index)} = {member.value:.10g}"
    if member.upper is not None and member.value > member.upper:
        return f"{name} is above its upper bound {member.upper:.10g}"
    if member.lower is not None and member.value < member.lower:
        return f"{name} is below its lower bound {member.lower:.10g}"
    return f"{name} is not a whole number"


def _check_words(check: CheckResult) -> str:
    verdict = {True: "kept", False: "broken", None: "not known"}[check.holds]
    said = f"your check {check.name} is {verdict}: {check.sentence or check.name}"
    return f"{said} ({check.message})" if check.message else said


def _some(lines: Iterable[str]) -> list[str]:
    known = list(lines)
    more = [f"… and {len(known) - _MOST_LINES} more like these"] if len(known) > _MOST_LINES else []
    return [*known[:_MOST_LINES], *more]


def _names(title: str, names: list[str]) -> list[str]:
    if not names:
        return []
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return [f"{title}: {', '.join(names[:_MOST_NAMES])}{more}"]
