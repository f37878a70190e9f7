"""Edits that name what a rule says and leave the Python to the harness.

A language model writes expressions well and programs badly. So it gives the two sides of a rule, or the term
of an objective; they are read as syntax trees, checked, and put into the source of one method here.
"""

import ast
import keyword
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.program import Program
from decision_ai.modeling.source import SourceText, Splice, parse_python
from decision_ai_server.agent.expressions import Names, expression, loop_of, refused, written
from decision_ai_server.agent.formulas import rule_formula, term_formula

SIDE: JsonDict = {"pattern": "^[^<>=]*$"}
"""For grammars: within it, no model can write a comparison where one side of it is wanted. What is written
without a grammar is judged by its syntax tree, which lets comparisons stand in conditions."""
_ID: JsonDict = {"pattern": "^[A-Za-z][A-Za-z0-9_]{0,60}$"}
_LONGEST_ID = 64
_ATOMS = ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.Constant


class ModelEdit(BaseModel):
    """One small change of a named part of the model."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class SetRule(ModelEdit):
    """Add a constraint by what its two sides are, or change the one of the same name."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    op: Literal["set_rule"] = "set_rule"
    id: str = Field(json_schema_extra=_ID)
    """Name of the constraint: letters, digits and underscores, such as `at_most_three`."""
    description: str
    """What must hold, one sentence."""
    for_each: list[str] = []
    """For a rule that holds once per index: loops over index sets, such as `s in data.stages` or
    `b, band in data.bands.items() if band.loud`. Empty for a single rule."""
    left: str = Field(json_schema_extra=SIDE)
    """Left side, a linear Python expression such as `pulp.lpSum(v.open[s] for s in data.stages)`; no `<=`."""
    sense: Literal["<=", ">=", "=="]
    """`<=` at most, `>=` at least, `==` exactly."""
    right: str = Field(json_schema_extra=SIDE)
    """Right side, such as `3` or `data.capacity`."""
    priority: Priority | None = None
    """hard, or soft with level A, B or C; None keeps what the constraint has."""
    math: str = ""
    """The formula in LaTeX; may be left out."""


class ExtendObjective(ModelEdit):
    """Add a term to the objective and keep the rest of it."""

    op: Literal["extend_objective"] = "extend_objective"
    term: str = Field(json_schema_extra=SIDE)
    """The term, a linear Python expression such as `data.penalty * pulp.lpSum(v.late.values())`."""
    sign: Literal["+", "-"]
    """`+` adds the term, `-` takes it off; a cost is taken off where the objective is maximised."""
    description: str = ""
    """What the objective is with the term, one sentence; empty keeps the present one."""
    math: str = ""
    """The term in LaTeX; may be left out."""


def rule_code(rule: SetRule, program: Program, labels: frozenset[str] = frozenset()) -> str:
    """The source of the constraint method that a rule stands for.

    Args:
        rule: what it says.
        program: the model that it comes into.
        labels: keys and texts of the data.

    Raises:
        ProgramError: if a side is no expression that a constraint can have; names the field.
    """
    _check_id(rule.id)
    names = Names(program, labels)
    loops = [loop_of(clause) for clause in rule.for_each]
    names = names.and_bound(loops)
    left, right = (names.resolved(expression(getattr(rule, side), side), side) for side in ("left", "right"))
    if not any(isinstance(node, ast.Name) and node.id == "v" for node in [*ast.walk(left), *ast.walk(right)]):
        raise refused("left", "neither side uses a variable of the model, such as v.NAME[i]")
    row = f"{_operand(left, rule.left)} {rule.sense} {_operand(right, rule.right)}"
    lines = []
    for loop in loops:
        over, *conditions = (ast.unparse(names.resolved(part, "for_each")) for part in [loop.iter, *loop.ifs])
        lines.append(f"for {ast.unparse(loop.target).removeprefix('(').removesuffix(')')} in {over}:")
        lines += [f"if {condition}:" for condition in conditions]
    lines.append(f"yield {_index(loops)}, {row}" if loops else f"return {row}")
    body = ["    " * depth + line for depth, line in enumerate(lines, start=1)]
    math = rule.math or rule_formula(left, rule.sense, right, loops)
    head = [
        f"@constraint({_decorator_arguments(rule, math, program)})",
        f"def {rule.id}{_signature(rule, program)}:",
        f"    {_docstring(rule.description)}",
    ]
    return "\n".join([*head, *body, ""])


