"""What a language model may write as one side of a rule, as a term, or as a loop over an index set.

Everything is read as a syntax tree and nothing is run. Whatever passes is one expression: it assigns nothing,
compares nothing outside a condition, and uses only names that the model file knows.
"""

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TypeGuard

from decision_ai.errors import ProgramError
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import Component, refusal, unknown
from decision_ai.modeling.syntax import parse_expression, parse_module
from decision_ai_server.agent.spelling import respelled

_LONGEST = 4096
# What reads syntax trees goes down by recursion.
_DEEPEST = 80
_STATEMENT_LIKE = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)
_SEVERAL = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
_OF_THE_MODEL = {"self", "data", "v", "pulp"}
_OF_PYTHON = {
    *(
        "abs",
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "float",
        "frozenset",
        "int",
        "len",
        "list",
        "max",
        "min",
    ),
    *("range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
}


@dataclass(frozen=True)
class Names:
    """What the names in an expression mean: the loops' own, the model's, the program's, the data's.

    Attributes:
        program: whose names.
        labels: keys and texts of the data.
        bound: names that loops bind.
    """

    program: Program
    labels: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()

    def and_bound(self, loops: Iterable[ast.comprehension]) -> "Names":
        """The same with the names that loops bind."""
        return replace(self, bound=self.bound.union(*(targets_of(loop.target) for loop in loops)))

    def resolved(self, tree: ast.expr, field: str) -> ast.expr:
        """The expression with bare names of families and data fields written out; others must be known.

        Labels are spelled as the data spell them.

        Raises:
            ProgramError: if a name is unknown, or `v` has no such family.
        """
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.comprehension)]
        bound = self.and_bound(loops).bound
        known = {"data", "v", *bound, *_defined(self.program), *_OF_PYTHON}
        tree = respelled(_WrittenOut(self._short(known)).visit(tree), self.labels)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and (node.id not in known or node.id.startswith("_")):
                raise refused(
                    field, f"{node.id!r} is not known here; use data.FIELD, v.FAMILY[index] or a loop's name"
                )
            if _is_family(node) and node.attr not in self.program.variables:
                raise unknown("variable", node.attr, self.program.variables, noun="variable family")
        return tree

    def _short(self, known: Collection[str]) -> dict[str, str]:
        """Names a model leaves half of out → what they can only mean."""
        main = self.program.data_classes[self.program.main_data_class]
        short = dict.fromkeys(main.fields, "data") | dict.fromkeys(self.program.variables, "v")
        twice = main.fields.keys() & self.program.variables.keys()
        if "pulp" in known:
            short["lpSum"] = "pulp"
        return {name: owner for name, owner in short.items() if name not in known and name not in twice}


class _WrittenOut(ast.NodeTransformer):
    def __init__(self, short: dict[str, str]) -> None:
        self._short = short

    def visit_Name(self, node: ast.Name) -> ast.expr:
        owner = self._short.get(node.id)
        return node if owner is None else ast.Attribute(ast.Name(owner, ast.Load()), node.id, ast.Load())


def _is_family(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "v"


def expression(text: str, field: str) -> ast.expr:
    """The syntax tree of one side of a rule, or of a term.

    Args:
        text: as it was written.
        field: the field of the edit, for the refusal.

    Raises:
        ProgramError: if it is no single expression, or compares or assigns where it must not.
    """
    tree = _parsed(f"(\n{text}\n)")
    if tree is None:
        raise refused(field, f"{text!r:.200} is no Python expression of reasonable size")
    if isinstance(tree, _SEVERAL):
        raise refused(field, "a sum or a number is wanted, not several values; use pulp.lpSum(...)")
    _check(tree, field)
    conditions = {id(part) for node in ast.walk(tree) for test in _tests(node) for part in ast.walk(test)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.BoolOp) and id(node) not in conditions:
            there = f"the comparison {ast.unparse(node)!r:.120} does not belong here"
            raise refused(field, f"{there}; compare with `sense` and `right`")
    return tree


def _parsed(text: str) -> ast.expr | None:
    if len(text) > _LONGEST:
        return None
    try:
        tree = parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    depth, level = 0, [tree]
    while level and depth <= _DEEPEST:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]  # type: ignore[misc]
    return None if level else tree


def _check(tree: ast.AST, field: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, _STATEMENT_LIKE):
            raise refused(field, "assignments, lambdas and yields have no place in a rule")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise refused(field, f"{node.attr!r} is private")


def _tests(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.IfExp):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []


def loop_of(clause: str) -> ast.comprehension:
    """The loop that a clause such as `i, item in data.items.items() if item.fragile` stands for.

    Raises:
        ProgramError: if it is no single loop, or takes a name that the model needs.
    """
    # The bracket on a line of its own, so that no comment swallows it.
    tree = _parsed(f"[0 for {clause.strip().removeprefix('for ')}\n]")
    if not isinstance(tree, ast.ListComp) or len(tree.generators) != 1 or tree.generators[0].is_async:
        raise refused("for_each", f"{clause!r:.200} is no loop; write one such as 'i in data.items'")
    _check(tree, "for_each")
    names = targets_of(tree.generators[0].target)
    if not all(names) or names & _OF_THE_MODEL:
        raise refused("for_each", f"{clause!r:.200} does not name its index; write 'i in data.items'")
    return tree.generators[0]


def targets_of(target: ast.expr) -> set[str]:
    """The names a loop binds; an empty name for what is none."""
    if isinstance(target, ast.Tuple):
        return set().union(*(targets_of(part) for part in target.elts))
    return {target.id if isinstance(target, ast.Name) else ""}


def written(tree: ast.expr, text: str) -> str:
    """An expression as it was written, where that fits one line and nothing was written out in it."""
    line = " ".join(text.split())
    same = _parsed(f"({line})")  # in one line: a comment would swallow the bracket
    return line if same is not None and ast.dump(same) == ast.dump(tree) else ast.unparse(tree)


def _defined(program: Program) -> set[str]:
    """The names that the top level of the file imports or defines, classes aside."""
    names: set[str] = set()
    for node in parse_module(program.source).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def refused(field: str, message: str, *, component: Component = "constraint") -> ProgramError:
    """The refusal of one field of an edit."""
    return refusal("no_expression", f"{field}: {message}", component=component)
