"""Model files and diffs for Hypothesis to draw, and what they leave alone."""

import itertools
from collections.abc import Collection
from typing import Literal

from hypothesis import strategies as st

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    OptInputDataSnapshot,
    VariableDiff,
)
from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code

CONSTRAINTS = [
    '@constraint(r"\\le")\ndef {name}(self, data, v):\n    """Ünï.\n  odd\n\tindent."""\n    return 1 <= 2',
    "    @constraint()\n    def {name}(self, data, v):\n        for i in []:\n\n            yield i, 0 <= 1",
    "# a\n@constraint(\n\tenabled=False)\ndef {name}(self, data, v):\n\tif v:\n\t\tx = f'''\n{{v}}\n '''",
    '@constraint("a;b")\r\ndef {name}(self, data, v): return 1 <= 2  # one line\r\n# after',
    "@constraint()\ndef {name}(self, data, v):\n  x = 1 + \\\n    2\n  return (x\n<= 3)",
]
VARIABLES = [
    "{name}: Var = binary()",
    '{name}: dict[str, Var] = continuous(\n    over=lambda data: data.items,  # all\n)\n"""Some\n text."""',
    "  {name}: Var = integer(lower=1, enabled=False)  # x\n  'said'\n",
]
OBJECTIVE = '@objective("minimize")\ndef {name}(self, data, v):\n    """Less."""\n    return 0'
CLASS = 'class {name}(InputData):\n  """New."""\n\n  size: float\n  """Metres."""'


# The parts of a generated file, indented by four blanks a level.
METHODS = [
    "@constraint()\ndef {name}(self, data, v):\n    return v.x <= 1",
    '@constraint(\n    r"\\le" "\\u2028",\n    enabled=False,  # for now\n)\n'
    'def {name}(self, data, v):\n    """Größe."""\n    for i in []:\n\n        yield i, v.x <= 1',
    '@constraint("a;b", policy=True)\ndef {name}(self, data, v): return v.x <= 1  # one line',
    '@constraint("é")\ndef {name}(self, data, v):\n    text = """\n  kept\n"""\n    return v.x <= len(text)',
    "@constraint(priority=(\n    'A'))\ndef {name}(\n    self,\n    data, v\n):\n    return (v.x\n <= 1)",
]
FAMILIES = [
    "{name}: Var = binary()",
    '{name}: dict[str, Var] = continuous(\n    over=lambda data: data.items,  # all\n)\n"""Ünï\n text."""',
    "{name}: Var = integer(lower=1, enabled=False)  # x\n'said'",
]
FIELDS = [
    "{name}: float",
    '{name}: dict[str, float] = {{}}  # by näme\n"""Kilograms."""',
    "{name}: int = Field(\n    default=1,\n)",
]
FILLERS = ["", "", "# a comment", "", "# two\n# lines", "   "]
NAMES = ["a", "b_2", "ü", "Ω", "long_name_of_a_part", "_c"]


@st.composite
def model_files(draw: st.DrawFn) -> str:
    """A model file of any layout: parts, comments between them, line ends, indentation, byte-order mark."""
    goal = draw(st.booleans())
    classes = draw(st.lists(st.sampled_from(["Item", "Größe"]), unique=True))
    pieces = [
        '"""Said."""',
        "from pydantic import Field\nfrom decision_ai import *",
        *(_class(draw, f"{name}(InputData)", FIELDS) for name in [*classes, "Main"]),
        "LIMIT = 7",
        _class(draw, "V(Variables)", FAMILIES, "x: Var = binary()"),
        _class(
            draw,
            "M(OptModel[Main, V])",
            METHODS,
            "def solution_to_str(self, data, v):\n    return ''",
            *([OBJECTIVE.format(name="goal")] if goal else []),
        ),
        "def unused():\n    return 1",
    ]
    text = "\n".join(f"{piece}\n{draw(st.sampled_from(FILLERS))}\n" for piece in pieces)
    unit, newline = (
        draw(st.sampled_from(["    ", "  ", "\t", "      "])),
        draw(st.sampled_from(["\n", "\r\n", "\r"])),
    )
    lines = [_indented(line, unit) for line in text.split("\n")]
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines)


def _class(draw: st.DrawFn, head: str, templates: list[str], *fixed: str) -> str:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=0 if fixed else 1, max_size=4))
    members = [draw(st.sampled_from(templates)).format(name=name) for name in names]
    members = draw(st.permutations([*members, *fixed]))
    body = "\n".join(f"{member}\n{draw(st.sampled_from(FILLERS))}" for member in members)
    return f"class {head}:\n" + "\n".join(f"    {line}" if line else "" for line in body.split("\n"))


def _indented(line: str, unit: str) -> str:
    rest = line.lstrip(" ")
    levels, blanks = divmod(len(line) - len(rest), 4)
    return unit * levels + " " * blanks + rest


