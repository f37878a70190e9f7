# ruff: noqa
"""Solves, looks at the plan, adds a row and solves again."""

import pulp

m = pulp.LpProblem("twice", pulp.LpMaximize)
x, y = (pulp.LpVariable(n, 0, 10, "Integer") for n in "xy")
m += 3 * x + 2 * y
m += 2 * x + y <= 15
m += x + 3 * y <= 20, "second"
for attempt in range(2):
    m.solve(pulp.PULP_CBC_CMD(msg=False))
    m += x <= x.varValue - 1, f"cut_{attempt}"
