"""Whether a plan obeys the checks a person keeps; nothing here changes the model."""

import ast
import copy
import linecache
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from decision_ai.errors import ProgramError
from decision_ai.solving.blame import line_in, shortened
from decision_ai.solving.building import BuiltModel
from decision_ai.solving.check_code import may_change_data, method_node
from decision_ai.solving.explaining import explained
from decision_ai.solving.families import index_of
from decision_ai.solving.findings import CheckResult, PlanCheck
from decision_ai.solving.linear import Floats
from decision_ai.solving.problem import NotLinear, Row, at_plan
from decision_ai.solving.rows import SINGLE, pairs

CHECK_SECONDS = 2.0
"""Processor time one check may take: an endless one must not cost the others, nor the plan's own words."""
_FILE = "plan check"


class _Overdue(BaseException):
    """A check has used up its time; no `except Exception` of its own keeps it going."""


def check_plan(
    built: BuiltModel, values: Floats, checks: Sequence[PlanCheck], barred: Mapping[str, str]
) -> list[CheckResult]:
    """Evaluate checks at a plan, in their order.

    Args:
        built: the model the plan belongs to.
        values: of the columns.
        checks: what to evaluate.
        barred: code of a check → why it may not run.
    """
    return [_result(built, values, check, barred.get(check.code)) for check in checks]


def _result(built: BuiltModel, values: Floats, check: PlanCheck, barred: str | None) -> CheckResult:
    holds, message = (None, barred) if barred is not None else _told(built, values, check)
    return CheckResult(name=check.name, sentence=check.sentence, holds=holds, message=shortened(message))


def _told(built: BuiltModel, values: Floats, check: PlanCheck) -> tuple[bool | None, str]:
    """Whether the check holds, and what to say about it."""
    linecache.cache[_FILE] = (len(check.code), None, check.code.splitlines(keepends=True), _FILE)
    try:
        node = method_node(check.code)
        with at_plan(built.problem, values), _time_box(CHECK_SECONDS):
            given = (built.data, built.variables)
            returned = _method(node, built)(
                built.model, *(_copies(*given) if may_change_data(node) else given)
            )
            return _verdict(built, values, returned, node)
    except ProgramError as error:
        return None, str(error)
    except AssertionError as error:
        return False, str(error) or f"this does not hold{_where(error)}"
    except NotLinear as error:
        return None, str(error)
    except _Overdue:
        return None, f"the check takes more than {CHECK_SECONDS:g} s"
    except BaseException as error:  # SystemExit too: a check may fail, its plan does not
        where = _where(error)
        _, message, hint = explained(error, built.data, where)
        return None, f"{message}{where}" + (f"; {hint}" if hint else "")


@contextmanager
def _time_box(seconds: float) -> Iterator[None]:
    """Interrupt what runs for longer, where the system can and this is the thread that is told.

    It is the processor time that counts: a loaded machine makes no check overdue.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        raise _Overdue

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _copies(data: Any, variables: Any) -> tuple[Any, Any]:
    """Data and families that a check may change without anybody else seeing it."""
    families = {
        name: copy.copy(field) if isinstance(field, dict) else field
        for name, field in vars(variables).items()
    }
    own = type(variables).model_construct()
    vars(own).update(families)
    return copy.deepcopy(data), own


def _method(node: ast.FunctionDef, built: BuiltModel) -> Callable[..., Any]:
    """The method among the names of the program; what it binds is its own."""
    names = dict(vars(sys.modules[type(built.model).__module__]))
    module = ast.Module(body=[node], type_ignores=[])
    exec(compile(module, _FILE, "exec"), names)
    method: Callable[..., Any] = names[node.name]
    return method


def _where(error: BaseException) -> str:
    line = line_in(error.__traceback__, _FILE)
    source = linecache.getline(_FILE, line).strip() if line else ""
    return f" at `{source}`" if source else ""


def _verdict(
    built: BuiltModel, values: Floats, returned: Any, node: ast.FunctionDef
) -> tuple[bool | None, str]:
    if returned is None:
        if any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
            return True, ""
        return None, "the check returned nothing; return a comparison or a bool, or assert something"
    missed = []
    for index, comparison, _ in pairs(returned):
        key = () if index is SINGLE else index_of(index)
        row = built.problem.row(comparison)
        if isinstance(row, bool):
            missed += [] if row else [(np.inf, key, "it is false")]
        elif row.missed(values) > 0:
            missed.append((row.missed(values), key, _missed_by(row, values)))
    if not missed:
        return True, ""
    _, key, text = max(missed, key=lambda one: one[0])
    at = f"at [{', '.join(map(str, key))}] " if key else ""
    more = f" (and {len(missed) - 1} more like it)" if len(missed) > 1 else ""
    return False, f"{at}{text}{more}"


def _missed_by(row: Row, values: Floats) -> str:
    activity = row.activity(values)
    words = (
        "be exactly" if row.lower == row.upper else "be at least" if activity < row.lower else "be at most"
    )
    bound = row.lower if activity < row.lower else row.upper
    return f"{activity:.10g} must {words} {bound:.10g}: it is missed by {row.missed(values):.10g}"
