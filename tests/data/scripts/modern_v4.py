# ruff: noqa
"""Variables that belong to their problem, as in PuLP 4."""

import pulp

SITES, TOWNS = ["S1", "S 2", "S3"], [1, 2, 3, 4]
cost = {s: {t: (2 + 3 * i - t) ** 2 + 1 for t in TOWNS} for i, s in enumerate(SITES)}

prob = pulp.LpProblem("sites", pulp.LpMinimize)
is_open = prob.add_variable_dict("open", SITES, cat="Binary")
serve = prob.add_variable_dicts("serve", (SITES, TOWNS), lowBound=0, upBound=1)
spare = prob.add_variable("spare", 0, 5, "Integer")
slack = prob.add_variable_matrix("slack", TOWNS, lowBound=0)
prob += (
    pulp.lpSum(10 * is_open[s] for s in SITES)
    + pulp.lpSum(cost[s][t] * serve[s][t] for s in SITES for t in TOWNS)
    + 7 * spare
    + pulp.lpSum(slack)
)
for t in TOWNS:
    prob += pulp.lpSum(serve[s][t] for s in SITES) + 0.25 * slack[t - 1] == 1, f"served_{t}"
for s in SITES:
    for t in TOWNS:
        prob += serve[s][t] <= is_open[s]
limit = is_open["S1"] + is_open["S 2"] + is_open["S3"] <= 2
prob += limit, "at most"
prob += spare + is_open["S3"] >= 1, "spare or three"
assert prob.get_constraint_by_name("at_most") is not None
assert len(prob.constraints()) == 18
prob.solve(pulp.HiGHS(msg=False))
