"""Find the cheapest set of tours that visits every customer within its time window."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective

DEPOT = "Depot"
BIG_M = 1000
"""Minutes by which a time rule is lifted where a leg is not driven."""


class Depot(InputData):
    """Where all tours start and end."""

    x: float
    """Position to the east in km."""
    y: float
    """Position to the north in km."""


class Customer(InputData):
    """One customer to visit."""

    x: float
    """Position to the east in km."""
    y: float
    """Position to the north in km."""
    demand: float
    """Ordered quantity in units."""
    open: float
    """Earliest start of the service, in minutes since midnight."""
    close: float
    """Latest start of the service, in minutes since midnight."""
    service: float
    """Length of the service in minutes."""


class Vehicle(InputData):
    """One vehicle, which does at most one tour."""

    capacity: float
    """What it can carry, in units."""
    fixed_cost: float
    """Cost if it goes out, in money."""
    cost_per_km: float
    """Driving cost in money per km."""


class RoutingData(InputData):
    """The day, the places and the vehicles."""

    shift_start: float
    """Start of the day, in minutes since midnight."""
    shift_end: float
    """End of the day, in minutes since midnight."""
    minutes_per_km: float
    """Driving time in minutes per km."""
    depot: Depot
    """The depot's position."""
    customers: dict[str, Customer]
    """Customers by name."""
    vehicles: dict[str, Vehicle]
    """Vehicles by name."""


def places(data: RoutingData) -> list[str]:
    """The depot and all customers."""
    return [DEPOT, *data.customers]


def legs(data: RoutingData) -> list[tuple[str, str]]:
    """All ways from one place straight to another."""
    return [(i, j) for i in places(data) for j in places(data) if i != j]


def distance(data: RoutingData, i: str, j: str) -> float:
    """Distance in km along the grid of streets."""
    a, b = (data.depot if place == DEPOT else data.customers[place] for place in (i, j))
    return abs(a.x - b.x) + abs(a.y - b.y)


class RoutingVariables(Variables):
    """What is decided: who drives where, and when services begin."""

    drive: dict[tuple[str, str, str], Var] = binary(
        over=lambda data: [(k, i, j) for k in data.vehicles for i, j in legs(data)], math=r"drive_{v,i,j}"
    )
    """1 if the vehicle drives straight from the first place to the second."""
    begin: dict[str, Var] = continuous(
        over=lambda data: data.customers, lower=0, upper=1440, math=r"begin_{c}"
    )
    """Start of the service at the customer, in minutes since midnight."""


def serves(data: RoutingData, v: RoutingVariables, vehicle: str, customer: str) -> Any:
    """1 if the vehicle visits the customer."""
    return pulp.lpSum(v.drive[vehicle, i, customer] for i in places(data) if i != customer)


def used(data: RoutingData, v: RoutingVariables, vehicle: str) -> Any:
    """1 if the vehicle goes out."""
    return pulp.lpSum(v.drive[vehicle, DEPOT, c] for c in data.customers)


def driven(data: RoutingData, v: RoutingVariables, i: str, j: str) -> Any:
    """1 if some vehicle drives straight from i to j."""
    return pulp.lpSum(v.drive[k, i, j] for k in data.vehicles)


