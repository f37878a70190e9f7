"""What a sentence can go back to: versions, branches, every part that is or was there, the kept checks."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from decision_ai.modeling.program import Program
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.moving import undone
from decision_ai_server.agent.ports import VersionTree
from decision_ai_server.modellers.offline.words import stems

Kind = Literal["constraint", "variable", "objective"]
# The words of a formula that are names; commands of LaTeX and single letters say nothing.
_NAME = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")


@dataclass(frozen=True)
class Named:
    """Something that words can name.

    Attributes:
        words: stems of its id.
        doc: stems of its description.
        fields: stems of what its code and its formula speak of.
    """

    id: str
    words: tuple[str, ...]
    doc: frozenset[str]
    fields: frozenset[str]


@dataclass(frozen=True)
class Component(Named):
    """A part that some version of the model has.

    Attributes:
        changed: whether two versions have it differently, or one does not have it.
        differs: whether the present version has it otherwise than the first.
        enabled: whether it is there at present and switched on.
    """

    kind: Kind
    changed: bool
    differs: bool
    enabled: bool


@dataclass(frozen=True)
class Past:
    """Where a session can go, and what it has seen.

    Attributes:
        components: every part of every version, those of the present version first.
        parents: number of the version that each one came from, by its own number.
        present: number of the present version.
        tip: number of the newest version of the present branch.
        branches: their names.
        behind: how many versions can be undone.
        ahead: how many can be redone.
        data_changed: whether some version has other data than the first.
        checks: the checks that the person keeps.
        changes: by number of version, the stems of what was said and done to make it.
    """

    components: tuple[Component, ...] = ()
    parents: tuple[int | None, ...] = (None,)
    present: int = 0
    tip: int = 0
    branches: tuple[str, ...] = ()
    behind: int = 0
    ahead: int = 0
    data_changed: bool = False
    checks: tuple[Named, ...] = ()
    changes: tuple[frozenset[str], ...] = (frozenset(),)

    @property
    def words(self) -> frozenset[str]:
        """The stems that ids of parts consist of."""
        return frozenset(word for part in self.components for word in part.words)

    def branch(self, name: str) -> str | None:
        """A branch by its name, however that is capitalised."""
        if name in self.branches:
            return name
        return next((known for known in self.branches if known.lower() == name.lower()), None)


def read_past(tree: VersionTree, checks: Iterable[PlanCheck]) -> Past:
    """Everything a sentence can go back to."""
    line = tree.line()
    others = [version.program for version in reversed(tree.versions) if version.id != tree.head]
    parents = (None if v.parent is None else tree.number(v.parent) for v in tree.versions)
    return Past(
        components=tuple(_components([line[0].program, *others], tree.versions[0].program)),
        parents=tuple(parents),
        present=tree.number(tree.head),
        tip=tree.number(tree.branches[tree.branch]),
        branches=tuple(tree.branches),
        behind=len(line) - 1,
        ahead=len(undone(tree)),
        data_changed=len({version.data_id for version in tree.versions}) > 1,
        checks=tuple(_check(check) for check in checks),
        changes=tuple(frozenset(stems(f"{v.sentence} {v.summary}")) for v in tree.versions),
    )


def parts_of(program: Program) -> Past:
    """What there is where only one version is known."""
    return Past(components=tuple(_components([program], program)))


def fields_of(code: str) -> frozenset[str]:
    """Stems of the fields and families that code reads."""
    nodes = ast.walk(parse_module(code))
    return frozenset(word for n in nodes if isinstance(n, ast.Attribute) for word in stems(n.attr))


def _check(check: PlanCheck) -> Named:
    return Named(check.name, tuple(stems(check.name)), frozenset(stems(check.sentence)), frozenset())


def _components(programs: list[Program], first: Program) -> Iterator[Component]:
    """Each part once, as its newest version has it; `programs` has the present one at the start."""
    newest: dict[tuple[Kind, str], _Part] = {}
    codes: dict[tuple[Kind, str], set[str]] = {}
    every = [_parts(program) for program in programs]
    for parts in every:
        for key, part in parts.items():
            newest.setdefault(key, part)
            codes.setdefault(key, set()).add(part.code)
    was = _parts(first)
    for (kind, id), part in newest.items():
        key, here = (kind, id), every[0].get((kind, id))
        yield Component(
            id=id,
            words=(*(("objectiv",) if kind == "objective" else ()), *stems(part.name)),
            doc=frozenset(stems(part.description)),
            fields=fields_of(part.code) | frozenset(w for n in _NAME.findall(part.math) for w in stems(n)),
            kind=kind,
            changed=len(codes[key]) > 1 or any(key not in parts for parts in every),
            differs=(here and here.code) != (was[key].code if key in was else None),
            enabled=here is not None and here.enabled,
        )


@dataclass(frozen=True)
class _Part:
    name: str
    code: str
    math: str
    description: str
    enabled: bool = True


def _parts(program: Program) -> Mapping[tuple[Kind, str], _Part]:
    parts: dict[tuple[Kind, str], _Part] = {}
    for rule in program.constraints.values():
        parts["constraint", rule.id] = _Part(rule.id, rule.code, rule.math, rule.description, rule.enabled)
    for family in program.variables.values():
        parts["variable", family.id] = _Part(
            family.id, family.code, family.math, family.description, family.enabled
        )
    goal = program.objective
    if goal is not None:
        parts["objective", "objective"] = _Part(goal.id, goal.code, goal.math, goal.description)
    return parts
