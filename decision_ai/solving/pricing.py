"""What a plan that somebody typed in is worth and what it breaks, without solving."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from decision_ai.solving.answers import Point
from decision_ai.solving.building import BuiltModel
from decision_ai.solving.families import BuiltFamily, Index
from decision_ai.solving.findings import BrokenMember, PricedPlan
from decision_ai.solving.linear import INTEGRALITY, Floats, missed
from decision_ai.solving.outcome import Label, Plan, indexed_name

_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,17})?")


@dataclass(kw_only=True)
class Reading:
    """A plan on the columns of a model."""

    values: Floats
    missing: list[str] = field(default_factory=list)
    """Names of members the plan does not give; they have the value nearest to 0."""
    unknown: list[str] = field(default_factory=list)
    """Names the plan gives and the model does not have, or gives a second time."""


def read_plan(built: BuiltModel, plan: Plan) -> Reading:
    """Put a plan on the columns of a model.

    A label that came out of a file as text stands for the number of the model that is written like it, if
    there is one only.
    """
    values = np.clip(np.zeros(built.linear.columns), built.linear.lower, built.linear.upper)
    reading = Reading(values=values)
    for name, family in built.families.items():
        given = plan.values.get(name, [])
        taken: set[int] = set()
        for index, value, member in _matched(family, given):
            if member is None or member in taken:
                reading.unknown.append(indexed_name(name, index))
            else:
                taken.add(member)
                values[family.first + member] = value
        reading.missing += [
            indexed_name(name, index) for member, index in enumerate(family.indices) if member not in taken
        ]
    for name, given in plan.values.items():
        if name not in built.families:
            reading.unknown += [indexed_name(name, index) for index, _ in given] or [name]
    return reading


def price(built: BuiltModel, reading: Reading) -> tuple[PricedPlan, Point]:
    """Evaluate a plan on a built model; the rows are told by the point, `rows` is empty."""
    linear, values = built.linear, reading.values
    activities = linear.activities(values)
    far = missed(activities, linear.row_lower, linear.row_upper, linear.noise(values))
    soft = [
        name
        for name, info in type(built.model).constraints.items()
        if info.priority != "hard" and name in built.description.constraints
    ]
    priced = PricedPlan(
        objective=linear.objective(values) if type(built.model).objective_id else None,
        rows=[],
        members=list(_broken_members(built, values)),
        missing=reading.missing,
        unknown=reading.unknown,
        soft=soft,
    )
    return priced, Point.at(built, values, far)


def _matched(
    family: BuiltFamily, given: list[tuple[Index, float]]
) -> Iterator[tuple[Index, float, int | None]]:
    """(index, value, member) of everything given; what matches exactly comes first."""
    exact = {index: member for member, index in enumerate(family.indices)}
    yield from ((index, value, exact[index]) for index, value in given if index in exact)
    rest = [(index, value) for index, value in given if index not in exact]
    if not rest:
        return
    loose: dict[Index, int | None] = {}
    for index, member in exact.items():
        written = tuple(map(_written, index))
        loose[written] = None if written in loose else member
    yield from ((index, value, loose.get(tuple(map(_written, index)))) for index, value in rest)


def _written(label: Label) -> str:
    """A label as text; 1, 1.0, "1" and "1.0" are written alike."""
    if isinstance(label, str):
        text = label.strip()
        if _NUMBER.fullmatch(text) is None:
            return text
        label = float(text) if "." in text else int(text)
    return str(int(label)) if label == int(label) else repr(float(label))


def _broken_members(built: BuiltModel, values: Floats) -> Iterator[BrokenMember]:
    linear = built.linear
    fraction = (np.abs(values - np.round(values)) > INTEGRALITY) & linear.integral
    outside = missed(values, linear.lower, linear.upper) > 0
    wrong = fraction | outside
    for name, family in built.families.items():
        columns = slice(family.first, family.first + len(family.indices))
        for member in np.flatnonzero(wrong[columns]).tolist():
            column = family.first + member
            lower, upper = float(linear.lower[column]), float(linear.upper[column])
            yield BrokenMember(
                variable_id=name,
                index=family.indices[member],
                value=float(values[column]),
                lower=lower if lower > -np.inf else None,
                upper=upper if upper < np.inf else None,
                whole=bool(linear.integral[column]),
            )
