# ruff: noqa
"""Ship along the routes of a file, in a function that runs as a program only."""

import csv
import os

import pulp as pl

HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    with open(os.path.join(HERE, name), newline="") as file:
        return list(csv.DictReader(file))


def main():
    routes = {(r["from"], r["to"]): r for r in read("routes.csv")}
    supply = {"North": 100, "South": 120}
    demand = {"Berlin": 70, "Paris": 65, "Rome": 55}
    model = pl.LpProblem("transport", pl.LpMinimize)
    ship = {
        (i, j): pl.LpVariable(f"ship_{i}_{j}", lowBound=0, upBound=float(r["capacity"]))
        for (i, j), r in routes.items()
    }
    model += pl.lpSum(float(r["cost"]) * ship[k] for k, r in routes.items())
    for i in supply:
        model += pl.lpSum(ship[k] for k in routes if k[0] == i) <= supply[i], f"supply_{i}"
    for j in demand:
        model += pl.lpSum(ship[k] for k in routes if k[1] == j) >= demand[j], f"demand_{j}"
    print("solving", len(model.variables()), "variables")
    status = model.solve(pl.getSolver("HiGHS", msg=False))
    print(pl.LpStatus[status], pl.value(model.objective))


if __name__ == "__main__":
    main()
