# ruff: noqa
"""Cat food at least cost, as people wrote for PuLP 2."""

from pulp import *

Ingredients = ["CHICKEN", "BEEF", "MUTTON", "RICE", "WHEAT", "GEL"]
costs = dict(zip(Ingredients, [0.013, 0.008, 0.010, 0.002, 0.005, 0.001]))
protein = dict(zip(Ingredients, [0.100, 0.200, 0.150, 0.000, 0.040, 0.000]))
fat = dict(zip(Ingredients, [0.080, 0.100, 0.110, 0.010, 0.010, 0.000]))

prob = LpProblem("The cat food problem", LpMinimize)
ingredient_vars = LpVariable.dicts("Ingr", Ingredients, 0)
prob += lpSum([costs[i] * ingredient_vars[i] for i in Ingredients]), "Total cost per can"
prob += lpSum([ingredient_vars[i] for i in Ingredients]) == 100, "PercentagesSum"
prob += lpSum([protein[i] * ingredient_vars[i] for i in Ingredients]) >= 8.0, "ProteinRequirement"
prob += lpSum([fat[i] * ingredient_vars[i] for i in Ingredients]) >= 6.0, "FatRequirement"
ingredient_vars["WHEAT"].upBound = 40
ingredient_vars["RICE"].bounds(5, 30)
prob.writeLP("cat_food.lp")
prob.solve(PULP_CBC_CMD(msg=0))
print("Status:", LpStatus[prob.status])
for v in prob.variables():
    print(v.name, "=", v.varValue)
