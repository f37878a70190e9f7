"""The only file that knows highspy: arrays in, an ending and a checked plan out.

HiGHS cannot be stopped reliably (up to 15 s after a cancel, minutes after its time limit), so `run()`
works in a thread of its own and is left behind when its time is over; whoever called ends the process. The
best plan seen in a callback is ours from that moment on, and a plan is one only after our own arithmetic
has agreed.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

import highspy
import numpy as np

from decision_ai.errors import DataError
from decision_ai.solving.linear import Floats, LinearModel, relative_gap
from decision_ai.solving.outcome import SolveProgress
from decision_ai.solving.parameters import SolveParameters

_PROGRESS_EVERY = 0.2
_OVERTIME, _STOPTIME = 0.25, 0.1
"""Seconds HiGHS gets to come back by itself after its time limit, and after a stop."""
OnProgress = Callable[[SolveProgress], None]


class Ending(Enum):
    """What HiGHS claims, or that it was not waited for. A claim, never the truth told to a user."""

    OPTIMAL = auto()
    INFEASIBLE = auto()
    UNBOUNDED = auto()
    """Unbounded, or infeasible: HiGHS calls the relaxation of an infeasible MIP unbounded too."""
    TIME = auto()
    """The time limit, or left behind."""
    MEMORY = auto()
    INTERRUPTED = auto()
    OTHER = auto()


_Status = highspy.HighsModelStatus
_ENDINGS = {
    _Status.kOptimal: Ending.OPTIMAL,
    _Status.kInfeasible: Ending.INFEASIBLE,
    _Status.kUnbounded: Ending.UNBOUNDED,
    _Status.kUnboundedOrInfeasible: Ending.UNBOUNDED,
    _Status.kTimeLimit: Ending.TIME,
    _Status.kMemoryLimit: Ending.MEMORY,
    _Status.kInterrupt: Ending.INTERRUPTED,
}


@dataclass(frozen=True, kw_only=True)
class Run:
    """What one call of HiGHS brought."""

    ending: Ending
    values: Floats | None
    """The best plan, checked by us."""
    bound: float | None
    nodes: int | None
    hit_objective_limit: bool = False


class Engine:
    """One HiGHS object running in a thread of its own."""

    def __init__(
        self,
        model: LinearModel,
        parameters: SolveParameters,
        seconds: float,
        on_progress: OnProgress | None,
        stop: threading.Event,
    ) -> None:
        self._model, self._parameters, self._seconds = model, parameters, seconds
        self._on_progress, self._stop = on_progress, stop
        self._best: Floats | None = None
        self._bound: float | None = None
        self._nodes: int | None = None
        self._objective_limit_hit = False
        self._last_progress = 0.0
        self._done = threading.Event()
        self._result: Run | None = None

    def run(self, start: Floats | None) -> Run:
        """Run HiGHS until it ends, its time is over or the stop flag is up."""
        known = start is not None and not np.isnan(start).any()
        self._best = self._model.accepted(start) if start is not None and known else None
        if self._good_enough():
            return self._left_behind()
        thread = threading.Thread(target=self._work, args=(start,), name="highs", daemon=True)
        thread.start()
        end = time.monotonic() + self._seconds + _OVERTIME
        while not self._done.wait(0.02):
            if self._stop.is_set():
                self._done.wait(_STOPTIME)
                break
            if time.monotonic() > end:
                break
        return self._result or self._left_behind()

    def _left_behind(self) -> Run:
        return Run(
            ending=Ending.TIME,
            values=self._best,
            bound=self._bound,
            nodes=self._nodes,
            hit_objective_limit=self._objective_limit_hit,
        )

    def _work(self, start: Floats | None) -> None:
        try:
            self._result = self._solve(start)
        except MemoryError:
            self._result = replace(self._left_behind(), ending=Ending.MEMORY)
        except Exception:  # nothing may leave a thread unseen; the ending is told as an error
            self._result = replace(self._left_behind(), ending=Ending.OTHER)
        finally:
            self._done.set()

    def _solve(self, start: Floats | None) -> Run:
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.silent()
        self._set_options(highs)
        if highs.passModel(_highs_model(self._model)) == highspy.HighsStatus.kError:
            return replace(self._left_behind(), ending=Ending.OTHER)
        if start is not None and self._model.is_integer:
            known = np.flatnonzero(~np.isnan(start)).astype(np.int32)
            if len(known):
                highs.setSolution(len(known), known, start[known])
        if self._model.is_integer:
            highs.cbMipImprovingSolution += self._improved
            highs.cbMipInterrupt += self._interrupt
        highs.run()
        return self._read(highs)

    def _set_options(self, highs: Any) -> None:
        parameters = self._parameters
        options = {
            "threads": parameters.threads,
            "random_seed": parameters.seed,
            "mip_rel_gap": parameters.relative_gap,
            "mip_abs_gap": parameters.absolute_gap,
            "presolve": "choose" if parameters.presolve else "off",
        }
        if math.isfinite(self._seconds):
            options["time_limit"] = self._seconds
        for name, value in options.items():
            if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
                raise ValueError(f"HiGHS does not take {value!r} for {name!r}")

    def _read(self, highs: Any) -> Run:
        status, info = highs.getModelStatus(), highs.getInfo()
        values = self._best
        if info.primal_solution_status == 2:
            values = self._accept(np.array(highs.getSolution().col_value))
        nodes = int(info.mip_node_count) if self._model.is_integer else None
        bound = _finite(info.mip_dual_bound) if self._model.is_integer else None
        if not self._model.is_integer and status == _Status.kOptimal:
            bound = _finite(info.objective_function_value)
        return Run(
            ending=_ENDINGS.get(status, Ending.OTHER),
            values=values,
            bound=bound,
            nodes=nodes,
            hit_objective_limit=self._objective_limit_hit,
        )

    def _accept(self, values: Floats) -> Floats | None:
        """HiGHS' point as a plan; one that only rounding spoils is repaired by its continuous part."""
        plan = self._model.accepted(values)
        if plan is None and self._model.feasible(values) and self._model.is_integer:
            plan = self._model.accepted(_with_fixed_integers(self._model, values))
        return self._best if plan is None else plan

    def _improved(self, event: Any) -> None:
        plan = self._model.accepted(np.array(event.data_out.mip_solution))
        if plan is not None and (self._best is None or self._better(plan, self._best)):
            self._best = plan
        if self._good_enough():
            event.interrupt()
        self._tell(event.data_out)

    def _interrupt(self, event: Any) -> None:
        if self._stop.is_set() or self._objective_limit_hit:
            event.interrupt()
        self._tell(event.data_out)

    def _better(self, plan: Floats, than: Floats) -> bool:
        new, old = self._model.objective(plan), self._model.objective(than)
        return new < old if self._model.sense == "minimize" else new > old

    def _good_enough(self) -> bool:
        limit = self._parameters.objective_limit
        if limit is None or self._best is None:
            return False
        objective = self._model.objective(self._best)
        tolerance = 1e-9 * (1 + abs(limit))
        if self._model.sense == "minimize":
            self._objective_limit_hit = objective <= limit + tolerance
        else:
            self._objective_limit_hit = objective >= limit - tolerance
        return self._objective_limit_hit

    def _tell(self, out: Any) -> None:
        self._bound = _finite(out.mip_dual_bound)
        self._nodes = max(0, int(out.mip_node_count))
        moment = time.monotonic()
        if self._on_progress is None or (moment - self._last_progress < _PROGRESS_EVERY):
            return
        self._last_progress = moment
        objective = None if self._best is None else self._model.objective(self._best)
        self._on_progress(
            SolveProgress(
                seconds=float(out.running_time),
                objective=objective,
                bound=self._bound,
                gap=relative_gap(objective, self._bound),
                nodes=self._nodes,
            )
        )


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) and abs(number) < 1e30 else None


