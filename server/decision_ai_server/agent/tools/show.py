"""The tools that show the model, the data, the last plan and the versions."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

from decision_ai.errors import DataError
from decision_ai.modeling.data import parse_json
from decision_ai.modeling.program import Program
from decision_ai_server.agent import words
from decision_ai_server.agent.edits import value_at
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.ports import Output, ToolResult, ToolSpec, TurnContext, VersionTree
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told

_MOST_CHARACTERS = 4000
_MOST_FIGURES = 50
"""Numbers of a part of the data that go by name; the text has the others."""


class ShowModelInput(ToolInput):
    """Which part of the model to show."""

    part: Literal["all", "constraints", "variables", "objective"] = "all"
    id: str | None = None


class ShowModel:
    """The model in words, or one component with its code."""

    spec = ToolSpec(
        name="show_model",
        description="Show the model's components in words, or one component with formula and code.",
        input_schema=ShowModelInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Describe the present version."""
        wanted, program = read(ShowModelInput, args), context.head.program
        if wanted.id is not None:
            return _component(program, wanted.id)
        sections = {
            "variables": _variables(program),
            "constraints": _constraints(program),
            "objective": _objective(program),
        }
        if wanted.part != "all":
            return Output(sections[wanted.part], figures=_counts(program))
        left_out = [f"- {part.kind} {part.id}: {part.reason}" for part in context.head.incompatible]
        note = ["\n".join(["Left out, as it does not fit the data:", *left_out])] if left_out else []
        text = "\n\n".join([program.docstring.strip(), *sections.values(), *note]).strip()
        return Output(text, figures=_counts(program))


def _counts(program: Program) -> dict[str, Figure]:
    rules, families = program.constraints.values(), program.variables.values()
    return {
        "constraints": len(rules),
        "variable_families": len(families),
        "switched_off": sum(not rule.enabled for rule in rules) + sum(not one.enabled for one in families),
    }


def _constraints(program: Program) -> str:
    lines = ["Constraints:"]
    for part in program.constraints.values():
        marks = [] if part.enabled else ["off"]
        marks += [] if part.priority == "hard" else [f"soft, level {part.priority}"]
        mark = f" ({', '.join(marks)})" if marks else ""
        lines.append(f"- {part.id}{mark}: {_first_line(part.description)}")
    return "\n".join(lines)


def _variables(program: Program) -> str:
    lines = ["Variables:"]
    for part in program.variables.values():
        mark = "" if part.enabled else ", off"
        lines.append(f"- {part.id} ({part.domain}{mark}): {_first_line(part.description)}")
    return "\n".join(lines)


def _objective(program: Program) -> str:
    part = program.objective
    if part is None:
        return "Objective: none; any plan that satisfies the constraints will do."
    return f"Objective: {part.sense} {part.id}: {_first_line(part.description)}"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _component(program: Program, id: str) -> ToolResult:
    part = program.constraints.get(id) or program.variables.get(id)
    if part is None and program.objective is not None and id in {program.objective.id, "objective"}:
        part = program.objective  # type: ignore[assignment]
    if part is None:
        known = ", ".join([*program.variables, *program.constraints])
        raise Refused(f"there is no component {id!r}; there are {known}")
    return Output(f"{part.id}: {part.description}\n{part.math}\n\n{part.code}")


class ShowDataInput(ToolInput):
    """Where in the data to look."""

    path: list[str | int] = []


class ShowData:
    """A value or a part of the input data."""

    spec = ToolSpec(
        name="show_data",
        description="Show the input data at a path of keys and list positions; [] shows all.",
        input_schema=ShowDataInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Quote the data."""
        path = read(ShowDataInput, args).path
        try:
            value = value_at(parse_json(context.head.json_data), path)
        except DataError as error:
            raise Refused(f"{error}. These are inputs only; what a plan brings comes from `solve`") from error
        text = json.dumps(value, indent=2, ensure_ascii=False)
        if len(text) > _MOST_CHARACTERS:
            text = f"{text[:_MOST_CHARACTERS]}\n... ({len(text):,} characters in all; ask for a part)"
        name = ".".join(map(str, path))
        return Output(f"{name} = {text}" if name else text, figures=_figures(value))


def _figures(value: object) -> dict[str, Figure]:
    """A number or a word as `value`; how many things a part has, and its first numbers by their paths."""
    if isinstance(value, dict | list):
        inner = islice(_numbers(value, ""), _MOST_FIGURES)
        return {"count": len(value), **dict(inner)}  # a field of that name is meant by it
    is_figure = isinstance(value, int | float | str) and not isinstance(value, bool)
    return {"value": value} if is_figure else {}  # type: ignore[dict-item]


def _numbers(value: object, path: str) -> Iterator[tuple[str, Figure]]:
    pairs: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        where = f"{path}.{key}" if path else str(key)
        if isinstance(inner, int | float) and not isinstance(inner, bool):
            yield where, inner
        yield from _numbers(inner, where)


class ShowSolution:
    """The newest plan of the session."""

    spec = ToolSpec(
        name="show_solution",
        description="Show the newest plan and say whether it belongs to the present version.",
        input_schema=ToolInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """Quote the plan."""
        if context.last_solution is None:
            return Output("There is no plan yet; say 'solve' to get one.")
        figures = words.figures_of_plan(context.last_solution)
        if context.solution_is_current:
            return Output(context.last_solution, figures=figures)
        stale = "The model was changed since this plan; say 'solve' for a new one."
        earlier = {f"earlier_{name}": figure for name, figure in figures.items()}
        return Output(f"{stale}\n{context.last_solution}", figures=earlier)


class ShowHistory:
    """The approved versions."""

    spec = ToolSpec(
        name="show_history",
        description=(
            "List every version of the model with its number, the branches, and which version is present."
        ),
        input_schema=ToolInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """One line per version, oldest first."""
        tree = context.tree
        figures = {
            "versions": len(tree.versions),
            "branches": len(tree.branches),
            "present": tree.number(tree.head),
        }
        return Output("\n".join(_version_line(tree, n) for n in range(len(tree.versions))), figures=figures)


def _version_line(tree: VersionTree, number: int) -> str:
    version = tree.versions[number]
    said = f' ("{version.sentence}")' if version.sentence else ""
    origin = ""
    if version.parent is not None and tree.versions[number - 1].id != version.parent:
        origin = f", made from {tree.number(version.parent)}"
    marks = [f"newest of branch {name}" for name, tip in tree.branches.items() if tip == version.id]
    if version.id == tree.head:
        plain = [name for name, tip in tree.branches.items() if tip == version.id] == [tree.branch]
        marks.append("present" if plain or len(tree.branches) == 1 else f"present, on branch {tree.branch}")
    mark = f" [{', '.join(marks)}]" if marks else ""
    return f"{number}. {version.summary or 'the model as it was opened'}{said}{origin}{mark}"
