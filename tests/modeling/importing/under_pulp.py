"""Runs a script under the installed PuLP and writes down its problem at the first solve, and the optimum.

`python under_pulp.py SCRIPT RESULT`; scripts in the manner of PuLP 2 and 3 need PuLP 3.
"""

import json
import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

import pulp

from decision_ai.modeling.importing.pulp_object import read_pulp_problem

OLD = hasattr(pulp, "LpStatus")


class Stopped(BaseException):
    """The first solve was seen."""


def main(script: str, result: str) -> None:
    found: list[dict[str, Any]] = []
    solve = pulp.LpProblem.solve

    def first(problem: Any, *_arguments: Any, **_more: Any) -> None:
        if not found:
            model = read_pulp_problem(problem)
            solve(problem, pulp.HiGHS(msg=False))
            found.append(
                {
                    "sense": model.sense,
                    "offset": model.offset,
                    "columns": [[c.name, c.lower, c.upper, c.integral, c.cost] for c in model.columns],
                    "rows": [[r.name, r.lower, r.upper, r.terms] for r in model.rows],
                    "optimum": pulp.value(problem.objective),
                }
            )
        raise Stopped

    pulp.LpProblem.solve = first
    warnings.simplefilter("ignore")
    try:
        space = runpy.run_path(script, run_name="__main__")
        first(next(value for value in space.values() if isinstance(value, pulp.LpProblem)))
    except (Stopped, Exception):
        if not found:
            raise
    Path(result).write_text(json.dumps(found[0]))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(sys.argv[1]).parent))
    main(*sys.argv[1:])
