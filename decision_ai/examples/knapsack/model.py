"""Load the demonstration van with the most useful items it can carry."""

from collections.abc import Iterator
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, objective


class Item(InputData):
    """One item on the shelf."""

    weight: float
    """Weight of the item in kilograms."""
    value: float
    """How useful the item is at a demonstration, in points."""
    category: str
    """Category the item belongs to."""


class KnapsackData(InputData):
    """The van and the items to choose from."""

    capacity: float
    """Weight the van may carry, in kilograms."""
    items: dict[str, Item]
    """Items on the shelf by name."""


class KnapsackVariables(Variables):
    """What is decided: which items are loaded."""

    take: dict[str, Var] = binary(over=lambda data: data.items, math=r"take_{i}")
    """1 if the item is loaded."""


class Knapsack(OptModel[KnapsackData, KnapsackVariables]):
    """The most points within weight, number and mix of items."""

    @constraint(r"\sum_{i \in I} w_i \, take_i \le W")
    def capacity(self, data: KnapsackData, v: KnapsackVariables) -> Any:
        """The loaded items weigh no more than the van may carry."""
        return pulp.lpSum(item.weight * v.take[i] for i, item in data.items.items()) <= data.capacity

    @constraint(r"\sum_{i \in I} take_i \le 7", policy=True)
    def max_items(self, data: KnapsackData, v: KnapsackVariables) -> Any:
        """At most seven items are loaded."""
        return pulp.lpSum(v.take[i] for i in data.items) <= 7

    @constraint(r"\sum_{i \in I :\, g_i = g} take_i \ge 1 \quad \forall g \in G", policy=True)
    def category_min(self, data: KnapsackData, v: KnapsackVariables) -> Iterator[tuple[str, Any]]:
        """At least one item of every category is loaded."""
        for category in dict.fromkeys(item.category for item in data.items.values()):
            members = [i for i, item in data.items.items() if item.category == category]
            yield category, pulp.lpSum(v.take[i] for i in members) >= 1

    @objective("maximize", r"\sum_{i \in I} v_i \, take_i")
    def total_value(self, data: KnapsackData, v: KnapsackVariables) -> Any:
        """Total usefulness of the loaded items, in points."""
        return pulp.lpSum(item.value * v.take[i] for i, item in data.items.items())

    def solution_to_str(self, data: KnapsackData, v: KnapsackVariables) -> str:
        """The loaded items with their weight and points."""
        loaded = [i for i in data.items if v.take[i].value() > 0.5]
        weight = sum(data.items[i].weight for i in loaded)
        value = sum(data.items[i].value for i in loaded)
        lines = [
            f"Load {len(loaded)} items: {weight:,.10g} of {data.capacity:,.10g} kg, {value:,.10g} points"
        ]
        for i in loaded:
            item = data.items[i]
            lines.append(f"  {i} ({item.category}): {item.weight:,.10g} kg, {item.value:,.10g} points")
        return "\n".join(lines)