class VehicleRouting(OptModel[RoutingData, RoutingVariables]):
    """Every customer visited once and on time, at the lowest cost."""

    @constraint(r"\sum_{v \in V} serves_{v,c} = 1 \quad \forall c \in C")
    def visit_once(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """Every customer is visited exactly once."""
        for c in data.customers:
            yield c, pulp.lpSum(serves(data, v, k, c) for k in data.vehicles) == 1

    @constraint(r"used_v \le 1 \quad \forall v \in V")
    def leave_depot(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """A vehicle leaves the depot at most once."""
        for k in data.vehicles:
            yield k, used(data, v, k) <= 1

    @constraint(r"serves_{v,c} = \sum_{j \ne c} drive_{v,c,j} \quad \forall v \in V, c \in C")
    def flow(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """A vehicle that comes to a customer also leaves it."""
        for k in data.vehicles:
            for c in data.customers:
                leaves = pulp.lpSum(v.drive[k, c, j] for j in places(data) if j != c)
                yield (k, c), serves(data, v, k, c) == leaves

    @constraint(r"\sum_{c \in C} q_c \, serves_{v,c} \le Q_v \quad \forall v \in V")
    def load(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """A vehicle carries no more than its capacity."""
        for k, vehicle in data.vehicles.items():
            carried = pulp.lpSum(
                customer.demand * serves(data, v, k, c) for c, customer in data.customers.items()
            )
            yield k, carried <= vehicle.capacity

    @constraint(r"\sum_{c \in C} serves_{v,c} \le 3 \quad \forall v \in V", policy=True)
    def max_stops(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """A vehicle makes at most three stops."""
        for k in data.vehicles:
            yield k, pulp.lpSum(serves(data, v, k, c) for c in data.customers) <= 3

    @constraint(
        r"begin_j \ge begin_i + s_i + m D_{i,j} - M (1 - \sum_{v \in V} drive_{v,i,j})"
        r" \quad \forall i \ne j \in C"
    )
    def time_link(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """Service at the next customer begins after the service before and the drive between them."""
        for i, customer in data.customers.items():
            for j in data.customers:
                if i != j:
                    takes = customer.service + data.minutes_per_km * distance(data, i, j)
                    yield (i, j), v.begin[j] >= v.begin[i] + takes - BIG_M * (1 - driven(data, v, i, j))

    @constraint(
        r"begin_j \ge t_0 + m D_{Depot,j} - M (1 - \sum_{v \in V} drive_{v,Depot,j}) \quad \forall j \in C"
    )
    def first_leg(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """Service at the first customer begins after the start of the day and the drive from the depot."""
        for j in data.customers:
            arrival = data.shift_start + data.minutes_per_km * distance(data, DEPOT, j)
            yield j, v.begin[j] >= arrival - BIG_M * (1 - driven(data, v, DEPOT, j))

    @constraint(r"a_c \le begin_c \le b_c \quad \forall c \in C")
    def window(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """Service at a customer begins within the customer's time window."""
        for c, customer in data.customers.items():
            yield (c, "open"), v.begin[c] >= customer.open
            yield (c, "close"), v.begin[c] <= customer.close

    @constraint(
        r"begin_i + s_i + m D_{i,Depot} \le t_1 + M (1 - \sum_{v \in V} drive_{v,i,Depot})"
        r" \quad \forall i \in C",
        policy=True,
    )
    def back_by(self, data: RoutingData, v: RoutingVariables) -> Iterator[tuple[str, Any]]:
        """Every vehicle is back at the depot by the end of the day."""
        for i, customer in data.customers.items():
            takes = customer.service + data.minutes_per_km * distance(data, i, DEPOT)
            yield i, v.begin[i] + takes <= data.shift_end + BIG_M * (1 - driven(data, v, i, DEPOT))

    @objective(
        "minimize",
        r"\sum_{v \in V} \sum_{i \ne j \in N} k_v D_{i,j} \, drive_{v,i,j} + \sum_{v \in V} F_v \, used_v",
    )
    def total_cost(self, data: RoutingData, v: RoutingVariables) -> Any:
        """Driving cost plus the fixed cost of the vehicles that go out, in money."""
        driving = pulp.lpSum(
            vehicle.cost_per_km * distance(data, i, j) * v.drive[k, i, j]
            for k, vehicle in data.vehicles.items()
            for i, j in legs(data)
        )
        fixed = pulp.lpSum(vehicle.fixed_cost * used(data, v, k) for k, vehicle in data.vehicles.items())
        return driving + fixed

    def solution_to_str(self, data: RoutingData, v: RoutingVariables) -> str:
        """The tour of every vehicle that goes out, with times and load."""
        lines = []
        for k, vehicle in data.vehicles.items():
            after = {i: j for i, j in legs(data) if v.drive[k, i, j].value() > 0.5}
            stops: list[str] = []
            place = after.get(DEPOT, DEPOT)
            while place != DEPOT and place not in stops:
                stops.append(place)
                place = after.get(place, DEPOT)
            if not stops:
                continue
            tour = [DEPOT, *stops, DEPOT]
            km = sum(distance(data, i, j) for i, j in pairwise(tour))
            units = sum(data.customers[c].demand for c in stops)
            lines.append(f"{k}: {km:,.10g} km, {units:,.10g} of {vehicle.capacity:,.10g} units")
            for c in stops:
                minutes = round(v.begin[c].value())
                lines.append(
                    f"  {minutes // 60:02d}:{minutes % 60:02d} {c}, {data.customers[c].demand:,.10g} units"
                )
        return "\n".join(lines) or "No vehicle goes out."
