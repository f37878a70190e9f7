"""What an exception that came out of a model file means: a word, a sentence and a hint."""

import builtins
import difflib
import inspect
import re
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, NamedTuple

from decision_ai.solving.guards import SilentlyRead, number_hint


class Meaning(NamedTuple):
    """What an exception means; `error_type` is a word of the reports."""

    error_type: str
    message: str
    hint: str | None = None


_VARIABLE = r"(LpVariable|LpAffineExpression|LpConstraint)"
_LINEAR = (
    "multiply variables by numbers of the data only; for a product with a binary variable declare a new "
    "variable and bound it by both"
)
_PRODUCT = Meaning(
    "nonlinear",
    "a product, quotient or power of variables is not linear; HiGHS solves linear models only",
    _LINEAR,
)
_FUNCTION = Meaning(
    "nonlinear",
    "a function of variables is not linear; HiGHS solves linear models only",
    "use sums of numbers times variables; for whole numbers declare an integer variable",
)
_LARGEST = Meaning(
    "nonlinear",
    "the least or greatest of variables is not linear",
    "declare a continuous variable: for the greatest it is >= each of them, for the least <= each",
)
_ABSOLUTE = Meaning(
    "nonlinear",
    "the absolute value of variables is not linear",
    "declare a continuous variable that is >= the expression and >= minus the expression",
)
_ORDER = Meaning(
    "nonlinear",
    "variables have no order while the model is built",
    "order them by the data, or with binary variables",
)
_STRICT = Meaning(
    "strict_inequality",
    "< and > are no comparisons of a linear model",
    "write <= or >=; for whole numbers x < n is x <= n - 1",
)
_NO_DECISION = Meaning(
    "no_value",
    "a variable has no value while the model is built; it cannot decide an `if`",
    "decide by the data, or with a binary variable",
)
_JOINED = Meaning(
    "not_a_constraint",
    "constraints cannot be joined by &, | or >>",
    "yield every constraint by itself; 'or' and 'if' between constraints need a binary variable",
)
_NO_INDEX = Meaning(
    "wrong_index",
    "this variable takes no index: its family is declared without `over`",
    "write it without [...], or declare the family with over=...",
)
_NONE = Meaning(
    "missing_value",
    "None stands where a number must be",
    "give the value in the data, or skip the row or the term where it is None",
)
_NOT_FINITE = Meaning(
    "not_finite",
    "NaN or an infinite number stands in an expression",
    "use finite numbers; where there is no limit, skip the row",
)
_ENDLESS = Meaning("exception", "RecursionError: the program calls itself without end")

_TYPE_ERRORS: tuple[tuple[str, str, Meaning], ...] = (
    # pattern of the text, pattern of the line, what it means; the first that fits
    (rf"not supported between .*{_VARIABLE}'", r"\b(max|min)\(", _LARGEST),
    (rf"not supported between .*{_VARIABLE}'", r"\bsort(ed)?\(", _ORDER),
    (rf"'[<>]' not supported between .*{_VARIABLE}'", r"\b(if|while|assert)\b", _NO_DECISION),
    (rf"'[<>]' not supported between .*{_VARIABLE}'", "", _STRICT),
    (r"NoneType", r"\.varValue", Meaning(*_NONE[:2], "a variable has no value while the model is built")),
    (r"not supported between .*NoneType|real number, not NoneType|unsupported operand.*NoneType", "", _NONE),
    (rf"for (&|\||\^|>>|<<): .*{_VARIABLE}'", "", _JOINED),
    (rf"[Nn]on-constant expression|unsupported operand type.*{_VARIABLE}'", "", _PRODUCT),
    (rf"operand type for abs\(\): .*{_VARIABLE}", "", _ABSOLUTE),
    (rf"{_VARIABLE}' object is not subscriptable", "", _NO_INDEX),
    (rf"{_VARIABLE}", "", _FUNCTION),
)
_NOT_A_NUMBER = re.compile(r"must be real number, not '?(?P<kind>\w+)|[Uu]nsupported type .*: (?P<other>\w+)")
_NO_SUBSCRIPT = re.compile(r"'(?P<kind>\w+)' object is not subscriptable")
_UNPACKED = re.compile(r"values to unpack|cannot unpack")
_MOST_LABELS = 10_000
_USUAL = ("self", "data", "v")


class WrongIndex(KeyError):
    """A member that a variable family does not have."""

    error_type = "wrong_index"

    def __init__(self, family: str, key: Any, message: str, hint: str | None) -> None:
        self.family, self.key, self.hint = family, key, hint
        super().__init__(message)


def explained(error: BaseException, data: Any, line: str = "") -> Meaning:
    """What an exception of a program means.

    Args:
        error: the exception.
        data: what the program was given, for names that were probably meant.
        line: the line of the program it came from.
    """
    if isinstance(error, WrongIndex | SilentlyRead):
        return Meaning(error.error_type, str(error.args[0]), error.hint)
    match error:
        case NameError():
            return _unknown_name(error, line)
        case AttributeError(name=str()):
            return _unknown_member(error)
        case KeyError(args=(key, *_)):
            return Meaning("unknown_name", f"there is no key {key!r}", nearest(key, _labels(data)))
        case IndexError():
            return Meaning("wrong_index", str(error))
        case TypeError():
            return _type_error(error, line)
    return _other(error)


