"""Arithmetic over named figures: four operations and a few functions, read from a syntax tree, never run."""

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from decision_ai.errors import DecisionAIError
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.placeholders import UnknownPlaceholder

MOST_CHARACTERS = 500
_NAMED = re.compile(r"\{([^{}\n]+)\}")


class BadExpression(DecisionAIError):
    """An expression cannot be computed; says why."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What an expression may use.

    Attributes:
        figures: by full name, such as "solve.objective".
        is_known: whether a number may be written out.
    """

    figures: Mapping[str, Figure]
    is_known: Callable[[float], bool]


@dataclass(frozen=True)
class Computed:
    """What an expression comes to; `percent` is it in percent, where it is a share or a percentage."""

    value: float
    percent: float | None = None


def evaluate(expression: str, sources: Sources) -> Computed:
    """The value of an expression such as `solve.objective - compare.objective_b`.

    A name that is no word of Python goes in braces: `{show_data.Tent.weight}`.

    Args:
        expression: figures by name, + - * /, and the functions of `FUNCTIONS`.
        sources: what it may use.

    Raises:
        BadExpression: if it cannot be read or computed.
        UnknownPlaceholder: if it names a figure that there is not.
    """
    if len(expression) > MOST_CHARACTERS:
        raise BadExpression(f"the expression has more than {MOST_CHARACTERS} characters; compute it in parts")
    names: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        name = f"_braced_{len(names)}"
        names[name] = match[1].strip()
        return f" {name} "

    try:
        source = _NAMED.sub(stand_in, expression).strip()
        tree = ast.parse(source, mode="eval")
        value = _Evaluation(sources, names, source).value(tree.body)
        if not math.isfinite(value):
            raise OverflowError
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadExpression(
            f"{expression!r} is no arithmetic; write one such as solve.objective - compare.objective_b"
        ) from None
    except ZeroDivisionError:
        raise BadExpression(f"{expression!r} divides by zero") from None
    except OverflowError:
        raise BadExpression(f"{expression!r} is too large to compute") from None
    return Computed(value, _percent(tree.body, value))


def percent_change(new: float, old: float) -> float:
    """By how many percent `new` is above `old`; of a negative `old`, of its size."""
    return (new - old) / abs(old) * 100


def share(part: float, whole: float) -> float:
    """Which share of the whole a part is, 1 being all of it."""
    return part / whole


def _percent(node: ast.expr, value: float) -> float | None:
    """The value in percent if the whole expression is a share or a percentage, rounded or not."""
    match node:
        case ast.Call(func=ast.Name(id="share")):
            return value * 100
        case ast.Call(func=ast.Name(id="percent_change")):
            return value
        case ast.Call(func=ast.Name(id="round"), args=[inner, *_]):
            return _percent(inner, value)
    return None


def _mean(*values: float) -> float:
    return math.fsum(values) / len(values)


def _rounded(value: float, digits: float = 0) -> float:
    return round(value, int(digits))


@dataclass(frozen=True)
class _Function:
    compute: Callable[..., float]
    fewest: int
    most: int


_MANY = 100
FUNCTIONS: Mapping[str, _Function] = {
    "percent_change": _Function(percent_change, 2, 2),
    "share": _Function(share, 2, 2),
    "min": _Function(lambda *values: min(values), 1, _MANY),
    "max": _Function(lambda *values: max(values), 1, _MANY),
    "sum": _Function(lambda *values: math.fsum(values), 1, _MANY),
    "mean": _Function(_mean, 1, _MANY),
    "abs": _Function(abs, 1, 1),
    "round": _Function(_rounded, 1, 2),
}
_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.Div: lambda one, other: one / other,
}


@dataclass(frozen=True)
class _Evaluation:
    sources: Sources
    names: Mapping[str, str]
    """What the stand-ins for names in braces stand for."""
    source: str

    def value(self, node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return self._literal(node, number)
            case ast.Name() | ast.Attribute():
                return self._figure(self._name(node))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATIONS:
                return _OPERATIONS[type(operator)](self.value(left), self.value(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return self._call(name, args)
        known = ", ".join(FUNCTIONS)
        raise BadExpression(f"only figures by name, + - * / and {known} can be computed with")

    def _literal(self, node: ast.expr, number: float) -> float:
        if not self.sources.is_known(number):
            # As it was written: what a failed call says in other digits would count as its finding.
            written = ast.get_source_segment(self.source, node)
            raise BadExpression(
                f"{written} is in no result of this turn and the person did not say it; "
                "use a named figure, or a tool that brings it"
            )
        return number

    def _figure(self, name: str) -> float:
        if name not in self.sources.figures:
            raise UnknownPlaceholder(name, list(self.sources.figures))
        figure = self.sources.figures[name]
        if isinstance(figure, str):
            raise BadExpression(f"{name} is the word {figure!r}, not a number")
        return figure

    def _name(self, node: ast.expr) -> str:
        """The dotted name of a node; braces stand for the name in them."""
        match node:
            case ast.Name(id=id):
                return self.names.get(id, id)
            case ast.Attribute(value=value, attr=field):
                return f"{self._name(value)}.{field}"
        raise BadExpression("a figure goes by its name, such as solve.objective; other names go in braces")

    def _call(self, name: str, args: Sequence[ast.expr]) -> float:
        function = FUNCTIONS[name]
        if not function.fewest <= len(args) <= function.most:
            least = "" if function.fewest == function.most else "at least "
            raise BadExpression(f"{name} takes {least}{function.fewest} arguments, not {len(args)}")
        if name == "round" and len(args) == 2:
            return _rounded(self.value(args[0]), _decimals(args[1]))
        return function.compute(*map(self.value, args))


def _decimals(node: ast.expr) -> int:
    """How many decimals to round to: a choice, not a figure."""
    match node:
        case ast.Constant(value=int() as digits) if not isinstance(digits, bool) and 0 <= digits <= 12:
            return digits
    raise BadExpression("round takes a number of decimals from 0 to 12, written out")
