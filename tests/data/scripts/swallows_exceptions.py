# ruff: noqa
"""Catches whatever a solve may raise and goes on."""

import sys

import pulp

prob = pulp.LpProblem("swallow", pulp.LpMinimize)
a = pulp.LpVariable("a", lowBound=0)
b = pulp.LpVariable("b", lowBound=0, upBound=6)
prob += 2 * a + 3 * b
prob += a + b >= 10, "need"
try:
    try:
        prob.solve(pulp.PULP_CBC_CMD(msg=0))
    except Exception as error:
        print("no solver", error)
except:
    pass
prob += a <= 1, "too late"
prob += undefined_name