def pieces(source: str) -> dict[str, bytes]:
    """Every member of every class of the model, and every other top-level statement, as bytes."""
    outline = read_outline(source)
    found = {
        f"{site.name}.{member.name or member.span.first - site.span.first}": outline.source.part_bytes(
            member.span
        )
        for site in outline.classes.values()
        for member in site.members
        if not (member.name is None and b"pass" in outline.source.part_bytes(member.span))
    }
    others = [node for node in outline.tree.body if not any(node is s.node for s in outline.classes.values())]
    for number, node in enumerate(others):
        start = outline.source.start(node.lineno)
        found[f"top {number}"] = outline.source.data[start : outline.source.end(node.end_lineno or 0)]
    return found


Drawn = tuple[ModelChanges, set[str]]
"""A diff that fits the program, and the names of the pieces it touches."""


def draw_change(draw: st.DrawFn, program: Program) -> Drawn:
    """A diff of any kind."""
    fresh = draw(st.sampled_from(["fresh", "another_1", "näme"]))
    drawers = [draw_constraint, draw_variable, draw_objective, draw_schema, draw_data, draw_switch]
    return draw(st.sampled_from(drawers))(draw, program, fresh)


def free_name(wanted: str, taken: Collection[str | None]) -> str:
    """The wanted name, with a number if it is taken."""
    names = (wanted if number == 0 else f"{wanted}{number}" for number in itertools.count())
    return next(name for name in names if name not in taken)


def draw_switch(draw: st.DrawFn, program: Program, fresh: str) -> Drawn:
    kind: Literal["constraint", "variable"] = draw(st.sampled_from(["constraint", "variable"]))
    parts = program.constraints if kind == "constraint" else program.variables
    if not parts:
        return draw_constraint(draw, program, fresh)
    id = draw(st.sampled_from(sorted(parts)))
    touched = {f"{program.model_class if kind == 'constraint' else program.variables_class}.{id}"}
    if kind == "constraint" and draw(st.booleans()):
        return program.prioritise(id, draw(st.sampled_from(["hard", "A", "B", "C"]))), touched
    return program.switch(id, enabled=draw(st.booleans()), kind=kind), touched


def draw_data(_draw: st.DrawFn, _program: Program, _fresh: str) -> Drawn:
    before, after = (OptInputDataSnapshot(opt_input_data_id=id, json_data=f'"{id}"') for id in ("a", "b"))
    return OptInputDataDiff(removed=before, added=after), set()


def draw_constraint(draw: st.DrawFn, program: Program, fresh: str) -> Drawn:
    old = draw(st.sampled_from([None, *program.constraints]))
    removed = None if old is None else program.snapshot("constraint", old)
    added = None
    if old is None or draw(st.booleans()):
        name = free_name(fresh, set(program.constraints) - {old})
        added = read_constraint_code(draw(st.sampled_from(CONSTRAINTS)).format(name=name))
    ids = {old, None if added is None else added.constraint_id}
    return ConstraintDiff(removed=removed, added=added), {f"{program.model_class}.{id}" for id in ids}


def draw_variable(draw: st.DrawFn, program: Program, fresh: str) -> Drawn:
    old = draw(st.sampled_from([None, *program.variables]))
    removed = None if old is None else program.snapshot("variable", old)
    added = None
    if old is None or draw(st.booleans()):
        name = free_name(fresh, set(program.variables) - {old})
        added = read_variable_code(draw(st.sampled_from(VARIABLES)).format(name=name))
    ids = {old, None if added is None else added.variable_id}
    return VariableDiff(removed=removed, added=added), {f"{program.variables_class}.{id}" for id in ids}


def draw_objective(draw: st.DrawFn, program: Program, fresh: str) -> Drawn:
    removed = program.objective_snapshot()
    name = f"goal_{fresh}"
    added = (
        read_objective_code(OBJECTIVE.format(name=name)) if removed is None or draw(st.booleans()) else None
    )
    touched = {f"{program.model_class}.{name}"}
    if program.objective is not None:
        touched.add(f"{program.model_class}.{program.objective.id}")
    return ObjectiveDiff(removed=removed, added=added), touched


def draw_schema(draw: st.DrawFn, program: Program, fresh: str) -> Drawn:
    before = program.data_schema_snapshot()
    after, touched = [], []
    for name, part in program.data_classes.items():
        action = draw(st.sampled_from(["keep", "keep", "change", "drop"]))
        if action != "keep":
            touched.append(name)
        if action == "change":
            after.append(CLASS.format(name=name))
        elif action == "keep" or name == program.main_data_class:
            after.append(part.code)
    new = fresh.capitalize()
    if new not in program.data_classes and draw(st.booleans()):
        after.insert(draw(st.integers(0, len(after))), CLASS.format(name=new))
        touched.append(new)
    change = OptInputDataSchemaDiff(
        removed=before, added=OptInputDataSchemaSnapshot(input_data_classes=after)
    )
    return change, {f"{name}." for name in touched}


def untouched(source: str, touched: set[str]) -> dict[str, bytes]:
    prefixes = tuple(name for name in touched if name.endswith("."))
    return {
        name: code
        for name, code in pieces(source).items()
        if name not in touched and not (prefixes and name.startswith(prefixes))
    }