def extended_objective_code(
    edit: ExtendObjective, program: Program, labels: frozenset[str] = frozenset()
) -> str:
    """The source of the present objective with a term more; every other byte of it is kept.

    Args:
        edit: the term.
        program: the model.
        labels: keys and texts of the data.

    Raises:
        ProgramError: if there is no objective, if it is not one `return` of (self, data, v), or if the term
            is no expression.
    """
    if program.objective is None:
        raise refused("term", "the model has no objective; use set_objective", component="objective")
    term = Names(program, labels).resolved(expression(edit.term, "term"), "term")
    source = SourceText(program.objective.code)
    (function,) = parse_python(source).body
    assert isinstance(function, ast.FunctionDef)
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    if len(returns) != 1 or returns[0] is not function.body[-1]:
        raise refused("term", "the objective does not end in its only `return`; use set_objective")
    if [argument.arg for argument in function.args.args] != ["self", "data", "v"]:
        raise refused("term", "the objective does not take (self, data, v); use set_objective")
    sum_of_terms = isinstance(term, ast.BinOp) and isinstance(term.op, ast.Add | ast.Sub)
    more = f"({written(term, edit.term)})" if sum_of_terms else _operand(term, edit.term)
    splices = _appended(source, returns[0].value, f" {edit.sign} {more}")
    splices += _new_math(source, function, program.objective.math, edit, term)
    if edit.description and ast.get_docstring(function, clean=False) is not None:
        splices.append(_replacing(source, function.body[0], _docstring(edit.description)))
    return source.spliced(splices)


def _check_id(id: str) -> None:
    if not id.isidentifier() or keyword.iskeyword(id) or id.startswith("_") or len(id) > _LONGEST_ID:
        raise refused("id", f"{id!r:.80} is no name; write letters, digits and _, such as at_most_three")


def _operand(tree: ast.expr, text: str) -> str:
    """An expression beside a comparison or a sign; what binds less than these stands in brackets."""
    text = written(tree, text)
    return text if isinstance(tree, ast.BinOp | _ATOMS) else f"({text})"


def _index(loops: list[ast.comprehension]) -> str:
    """The label of a row: what the loops count, without what they only look up."""
    counted = [name for loop in loops for name in _counted(loop)]
    return counted[0] if len(counted) == 1 else f"({', '.join(counted)})"


def _counted(loop: ast.comprehension) -> list[str]:
    target, source = loop.target, loop.iter
    pairs = (
        isinstance(source, ast.Call)
        and isinstance(source.func, ast.Attribute | ast.Name)
        and (source.func.attr if isinstance(source.func, ast.Attribute) else source.func.id)
        in ("items", "enumerate")
    )
    if pairs and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[0]
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _decorator_arguments(rule: SetRule, math: str, program: Program) -> str:
    present = program.constraints.get(rule.id)
    priority = rule.priority or (present.priority if present else "hard")
    arguments = [_raw(math)]
    if priority != "hard":
        arguments.append(f'priority="{priority}"')
    if present is not None and present.policy:
        arguments.append("policy=True")
    return ", ".join(arguments)


def _signature(rule: SetRule, program: Program) -> str:
    """Arguments and result, with the annotations that the file gives to rules of this kind."""
    alike = [part for part in program.constraints.values() if part.id == rule.id]
    alike += [] if rule.for_each else list(program.constraints.values())
    for part in alike:
        (function,) = parse_python(SourceText(part.code)).body
        assert isinstance(function, ast.FunctionDef)
        yields = any(isinstance(node, ast.Yield) for node in ast.walk(function))
        names = [argument.arg for argument in function.args.args]
        if names == ["self", "data", "v"] and yields == bool(rule.for_each):
            result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
            return f"({ast.unparse(function.args)}){result}"
    return "(self, data, v)"


def _raw(text: str) -> str:
    """A text as a raw literal, as formulas are written, or as a plain one where that cannot be."""
    fits = text.isprintable() and '"' not in text and not text.endswith("\\")
    return f'r"{text}"' if fits else repr(text)


def _docstring(text: str) -> str:
    text = " ".join(text.split())
    fits = text.isprintable() and text and '"' not in text and "\\" not in text
    return f'"""{text}"""' if fits else repr(text)


def _appended(source: SourceText, value: ast.expr | None, more: str) -> list[Splice]:
    assert value is not None
    begin, end = _span(source, value)
    sums = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub | ast.Mult | ast.Div)
    if sums or isinstance(value, _ATOMS):
        return [Splice(end, end, more.encode())]
    return [Splice(begin, begin, b"("), Splice(end, end, f"){more}".encode())]


def _new_math(
    source: SourceText, function: ast.FunctionDef, math: str, edit: ExtendObjective, term: ast.expr
) -> list[Splice]:
    """The formula with the term; none where the objective has none."""
    call = function.decorator_list[0]
    if not math or not isinstance(call, ast.Call):
        return []
    named = [item.value for item in call.keywords if item.arg == "math"]
    written = (named or call.args[1:2])[0]
    return [_replacing(source, written, _raw(f"{math} {edit.sign} {edit.math or term_formula(term)}"))]


def _replacing(source: SourceText, node: ast.expr | ast.stmt, text: str) -> Splice:
    begin, end = _span(source, node)
    return Splice(begin, end, text.encode())


def _span(source: SourceText, node: ast.expr | ast.stmt) -> tuple[int, int]:
    begin = source.start(node.lineno) + node.col_offset
    return begin, source.start(node.end_lineno or node.lineno) + (node.end_col_offset or 0)
