"""Decide which warehouses to open and who supplies which city, at the lowest total cost."""

from collections.abc import Iterator
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class Warehouse(InputData):
    """One warehouse that can be opened."""

    fixed_cost: float
    """Cost of having it open, in money a month."""
    capacity: float
    """What it can ship if open, in tonnes."""


class City(InputData):
    """One city to supply."""

    demand: float
    """What the city needs, in tonnes."""


class TransportData(InputData):
    """Warehouses, cities and what shipping costs."""

    warehouses: dict[str, Warehouse]
    """Warehouses by name."""
    cities: dict[str, City]
    """Cities by name."""
    unit_cost: dict[str, dict[str, float]]
    """Transport cost by warehouse and city, in money per tonne."""


class TransportVariables(Variables):
    """What is decided: open warehouses and shipments."""

    open: dict[str, Var] = binary(over=lambda data: data.warehouses, math=r"open_{w}")
    """1 if the warehouse is open."""
    ship: dict[tuple[str, str], Var] = continuous(
        over=lambda data: [(w, c) for w in data.warehouses for c in data.cities], math=r"ship_{w,c}"
    )
    """Tonnes sent from the warehouse to the city."""


class Transportation(OptModel[TransportData, TransportVariables]):
    """All cities supplied at the lowest cost of warehouses and transport."""

    @constraint(r"\sum_{w \in W} ship_{w,c} \ge d_c \quad \forall c \in C")
    def demand(self, data: TransportData, v: TransportVariables) -> Iterator[tuple[str, Any]]:
        """Every city gets what it needs."""
        for c, city in data.cities.items():
            yield c, pulp.lpSum(v.ship[w, c] for w in data.warehouses) >= city.demand

    @constraint(r"\sum_{c \in C} ship_{w,c} \le q_w \, open_w \quad \forall w \in W")
    def supply(self, data: TransportData, v: TransportVariables) -> Iterator[tuple[str, Any]]:
        """A warehouse ships no more than its capacity, and nothing if it is closed."""
        for w, warehouse in data.warehouses.items():
            yield w, pulp.lpSum(v.ship[w, c] for c in data.cities) <= warehouse.capacity * v.open[w]

    @constraint(r"\sum_{w \in W} open_w \le 3", policy=True)
    def max_open(self, data: TransportData, v: TransportVariables) -> Any:
        """At most three warehouses are open, as company policy says."""
        return pulp.lpSum(v.open[w] for w in data.warehouses) <= 3

    @objective("minimize", r"\sum_{w \in W} f_w \, open_w + \sum_{w \in W, c \in C} u_{w,c} \, ship_{w,c}")
    def total_cost(self, data: TransportData, v: TransportVariables) -> Any:
        """Fixed cost of the open warehouses plus transport cost, in money."""
        fixed = pulp.lpSum(warehouse.fixed_cost * v.open[w] for w, warehouse in data.warehouses.items())
        transport = pulp.lpSum(
            data.unit_cost[w][c] * v.ship[w, c] for w in data.warehouses for c in data.cities
        )
        return fixed + transport

    def solution_to_str(self, data: TransportData, v: TransportVariables) -> str:
        """The open warehouses and whom they supply."""
        lines = []
        for w, warehouse in data.warehouses.items():
            if v.open[w].value() < 0.5:
                continue
            shipped = {c: v.ship[w, c].value() for c in data.cities}
            lines.append(
                f"{w} is open and ships {sum(shipped.values()):,.2f} of {warehouse.capacity:,.10g} tonnes"
            )
            lines.extend(f"  to {c}: {tonnes:,.2f} tonnes" for c, tonnes in shipped.items() if tonnes > 1e-6)
        return "\n".join(lines) or "No warehouse is open."
