"""Plan production, stock and overtime over the half-year at the lowest total cost."""

from collections.abc import Iterator
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, objective


class Product(InputData):
    """One product."""

    make_cost: float
    """Cost of making one unit, in money per unit."""
    holding_cost: float
    """Cost of holding one unit at the end of a month, in money per unit."""
    initial_stock: float
    """Stock before the first month, in units."""
    final_stock: float
    """Least stock after the last month, in units."""
    demand: dict[str, float]
    """Demand by month, in units."""


class Machine(InputData):
    """One machine."""

    regular_hours: dict[str, float]
    """Regular hours by month."""
    max_overtime: float
    """Most overtime in a month, in hours."""
    overtime_cost: float
    """Price of overtime, in money per hour."""


class PlanningData(InputData):
    """Months, products, machines and the store."""

    months: list[str]
    """Months in the order of time."""
    storage_capacity: float
    """What the store takes at the end of a month, all products together, in units."""
    products: dict[str, Product]
    """Products by name."""
    machines: dict[str, Machine]
    """Machines by name."""
    hours_per_unit: dict[str, dict[str, float]]
    """Machine time by product and machine, in hours per unit."""


class PlanningVariables(Variables):
    """What is decided: production, stock and overtime."""

    make: dict[tuple[str, str], Var] = continuous(
        over=lambda data: [(p, t) for p in data.products for t in data.months], math=r"make_{p,t}"
    )
    """Units of the product made in the month."""
    stock: dict[tuple[str, str], Var] = continuous(
        over=lambda data: [(p, t) for p in data.products for t in data.months], math=r"stock_{p,t}"
    )
    """Units of the product in stock at the end of the month."""
    overtime: dict[tuple[str, str], Var] = continuous(
        over=lambda data: [(k, t) for k in data.machines for t in data.months], math=r"overtime_{k,t}"
    )
    """Overtime hours of the machine in the month."""


class ProductionPlanning(OptModel[PlanningData, PlanningVariables]):
    """Demand met in full and on time at the lowest cost of production, stock and overtime."""

    @constraint(
        r"stock_{p,t-1} + make_{p,t} - d_{p,t} = stock_{p,t}, \; stock_{p,0} = s^0_p"
        r" \quad \forall p \in P, t \in T"
    )
    def balance(self, data: PlanningData, v: PlanningVariables) -> Iterator[tuple[tuple[str, str], Any]]:
        """Stock at the end of a month is the stock before plus what is made minus the demand."""
        for p, product in data.products.items():
            before: Any = product.initial_stock
            for t in data.months:
                yield (p, t), before + v.make[p, t] - product.demand[t] == v.stock[p, t]
                before = v.stock[p, t]

    @constraint(
        r"\sum_{p \in P} a_{p,k} \, make_{p,t} \le R_{k,t} + overtime_{k,t} \quad \forall k \in K, t \in T"
    )
    def machine_hours(
        self, data: PlanningData, v: PlanningVariables
    ) -> Iterator[tuple[tuple[str, str], Any]]:
        """Production takes no more machine hours than the regular hours and the overtime."""
        for k, machine in data.machines.items():
            for t in data.months:
                used = pulp.lpSum(data.hours_per_unit[p][k] * v.make[p, t] for p in data.products)
                yield (k, t), used <= machine.regular_hours[t] + v.overtime[k, t]

    @constraint(r"overtime_{k,t} \le O_k \quad \forall k \in K, t \in T")
    def overtime_limit(
        self, data: PlanningData, v: PlanningVariables
    ) -> Iterator[tuple[tuple[str, str], Any]]:
        """Overtime of a machine in a month stays within the machine's limit."""
        for k, machine in data.machines.items():
            for t in data.months:
                yield (k, t), v.overtime[k, t] <= machine.max_overtime

    @constraint(r"\sum_{k \in K} overtime_{k,t} \le 75 \quad \forall t \in T", policy=True)
    def overtime_month(self, data: PlanningData, v: PlanningVariables) -> Iterator[tuple[str, Any]]:
        """Overtime of all machines together is at most 75 hours a month, as the shift agreement says."""
        for t in data.months:
            yield t, pulp.lpSum(v.overtime[k, t] for k in data.machines) <= 75

    @constraint(r"\sum_{p \in P} stock_{p,t} \le S \quad \forall t \in T")
    def storage(self, data: PlanningData, v: PlanningVariables) -> Iterator[tuple[str, Any]]:
        """Stock of all products together fits into the store at the end of every month."""
        for t in data.months:
            yield t, pulp.lpSum(v.stock[p, t] for p in data.products) <= data.storage_capacity

    @constraint(r"stock_{p,T} \ge s^F_p \quad \forall p \in P", policy=True)
    def final_stock(self, data: PlanningData, v: PlanningVariables) -> Iterator[tuple[str, Any]]:
        """The last month leaves the minimum stock of every product."""
        for p, product in data.products.items():
            yield p, v.stock[p, data.months[-1]] >= product.final_stock

    @objective(
        "minimize",
        r"\sum_{p,t} c_p \, make_{p,t} + \sum_{p,t} h_p \, stock_{p,t} + \sum_{k,t} o_k \, overtime_{k,t}",
    )
    def total_cost(self, data: PlanningData, v: PlanningVariables) -> Any:
        """Total cost of production, stock and overtime, in money."""
        making = pulp.lpSum(
            product.make_cost * v.make[p, t] for p, product in data.products.items() for t in data.months
        )
        holding = pulp.lpSum(
            product.holding_cost * v.stock[p, t] for p, product in data.products.items() for t in data.months
        )
        overtime = pulp.lpSum(
            machine.overtime_cost * v.overtime[k, t]
            for k, machine in data.machines.items()
            for t in data.months
        )
        return making + holding + overtime

    def solution_to_str(self, data: PlanningData, v: PlanningVariables) -> str:
        """Production, stock and overtime of every month."""
        lines = []
        for t in data.months:
            lines.append(f"{t}:")
            for p in data.products:
                made, kept = v.make[p, t].value(), v.stock[p, t].value()
                if made > 1e-6 or kept > 1e-6:
                    lines.append(f"  {p}: make {made:,.2f}, stock {kept:,.2f} units")
            for k in data.machines:
                if v.overtime[k, t].value() > 1e-6:
                    lines.append(f"  overtime {k}: {v.overtime[k, t].value():,.2f} hours")
        return "\n".join(lines)
