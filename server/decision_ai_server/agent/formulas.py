"""Rules and terms as people write them: LaTeX from the syntax trees of expressions.

What has no usual notation stands in the formula as the Python it is.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

_SIGNS: dict[type[ast.AST], str] = {
    **{ast.Eq: "=", ast.NotEq: r"\ne", ast.LtE: r"\le", ast.GtE: r"\ge", ast.Lt: "<", ast.Gt: ">"},
    **{ast.In: r"\in", ast.NotIn: r"\notin", ast.And: r"\land", ast.Or: r"\lor"},
    **{ast.Add: "+", ast.Sub: "-"},
}
_SENSES = {"<=": r"\le", ">=": r"\ge", "==": "="}
_ESCAPES = {
    "\\": r"\backslash ",
    **{sign: f"\\{sign}" for sign in "{}_&%$#"},
    "^": r"\hat{}",
    "~": r"\sim ",
}
_SUM, _SIGMA, _PRODUCT, _ATOM = range(4)
"""How strongly a formula holds together; what a sum sign begins reaches as far as it can."""


def rule_formula(left: ast.expr, sense: str, right: ast.expr, loops: list[ast.comprehension]) -> str:
    """A rule in LaTeX.

    Args:
        left: its left side.
        sense: `<=`, `>=` or `==`.
        right: its right side.
        loops: over what it holds; empty for a single rule.
    """
    terms = _Terms().inside(loops)
    row = f"{terms.latex(left)} {_SENSES[sense]} {terms.latex(right)}"
    over = [rf"\forall {terms.over(loop)}" for loop in loops]
    return r" \quad ".join([row, *over])


def term_formula(term: ast.expr) -> str:
    """A term of an objective in LaTeX, in brackets where it is a sum."""
    return _Terms().latex(term, _SIGMA)


def in_words(text: str) -> str:
    """Text inside a formula."""
    return rf"\text{{{''.join(_ESCAPES.get(sign, sign) for sign in ' '.join(text.split()))}}}"


@dataclass(frozen=True)
class _Terms:
    """Writes expressions.

    Attributes:
        keys: names of values in loops over pairs → the names of their keys, which index what is read of them.
    """

    keys: Mapping[str, str] = field(default_factory=dict)

    def inside(self, loops: list[ast.comprehension]) -> "_Terms":
        """The same within loops."""
        pairs = [pair for loop in loops if (pair := _pair(loop)) is not None]
        return _Terms({**self.keys, **{value: key for key, value in pairs}})

    def latex(self, tree: ast.expr, weakest: int = _SUM) -> str:
        """An expression, in brackets where it holds together less than `weakest`."""
        return _in_brackets(*self._written(tree), weakest)

    def over(self, loop: ast.comprehension) -> str:
        """Loop variable, index set and conditions."""
        pair = _pair(loop)
        target = _symbol(pair[0]) if pair else self.latex(loop.target)
        conditions = r",\, ".join(self.latex(test) for test in loop.ifs)
        return rf"{target} \in {self._set(loop.iter)}" + (conditions and rf" :\, {conditions}")

    def _set(self, tree: ast.expr) -> str:
        """An index set; of a table, its keys."""
        match tree:
            case ast.Call(func=ast.Attribute(value=table, attr="items" | "keys"), args=[]):
                return self.latex(table)
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return rf"\{{{', '.join(self.latex(element) for element in elements)}\}}"
            case _:
                return self.latex(tree)

    def _written(self, tree: ast.expr) -> tuple[str, int]:
        """An expression, and how strongly it holds together."""
        for kind in (self._plain, self._arithmetic, self._condition, self._summed):
            if (found := kind(tree)) is not None:
                return found
        return in_words(ast.unparse(tree)), _ATOM

    def _plain(self, tree: ast.expr) -> tuple[str, int] | None:
        match tree:
            case ast.Constant(value=bool() | str() as value):
                return in_words(str(value)), _ATOM
            case ast.Constant(value=int() | float() as value):
                return f"{value}", _ATOM
            case ast.Tuple(elts=elements):
                return ", ".join(self.latex(element) for element in elements), _SUM
        named = self._named(tree)
        if named is None:
            return None
        symbol, indices = named
        return f"{symbol}_{{{', '.join(indices)}}}" if indices else symbol, _ATOM

    def _arithmetic(self, tree: ast.expr) -> tuple[str, int] | None:
        match tree:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{self.latex(operand, _ATOM)}", _SUM
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return rf"\frac{{{self.latex(left)}}}{{{self.latex(right)}}}", _ATOM
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                factor, strength = self._written(right)
                sign = r"\cdot" if factor[0].isdigit() else r"\,"
                product = f"{self.latex(left, _PRODUCT)} {sign} {_in_brackets(factor, strength, _SIGMA)}"
                return product, _SIGMA if strength == _SIGMA else _PRODUCT
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                after = _SUM if isinstance(op, ast.Add) else _SIGMA
                return f"{self.latex(left)} {_SIGNS[type(op)]} {self.latex(right, after)}", _SUM
        return None

    def _condition(self, tree: ast.expr) -> tuple[str, int] | None:
        match tree:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return rf"\lnot {self.latex(operand, _ATOM)}", _PRODUCT
            case ast.Compare(left=left, ops=signs, comparators=others) if _SIGNS.keys() >= set(
                map(type, signs)
            ):
                rest = [
                    f"{_SIGNS[type(sign)]} {self._set(other)}"
                    for sign, other in zip(signs, others, strict=True)
                ]
                return " ".join([self.latex(left), *rest]), _SUM
            case ast.BoolOp(op=op, values=values):
                return f" {_SIGNS[type(op)]} ".join(self.latex(value, _SIGMA) for value in values), _SUM
        return None

    def _summed(self, tree: ast.expr) -> tuple[str, int] | None:
        match tree:
            case ast.Call(func=ast.Attribute(attr="lpSum") | ast.Name(id="sum"), args=[summed], keywords=[]):
                return self._sum(summed)
        return None

    def _sum(self, summed: ast.expr) -> tuple[str, int]:
        match summed:
            case ast.GeneratorExp(elt=term, generators=loops) | ast.ListComp(elt=term, generators=loops):
                terms = self.inside(loops)
                over = r",\; ".join(terms.over(loop) for loop in loops)
                return rf"\sum_{{{over}}} {terms.latex(term, _SIGMA)}", _SIGMA
            case ast.Call(func=ast.Attribute(value=table, attr="values"), args=[]):
                return rf"\sum {self.latex(table, _ATOM)}", _SIGMA
            case ast.List(elts=[_, *_] as elements) | ast.Tuple(elts=[_, *_] as elements):
                return " + ".join(self.latex(element) for element in elements), _SUM
            case _:
                return rf"\sum {self.latex(summed, _ATOM)}", _SIGMA

    def _named(self, tree: ast.expr) -> tuple[str, list[str]] | None:
        """What is read, and at which indices; None where it is read of something that has no name."""
        match tree:
            case ast.Name(id=name):
                return _symbol(name), []
            case ast.Attribute(value=ast.Name(id="data" | "v" | "self"), attr=name):
                return _symbol(name), []
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                return _symbol(name), [_symbol(self.keys.get(owner, owner))]
            case ast.Attribute(value=value, attr=name):
                of = self._named(value)
                return of and (_symbol(name), of[1])
            case ast.Subscript(value=value, slice=index):
                of = self._named(value)
                return of and (of[0], [*of[1], self.latex(index)])
            case _:
                return None


def _in_brackets(text: str, strength: int, weakest: int) -> str:
    return text if strength >= weakest else rf"\left({text}\right)"


def _pair(loop: ast.comprehension) -> tuple[str, str] | None:
    """The names of key and value in a loop over the items of a table."""
    match loop:
        case ast.comprehension(
            target=ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=value)]),
            iter=ast.Call(func=ast.Attribute(attr="items"), args=[]),
        ):
            return key, value
        case _:
            return None


def _symbol(name: str) -> str:
    return name if name.isalpha() else rf"\mathit{{{name}}}".replace("_", r"\_")
