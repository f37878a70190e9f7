# ruff: noqa
"""Workers to tasks at most skill; some pairs are not possible."""

import pulp
from pulp import LpMaximize, LpProblem, LpVariable, lpSum

skill = {
    ("Ana Maria", "cut"): 7,
    ("Ana Maria", "weld"): 4,
    ("Bo", "weld"): 9,
    ("Bo", "paint"): 3,
    ("Cy", "cut"): 5,
    ("Cy", "paint"): 8,
    ("Cy", "weld"): 6,
}
workers = sorted({w for w, _ in skill})
tasks = sorted({t for _, t in skill})
prob = LpProblem("assignment", LpMaximize)
assign = LpVariable.dicts("assign", list(skill), cat="Binary")
prob.setObjective(lpSum(skill[k] * assign[k] for k in skill) - 2)
for w in workers:
    prob.addConstraint(lpSum(assign[k] for k in skill if k[0] == w) <= 1, name=f"one_task[{w}]")
for t in tasks:
    prob += lpSum(assign[w, t] for w in workers if (w, t) in skill) == 1, "done_%s" % t
prob += assign["Bo", "weld"] == assign["Cy", "paint"]
prob.solve()
chosen = [k for k in skill if assign[k].value() > 0.5]
