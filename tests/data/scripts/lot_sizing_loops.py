# ruff: noqa
"""Lots with set-ups, in loops over products and periods, without names for the rows."""

import pulp

T = range(1, 6)
PRODUCTS = ["A", "B"]
demand = {"A": [20, 0, 30, 15, 25], "B": [10, 25, 0, 20, 15]}
big = 70

prob = pulp.LpProblem("lots")
make = {(p, t): pulp.LpVariable(f"make_{p}{t}", 0) for p in PRODUCTS for t in T}
stock = {p: {t: pulp.LpVariable("stock_%s_%d" % (p, t), lowBound=0) for t in range(0, 6)} for p in PRODUCTS}
setup = pulp.LpVariable.dict("setup", (PRODUCTS, T), cat=pulp.LpBinary)
cost = pulp.LpAffineExpression()
for p in PRODUCTS:
    for t in T:
        cost += 2 * make[p, t] + stock[p][t] + 50 * setup[p, t]
prob += cost
for p in PRODUCTS:
    prob += stock[p][0] == 5
    for t in T:
        prob += stock[p][t - 1] + make[p, t] - stock[p][t] == demand[p][t - 1]
        prob += make[p, t] <= big * setup[p, t]
for t in T:
    total = pulp.lpSum(make[p, t] for p in PRODUCTS)
    prob += total <= big, f"capacity_{t:02d}"
    prob += -(total - 100) / 2 >= 5
stock["A"][5].setInitialValue(0)
stock["A"][5].fixValue()
prob.objective += 3
prob.solve(pulp.HiGHS(msg=False))