def _with_fixed_integers(model: LinearModel, values: Floats) -> Floats:
    """The best continuous part for the integers of a point, rounded."""
    whole = np.round(values)
    lower, upper = model.lower.copy(), model.upper.copy()
    lower[model.integral] = upper[model.integral] = whole[model.integral]
    fixed = replace(model, lower=lower, upper=upper, integral=np.zeros(model.columns, dtype=np.bool_))
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    highs.setOptionValue("time_limit", 10.0)
    highs.passModel(_highs_model(fixed))
    highs.run()
    return np.array(highs.getSolution().col_value)


def _highs_model(model: LinearModel) -> Any:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = model.columns, model.rows
    lp.sense_ = highspy.ObjSense.kMinimize if model.sense == "minimize" else highspy.ObjSense.kMaximize
    lp.offset_ = model.offset
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = model.cost, model.lower, model.upper
    lp.row_lower_, lp.row_upper_ = model.row_lower, model.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = model.columns, model.rows
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = model.start, model.index, model.value
    if model.is_integer:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[integral] for integral in model.integral.tolist()]
    return lp


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    """What HiGHS reads from an LP or MPS file."""

    name: str
    linear: LinearModel
    column_names: list[str]
    row_names: list[str]
    semicontinuous: list[int]
    """Columns that are zero or between their bounds."""
    warnings: list[str]
    """What HiGHS said while it read, a sentence each."""


