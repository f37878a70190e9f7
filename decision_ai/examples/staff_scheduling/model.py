"""Make the weekly roster with the lowest sum of pay and unfairness."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class Employee(InputData):
    """One person."""

    max_shifts: int
    """Most shifts the person works in a week."""
    pay: float
    """Pay in money per hour."""
    senior: bool
    """True if the person is a senior."""


class Shift(InputData):
    """One shift of the week."""

    day: str
    """Day of the shift."""
    required: int
    """People needed, exactly."""
    hours: float
    """Length in hours."""


class RosterData(InputData):
    """People, shifts, and who can work when."""

    gap_weight: float
    """What one shift of difference between the busiest and the least busy person counts, in money."""
    employees: dict[str, Employee]
    """People by name."""
    shifts: dict[str, Shift]
    """Shifts in the order of the week, named by day and `early` or `late`, such as `Mon-early`."""
    available: dict[str, list[str]]
    """The shifts each person can work."""


class RosterVariables(Variables):
    """What is decided: who works which shift."""

    work: dict[tuple[str, str], Var] = binary(
        over=lambda data: [(e, s) for e in data.employees for s in data.shifts], math=r"work_{e,s}"
    )
    """1 if the person works the shift."""
    most: Var = continuous(math="most")
    """Number of shifts of the busiest person."""
    least: Var = continuous(math="least")
    """Number of shifts of the least busy person."""


def days(data: RosterData) -> list[str]:
    """The days of the week in order."""
    return list(dict.fromkeys(shift.day for shift in data.shifts.values()))


def shifts_on(data: RosterData, day: str) -> list[str]:
    """The shifts of one day."""
    return [s for s, shift in data.shifts.items() if shift.day == day]


class StaffScheduling(OptModel[RosterData, RosterVariables]):
    """Every shift staffed, everybody's limits kept, at the lowest pay and the smallest gap."""

    @constraint(r"\sum_{e \in E} work_{e,s} = r_s \quad \forall s \in S")
    def cover(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[str, Any]]:
        """Every shift has exactly the people it needs."""
        for s, shift in data.shifts.items():
            yield s, pulp.lpSum(v.work[e, s] for e in data.employees) == shift.required

    @constraint(
        r"work_{e,s} \le 1 \text{ if } s \in A_e, \; work_{e,s} \le 0 \text{ otherwise}"
        r" \quad \forall e \in E, s \in S"
    )
    def availability(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """People work only shifts for which they are available."""
        for e in data.employees:
            for s in data.shifts:
                yield (e, s), v.work[e, s] <= (1 if s in data.available[e] else 0)

    @constraint(r"\sum_{s \in S} work_{e,s} \le M_e \quad \forall e \in E")
    def max_shifts(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[str, Any]]:
        """Nobody works more shifts a week than their maximum."""
        for e, employee in data.employees.items():
            yield e, pulp.lpSum(v.work[e, s] for s in data.shifts) <= employee.max_shifts

    @constraint(r"\sum_{s \text{ on day } x} work_{e,s} \le 1 \quad \forall e \in E, x \in D", policy=True)
    def one_per_day(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """Nobody works twice on one day."""
        for e in data.employees:
            for day in days(data):
                yield (e, day), pulp.lpSum(v.work[e, s] for s in shifts_on(data, day)) <= 1

    @constraint(
        r"work_{e,\text{late}(x)} + work_{e,\text{early}(x+1)} \le 1"
        r" \quad \forall e \in E, x \in D \setminus \{\text{last}\}",
        policy=True,
    )
    def rest(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """After a late shift nobody works the early shift of the next day."""
        week = days(data)
        for e in data.employees:
            for day, next_day in pairwise(week):
                late, early = f"{day}-late", f"{next_day}-early"
                if late in data.shifts and early in data.shifts:
                    yield (e, day), v.work[e, late] + v.work[e, early] <= 1

    @constraint(
        r"\sum_{e \text{ senior}} \sum_{s \text{ on day } x} work_{e,s} \ge 1 \quad \forall x \in D",
        policy=True,
    )
    def senior_daily(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[str, Any]]:
        """On every day at least one duty is done by a senior."""
        seniors = [e for e, employee in data.employees.items() if employee.senior]
        for day in days(data):
            yield day, pulp.lpSum(v.work[e, s] for e in seniors for s in shifts_on(data, day)) >= 1

    @constraint(r"most \ge \sum_{s \in S} work_{e,s} \quad \forall e \in E")
    def most_shifts(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[str, Any]]:
        """The busiest person has at least as many shifts as anybody."""
        for e in data.employees:
            yield e, v.most >= pulp.lpSum(v.work[e, s] for s in data.shifts)

    @constraint(r"least \le \sum_{s \in S} work_{e,s} \quad \forall e \in E")
    def least_shifts(self, data: RosterData, v: RosterVariables) -> Iterator[tuple[str, Any]]:
        """The least busy person has at most as many shifts as anybody."""
        for e in data.employees:
            yield e, v.least <= pulp.lpSum(v.work[e, s] for s in data.shifts)

    @objective("minimize", r"\sum_{e \in E, s \in S} p_e \, l_s \, work_{e,s} + g \, (most - least)")
    def pay_and_gap(self, data: RosterData, v: RosterVariables) -> Any:
        """Pay of all shifts plus the weighted gap between the busiest and the least busy person, in money."""
        pay = pulp.lpSum(
            employee.pay * shift.hours * v.work[e, s]
            for e, employee in data.employees.items()
            for s, shift in data.shifts.items()
        )
        return pay + data.gap_weight * (v.most - v.least)

    def solution_to_str(self, data: RosterData, v: RosterVariables) -> str:
        """Who works each shift, and how many shifts everybody has."""
        working = [pair for pair, var in v.work.items() if var.value() > 0.5]
        lines = []
        for s in data.shifts:
            people = [e for e, shift in working if shift == s]
            if people:
                lines.append(f"{s}: {', '.join(people)}")
        counts = {e: sum(person == e for person, _ in working) for e in data.employees}
        lines.append("Shifts: " + ", ".join(f"{e} {count}" for e, count in counts.items() if count))
        pay = sum(data.employees[e].pay * data.shifts[s].hours for e, s in working)
        lines.append(f"Pay: {pay:,.2f}")
        return "\n".join(lines)
