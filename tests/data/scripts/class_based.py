# ruff: noqa
"""Shifts of nurses, in a class."""

from pulp import LpInteger, LpMinimize, LpProblem, LpVariable, lpSum


class Planner:
    def __init__(self, need, length):
        self.need = need
        self.length = length
        self.problem = LpProblem("nurses", LpMinimize)
        self.start = LpVariable.matrix("start", range(len(need)), 0, None, LpInteger)
        self.extra = LpVariable("extra", 0, 4, LpInteger)

    def build(self):
        days = len(self.need)
        self.problem += lpSum(self.start) + 3 * self.extra
        for d, needed in enumerate(self.need):
            self.cover(d, needed, days)
        self.problem += self.extra >= 1, "reserve"
        return self

    def cover(self, d, needed, days):
        on_duty = [self.start[(d - back) % days] for back in range(self.length)]
        self.problem += lpSum(on_duty) + self.extra >= needed, "cover %d" % d

    def solve(self):
        return self.problem.solve()


planner = Planner([7, 5, 6, 8, 4, 9, 3], 5)
planner.build()
if planner.solve() != 1:
    raise SystemExit("no plan")