def takes(function: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a function can be called with these arguments."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # built in, without a signature
        return True
    return True


def signature(function: Callable[..., Any]) -> str:
    """The parameters of a function as it declares them, with `self` of a method."""
    function = getattr(function, "__func__", function)
    return f"({', '.join(inspect.signature(function).parameters)})"


def nearest(name: object, known: Iterable[object]) -> str | None:
    """The known name closest to a wrong one, as a hint."""
    names = {str(one): one for one in known}
    small = {one.casefold(): one for one in reversed(names)}
    close = difflib.get_close_matches(str(name).casefold(), list(small), n=1, cutoff=0.6)
    return f"did you mean {names[small[close[0]]]!r}?" if close else None


def _type_error(error: TypeError, line: str) -> Meaning:
    text = _text(error)
    for said, written, meaning in _TYPE_ERRORS:
        if re.search(said, text) and re.search(written, line):
            return meaning
    if _divides_by_variable(error, text):
        return _PRODUCT
    number, subscript = _NOT_A_NUMBER.search(text), _NO_SUBSCRIPT.search(text)
    if number is not None:
        kind = number["kind"] or number["other"]
        return Meaning("not_a_number", f"a {kind} stands where a number must be", number_hint(kind))
    hint = None
    if subscript is not None and not hasattr(builtins, subscript["kind"]):
        hint = "a field is read with a dot, as in data.size"
    return Meaning("exception", f"TypeError: {text}", _habit_hint(text) or hint)


def _divides_by_variable(error: TypeError, text: str) -> bool:
    # PuLP 3 divides by asking for the length of the divisor.
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    inside = traceback.tb_frame.f_globals.get("__name__", "") if traceback is not None else ""
    return "has no len()" in text and str(inside).startswith("pulp")


def _other(error: BaseException) -> Meaning:
    if isinstance(error, MemoryError):
        return Meaning("memory_limit", "the program needs more memory than it may use; build less")
    if isinstance(error, RecursionError):
        return _ENDLESS
    text, kind = _text(error), type(error).__name__
    if kind == "PulpError" and "NaN/inf" in text:
        return _NOT_FINITE
    if isinstance(error, AssertionError):
        return Meaning("exception", f"its assertion does not hold{f': {text}' if text else ''}")
    return Meaning("exception", f"{kind}: {text}", _habit_hint(text))


def _habit_hint(text: str) -> str | None:
    if _UNPACKED.search(text):
        return "a loop over a dict gives its keys; write .items() for keys and values"
    if "zip() argument" in text:
        return "both lists need the same length"
    return "a sum over a dict adds its keys; write .values()" if "+: 'int' and 'str'" in text else None


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # the text of a hostile exception may itself fail
        return "an exception without a readable text"


def _unknown_name(error: NameError, line: str) -> Meaning:
    if isinstance(error, UnboundLocalError):
        found = re.search(r"'(\w+)'", _text(error))
        name = f" {found[1]!r}" if found else ""
        hint = "a method returns its comparison; it is not added to a problem" if "+=" in line else None
        return Meaning("unknown_name", f"the name{name} is read before it has a value", hint)
    name, frame = str(error.name), _last_frame(error)
    names = {*frame.f_locals, *frame.f_globals} if frame is not None else set()
    close = None if name in _USUAL else nearest(name, [known for known in names if known[:2] != "__"])
    hint = _owner(frame, name) or close or _given(frame)
    return Meaning("unknown_name", f"there is no name {name!r}", hint)


def _last_frame(error: BaseException) -> FrameType | None:
    traceback, frame = error.__traceback__, None
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
    return frame


def _owner(frame: FrameType | None, name: str) -> str | None:
    """`write v.x`, where a name is a field of one of the method's own objects."""
    for owner, value in (frame.f_locals if frame is not None else {}).items():
        if hasattr(type(value), "__pydantic_fields__") and name in type(value).__pydantic_fields__:
            return f"did you mean {owner}.{name}?"
    return None


def _given(frame: FrameType | None) -> str | None:
    code = frame.f_code if frame is not None else None
    if code is None or not code.co_argcount:
        return None
    return f"{code.co_name} has {', '.join(code.co_varnames[: code.co_argcount])}"


def _unknown_member(error: AttributeError) -> Meaning:
    owner, name = error.obj, str(error.name)
    message = f"{'a dict' if isinstance(owner, dict) else type(owner).__name__} has no {name!r}"
    if isinstance(owner, dict) and name in owner:
        return Meaning("unknown_name", message, f"a key is read with square brackets: [{name!r}]")
    public = [known for known in dir(owner) if not known.startswith(("_", "model_"))]
    return Meaning("unknown_name", message, nearest(name, public))


def _labels(data: Any) -> Iterable[object]:
    """Keys of the dictionaries in the data, the first ones of a large set."""
    found: dict[object, None] = {}
    waiting = [data]
    while waiting and len(found) < _MOST_LABELS:
        value = waiting.pop()
        if isinstance(value, dict):
            found.update(dict.fromkeys(list(value)[:_MOST_LABELS]))
            waiting.extend(list(value.values())[:_MOST_LABELS])
        elif isinstance(value, list | tuple):
            waiting.extend(value[:_MOST_LABELS])
        elif hasattr(value, "__pydantic_fields__"):
            waiting.extend(vars(value).values())
    return found
