# ruff: noqa
import pulp

first = pulp.LpProblem("first plan", pulp.LpMinimize)
u = pulp.LpVariable("u", 1)
first += u
first += u >= 2

second = pulp.LpProblem("second", pulp.LpMaximize)
v = pulp.LpVariable("v", 0, 8)
second += v
second += 2 * v <= 9
