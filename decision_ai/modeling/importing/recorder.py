"""A stand-in for the module `pulp` that records what a script models; it knows no PuLP and no solver.

What the person's script does with its own rights happens in a process of its own (`script_child.py`). Here
are the module it finds under the name `pulp`, and the picture that is taken of a problem when it is to be
solved: plain JSON values, in the units of `ForeignModel`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Any

from decision_ai.modeling.importing.pulp_algebra import (
    EQ,
    GE,
    LE,
    REFUSED,
    Linear,
    LpConstraint,
    script_frame,
    script_line,
)
from decision_ai.modeling.importing.pulp_names import NAMES
from decision_ai.modeling.importing.pulp_problem import MINIMIZE, LpProblem
from decision_ai.modeling.importing.pulp_variables import LpVariable
from decision_ai.modeling.importing.row_families import label, row_members
from decision_ai.modeling.importing.set_names import named_sets

SUBMODULES = ("constants", "pulp", "utilities", "apis", "solvers")
"""Parts of PuLP that scripts import by name; all are the one module here."""

_DEEPEST = 8

Picture = dict[str, Any]
Namespace = Mapping[str, Any]


class Solved(BaseException):
    """The script asks for a solve, which is as far as it is read; no `except Exception` of it stops this."""


class ProblemChoice(Exception):
    """It is not clear which problem is meant; the text is one sentence."""


class Recorder:
    """What one script models.

    Args:
        wanted: name of the problem to read, by the script's variable or PuLP's name; None = the first that
            is solved, or else the only one.
    """

    def __init__(self, wanted: str | None = None) -> None:
        self._wanted = wanted
        self._problems: list[LpProblem] = []
        self._frames: dict[CodeType, FrameType] = {}
        self.picture: Picture | None = None
        """The problem as it was when it was to be solved."""
        REFUSED.clear()

    def module(self) -> ModuleType:
        """A new module `pulp` that reports to this recorder."""
        module = ModuleType("pulp", "The model of this script is read, and nothing is solved.")
        problem = type("LpProblem", (LpProblem,), {"reader": self})
        vars(module).update(NAMES, LpProblem=problem, __version__=NAMES["VERSION"], __path__=[])
        vars(module).update(dict.fromkeys(SUBMODULES, module), const=module, __getattr__=_unknown)
        vars(module)["__all__"] = [*NAMES, "LpProblem"]
        return module

    def made(self, problem: LpProblem) -> None:
        """Remember a problem of the script."""
        self._problems.append(problem)

    def added(self, frame: FrameType) -> None:
        """Remember where a row is added: what is local there may name index sets."""
        self._frames[frame.f_code] = frame

    def solved(self, problem: LpProblem) -> int:
        """Take the picture, once; a problem that is not wanted stays unsolved and its values unknown."""
        spaces = list(_script_spaces())
        if self.picture is None:
            if REFUSED:
                raise REFUSED[0]  # once more: the script went on without what it asked for
            if not self._is_wanted(problem, spaces):
                for variable in problem.variables():
                    variable.unknown = True
                return 0
            self.picture = picture(problem, spaces, self._inner_spaces(), at=script_line())
        raise Solved

    def finish(self, namespace: Namespace) -> Picture:
        """The picture after the script ended, of the one problem it made if it solved none.

        Raises:
            ProblemChoice: if there is none, or several.
        """
        if self.picture is not None:
            return self.picture
        spaces = [namespace]
        named = [value for value in namespace.values() if isinstance(value, LpProblem)]
        made = list({id(problem): problem for problem in named or self._problems}.values())
        found = [problem for problem in made if self._is_wanted(problem, spaces)]
        if len(found) == 1:
            return picture(found[0], spaces, self._inner_spaces())
        names = ", ".join(repr(name) for name in dict.fromkeys(problem.given for problem in made))
        if not made:
            raise ProblemChoice(
                "the script makes no LpProblem when it is run; call the function that builds it, or put that "
                'call under `if __name__ == "__main__":`'
            )
        if found:
            raise ProblemChoice(
                f"the script makes {len(found)} problems and solves none: {names}; name one (--problem NAME, "
                "the name of its variable or the one given to LpProblem)"
            )
        raise ProblemChoice(f"the script has no problem {self._wanted!r}; there are: {names}")

    def _inner_spaces(self) -> list[Namespace]:
        """The names where rows were added, in functions that may have ended."""
        inner = [frame for frame in self._frames.values() if frame.f_code.co_name != "<module>"]
        return [space for frame in reversed(inner) for space in _names_in(frame)]

    def _is_wanted(self, problem: LpProblem, spaces: Iterable[Namespace]) -> bool:
        if self._wanted is None or self._wanted in (problem.given, problem.name):
            return True
        return any(space.get(self._wanted) is problem for space in spaces)


def picture(
    problem: LpProblem, spaces: Sequence[Namespace] = (), inner: Sequence[Namespace] = (), *, at: str = ""
) -> Picture:
    """A problem as JSON values: what `ForeignModel` holds, with None for an infinite bound.

    Args:
        problem: the problem.
        spaces: names of the script, where dictionaries of variables say which family and index each has.
        inner: more names, further inside, where only index sets are looked for.
        at: the line that asks for the solve; empty if none does.

    Raises:
        ProblemChoice: if the problem has what no linear model has.
    """
    if problem.sos1 or problem.sos2:
        raise ProblemChoice(
            "special ordered sets (sos1, sos2) are not read; write them with binary variables"
        )
    variables = problem.variables()
    _learn_families(variables, spaces)
    numbers = {variable: n for n, variable in enumerate(variables)}
    notes = (
        [f"The model is what the script has built on {at}, where it is solved for the first time."]
        if at
        else []
    )
    names = unique_names([variable.given for variable in variables], "variables", notes)
    rows = list(problem.constraints.items())
    row_names = unique_names([row.given or key for key, row in rows], "constraints", notes)
    objective = problem.objective
    costs = {} if objective is None else objective
    return {
        "name": problem.given,
        "sense": "minimize" if problem.sense == MINIMIZE else "maximize",
        "offset": 0.0 if objective is None else float(objective.constant),
        "objective_name": (objective.given if objective is not None else None) or "",
        "columns": [
            [name, _float(v.lowBound), _float(v.upBound), v.isInteger(), float(costs.get(v, 0))]
            for name, v in zip(names, variables, strict=True)
        ],
        "rows": [
            [name, *_limits(row), [[numbers[v], float(a)] for v, a in row.items() if a]]
            for name, (_key, row) in zip(row_names, rows, strict=True)
        ],
        "column_members": {
            name: [v.member[0], [label(one) for one in v.member[1]]]
            for name, v in zip(names, variables, strict=True)
            if v.member is not None
        },
        "sets": named_sets([*inner, *spaces], most=max(len(variables), len(rows))),
        "row_members": row_members(row_names, [row for _key, row in rows]),
        "notes": [*notes, *dict.fromkeys(notice for v in variables for notice in v.notices)],
    }


def _unknown(name: str) -> Any:
    raise AttributeError(f"pulp.{name} is not known while a script is read for its model")


def _script_spaces() -> Iterator[Namespace]:
    """The local names of all functions that are running, the innermost first, and the script's own."""
    frame: FrameType | None = script_frame()
    while frame is not None:
        yield from _names_in(frame)
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__":
            return
        frame = frame.f_back


