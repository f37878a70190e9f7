"""Which constraints leave no plan together: families of rows are left out one by one, each time solving anew.

The filter keeps a constraint where the model without it has a plan, and drops it where it still has none. So
what is left has no plan, and has one as soon as any of it is left out, unless time ran out on the way.
"""

import asyncio
from dataclasses import dataclass
from typing import Literal

from decision_ai.explaining.solves import Model, Run, is_feasible, solved
from decision_ai.solving.findings import PartName


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """What was found out about a model without a plan.

    Attributes:
        status: `feasible` if it has a plan, `undecided` if the first solve proved neither, else `conflict`.
        constraints: ids that together leave no plan; empty if the bounds of the variables alone do.
        irreducible: whether it is proven that each one of them is needed for that.
        solves: how many solves it took.
    """

    status: Literal["conflict", "feasible", "undecided"]
    constraints: tuple[str, ...] = ()
    irreducible: bool = False
    solves: int = 0


async def find_conflict(model: Model, run: Run, seconds: float) -> Conflict:
    """The constraints that leave no plan together.

    Soft constraints can be violated and cannot be part of it; switched-off ones are not there. What is said
    is proven by solves, so within the time the answer may be larger than need be, but it is never wrong.

    Args:
        model: the model.
        run: the executor.
        seconds: time for all solves together; one that has begun is ended with it.

    Raises:
        NotExplainable: if the model does not build.
    """
    loop, solves = asyncio.get_running_loop(), 0
    end = loop.time() + seconds
    # Whether there is a plan does not depend on the objective; without one a solve ends at the first plan.
    goals = () if model.program.objective is None else (model.program.objective.id,)
    bare = model.program.without([PartName(kind="objective", id=id) for id in goals])

    async def has_plan(left_out: set[str]) -> bool | None:
        nonlocal solves
        left = end - loop.time()
        if left <= 0:
            return None
        solves += 1
        program = bare.without([PartName(kind="constraint", id=id) for id in sorted(left_out)])
        result = await solved(Model(program, model.json_data), run, left)
        assert result.outcome is not None
        return is_feasible(result.outcome)

    # A soft constraint can be violated, so it is never the reason.
    out = {id for id, part in bare.constraints.items() if not part.enabled or part.priority != "hard"}
    first = await has_plan(out)
    if first is not False:
        return Conflict(status="feasible" if first else "undecided", solves=solves)
    needed: list[str] = []
    irreducible = True
    for id in [id for id in bare.constraints if id not in out]:
        found = await has_plan(out | {id})
        if found is False:
            out.add(id)
        else:
            needed.append(id)
            irreducible = irreducible and found is True
    return Conflict(status="conflict", constraints=tuple(needed), irreducible=irreducible, solves=solves)
