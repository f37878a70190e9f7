# ruff: noqa
"""Numbers of numpy, products of lists, and rows that numbers begin."""

import numpy as np
import pulp

values = np.array([6.0, 10.0, 12.0, 7.5])
weights = np.array([1, 2, 3, 2])
x = [pulp.LpVariable(f"x{i}", cat="Binary") for i in range(4)]
prob = pulp.LpProblem("numbers", pulp.LpMaximize)
prob += pulp.lpDot(values, x), "value"
prob += pulp.lpSum(weights * np.array(x)) <= np.int64(5), "weight"
prob += 3 >= pulp.lpSum(x), "few"
prob += np.float64(2) * x[0] + x[1] / np.float64(4) <= 2
extra = {"pair": x[2] + x[3] <= 1}
prob.extend(extra)