def _names_in(frame: FrameType) -> Iterator[Namespace]:
    """Local names, and those of the object that a method belongs to."""
    yield frame.f_locals
    yield getattr(frame.f_locals.get("self"), "__dict__", {})


def _learn_families(variables: Iterable[LpVariable], spaces: Iterable[Namespace]) -> None:
    """A dictionary of variables that were made one by one says which family and index each has."""
    nameless = {id(variable) for variable in variables if variable.member is None}
    for space in spaces:
        for name, value in list(space.items()):
            first = next(_leaves(value), None) if _is_plain(value) else None
            if first is None or id(first[1]) not in nameless:
                continue
            leaves = list(_leaves(value))
            if all(id(leaf) in nameless and len(index) == len(first[0]) for index, leaf in leaves):
                for index, variable in leaves:
                    variable.member = name, index
                    nameless.discard(id(variable))


def _leaves(value: dict[Any, Any], before: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """What is in nested dictionaries, by the keys on the way."""
    for key, inner in value.items():
        index = (*before, *(key if isinstance(key, tuple) else (key,)))
        if _is_plain(inner) and len(before) < _DEEPEST:
            yield from _leaves(inner, index)
        else:
            yield index, inner


def _is_plain(value: Any) -> bool:
    return isinstance(value, dict) and not isinstance(value, Linear)


def unique_names(given: list[str], what: str, notes: list[str]) -> list[str]:
    """Names that are printable and different from each other.

    Args:
        given: the names as they were given.
        what: what they name, in the plural.
        notes: takes a sentence where names were changed.
    """
    counts: Counter[str] = Counter()
    taken = set(given)
    names, twice = [], []
    for text in given:
        name = "".join(letter if letter.isprintable() else "_" for letter in text) or "_"
        counts[name] += 1
        if counts[name] > 1:
            twice.append(name)
            while (free := f"{name}_{counts[name]}") in taken:
                counts[name] += 1
            taken.add(free)
            name = free
        names.append(name)
    if twice:
        notes.append(f"Several {what} are called {twice[0]!r}; all but the first got a number at the end.")
    return names


def _limits(row: LpConstraint) -> tuple[float | None, float | None]:
    bound = 0.0 - float(row.constant)
    return {LE: (None, bound), GE: (bound, None), EQ: (bound, bound)}[row.sense]


def _float(bound: Any) -> float | None:
    return None if bound is None else float(bound)