def read_file(path: str) -> ModelFile:
    """Read an LP or MPS file, compressed or not; its ending decides which it is.

    Raises:
        DataError: if HiGHS cannot read it, with line and reason if it gives them, or if it is quadratic.
    """
    said: list[str] = []
    with _banner_unseen():
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("log_to_console", False)
    highs.cbLogging += lambda event: said.append(event.message)
    status = highs.readModel(path)
    if status == highspy.HighsStatus.kError:
        raise DataError(_reading_error(said))
    model = highs.getModel()
    if model.hessian_.dim_:
        raise DataError("the objective is quadratic; only linear models can be read")
    lp = model.lp_
    kinds = [int(kind) for kind in lp.integrality_] or [0] * lp.num_col_
    whole = {int(highspy.HighsVarType.kInteger), int(highspy.HighsVarType.kSemiInteger)}
    semi = {int(highspy.HighsVarType.kSemiContinuous), int(highspy.HighsVarType.kSemiInteger)}
    return ModelFile(
        name=lp.model_name_,
        linear=_linear_model(lp, np.array([kind in whole for kind in kinds], dtype=np.bool_)),
        column_names=list(lp.col_names_),
        row_names=list(lp.row_names_),
        semicontinuous=[column for column, kind in enumerate(kinds) if kind in semi],
        warnings=[text.removeprefix("WARNING:").strip() for text in said if text.startswith("WARNING:")],
    )


def _linear_model(lp: Any, integral: Any) -> LinearModel:
    matrix = lp.a_matrix_
    start, index = np.array(matrix.start_, dtype=np.int64), np.array(matrix.index_, dtype=np.int32)
    outer = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    rows, columns = (outer, index) if matrix.format_ == highspy.MatrixFormat.kRowwise else (index, outer)
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=lp.num_row_)
    return LinearModel(
        sense="maximize" if lp.sense_ == highspy.ObjSense.kMaximize else "minimize",
        offset=float(lp.offset_),
        cost=np.array(lp.col_cost_, dtype=np.float64),
        lower=np.array(lp.col_lower_, dtype=np.float64),
        upper=np.array(lp.col_upper_, dtype=np.float64),
        integral=integral,
        row_lower=np.array(lp.row_lower_, dtype=np.float64),
        row_upper=np.array(lp.row_upper_, dtype=np.float64),
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        index=columns[order],
        value=np.array(matrix.value_, dtype=np.float64)[order],
    )


def _reading_error(said: list[str]) -> str:
    """HiGHS' first error in one sentence; the place stands behind an arrow as `file:line:column`."""
    first = next((text for text in said if text.startswith("ERROR:")), "")
    lines = first.removeprefix("ERROR:").strip().splitlines()
    if not lines:
        return "HiGHS cannot read it and does not say why"
    place = next((line.rsplit(":", 2)[1:] for line in lines if line.lstrip().startswith("-->")), [])
    at = f"line {place[0]}: " if len(place) == 2 else ""
    return f"{at}{lines[0].strip()}"


@contextmanager
def _banner_unseen() -> Iterator[None]:
    """The first HiGHS object of a process writes a banner to descriptor 1, whatever its options say."""
    try:
        kept = os.dup(1)
    except OSError:  # nothing is open there
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)
