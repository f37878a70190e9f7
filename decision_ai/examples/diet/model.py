"""Put together the cheapest day of food that meets all needs."""

from collections.abc import Iterator
from typing import Any

import pulp

from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, objective


class Food(InputData):
    """One food."""

    price: float
    """Price of a portion of 100 g, in money."""
    max_portions: float
    """Most portions of it that people accept in a day."""


class Nutrient(InputData):
    """What a day's food must hold of one nutrient."""

    min: float
    """Least total of the day, in the nutrient's unit (kcal, g or mg)."""
    max: float
    """Greatest total of the day, in the nutrient's unit (kcal, g or mg)."""


class DietData(InputData):
    """Foods, nutrients, and what is in a portion."""

    foods: dict[str, Food]
    """Foods by name."""
    nutrients: dict[str, Nutrient]
    """Nutrients by name."""
    content: dict[str, dict[str, float]]
    """Content of a portion by food and nutrient, in the nutrient's unit."""


class DietVariables(Variables):
    """What is decided: how much of each food."""

    eat: dict[str, Var] = continuous(over=lambda data: data.foods, math=r"eat_{f}")
    """Portions of the food eaten in the day."""


class Diet(OptModel[DietData, DietVariables]):
    """All nutrients within their bounds at the lowest price."""

    @constraint(r"\sum_{f \in F} a_{f,n} \, eat_f \ge L_n \quad \forall n \in N")
    def nutrient_min(self, data: DietData, v: DietVariables) -> Iterator[tuple[str, Any]]:
        """The day holds at least the minimum of every nutrient."""
        for n, nutrient in data.nutrients.items():
            yield n, pulp.lpSum(data.content[f][n] * v.eat[f] for f in data.foods) >= nutrient.min

    @constraint(r"\sum_{f \in F} a_{f,n} \, eat_f \le U_n \quad \forall n \in N")
    def nutrient_max(self, data: DietData, v: DietVariables) -> Iterator[tuple[str, Any]]:
        """The day holds at most the maximum of every nutrient."""
        for n, nutrient in data.nutrients.items():
            yield n, pulp.lpSum(data.content[f][n] * v.eat[f] for f in data.foods) <= nutrient.max

    @constraint(r"eat_f \le u_f \quad \forall f \in F")
    def portion_max(self, data: DietData, v: DietVariables) -> Iterator[tuple[str, Any]]:
        """Nobody has to eat more portions of a food than people accept."""
        for f, food in data.foods.items():
            yield f, v.eat[f] <= food.max_portions

    @constraint(r"\sum_{f \in F} eat_f \le 10", policy=True)
    def total_portions(self, data: DietData, v: DietVariables) -> Any:
        """The day has at most ten portions in all."""
        return pulp.lpSum(v.eat[f] for f in data.foods) <= 10

    @objective("minimize", r"\sum_{f \in F} p_f \, eat_f")
    def total_price(self, data: DietData, v: DietVariables) -> Any:
        """Total price of the day's food, in money."""
        return pulp.lpSum(food.price * v.eat[f] for f, food in data.foods.items())

    def solution_to_str(self, data: DietData, v: DietVariables) -> str:
        """The portions of every food, with price and content."""
        eaten = {f: v.eat[f].value() for f in data.foods if v.eat[f].value() > 1e-6}
        lines = []
        for f, portions in eaten.items():
            lines.append(f"{f}: {portions:.2f} portions, {data.foods[f].price * portions:.2f}")
        for n in data.nutrients:
            total = sum(data.content[f][n] * portions for f, portions in eaten.items())
            lines.append(f"  {n}: {total:,.2f}")
        return "\n".join(lines)
