"""Which parts of a program do not build on its data: every one is tried alone."""

from collections.abc import Callable
from functools import partial
from typing import Any

from decision_ai.modeling.opt_model import OptModel
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import Workshop, workshop
from decision_ai.solving.families import BuiltFamily
from decision_ai.solving.findings import IncompatiblePart, PartKind
from decision_ai.solving.guards import guarded
from decision_ai.solving.rows import Rows


def incompatible_parts(model_class: type[OptModel[Any, Any]], data: Any) -> list[IncompatiblePart]:
    """The parts that do not build on data, in the order of the program: families, constraints, objective.

    Each family is built alone, each constraint and the objective against the families that build. A part
    that uses a family that does not build is incompatible too. What is switched off is tried like the rest,
    so that one knows whether it could be switched on.

    Raises:
        BuildFailure: if not even the model class can be made.
    """
    with guarded():
        return _Trial(workshop(model_class, data)).parts()


class _Trial:
    """One pass over the parts."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._families: dict[str, BuiltFamily] = {}
        self._broken: dict[str, str] = {}
        """Family that does not build → why."""
        self._variables: Any = None

    def parts(self) -> list[IncompatiblePart]:
        model_class = self._shop.model_class
        found = [self._family(name) for name in model_class.variables_class.families]
        self._variables = self._shop.variables(self._families)
        for name in self._broken:
            # Without a value the field would be read as its declaration.
            vars(self._variables).pop(name, None)
        found += [
            self._part("constraint", name, partial(self._rows, name)) for name in model_class.constraints
        ]
        if model_class.objective_id is not None:
            build = partial(self._shop.objective, self._variables)
            found.append(self._part("objective", model_class.objective_id, build))
        return [part for part in found if part is not None]

    def _family(self, name: str) -> IncompatiblePart | None:
        part = self._part("variable", name, partial(self._columns, name))
        if part is not None:
            self._broken[name] = part.reason
        return part

    def _columns(self, name: str) -> None:
        self._families[name] = self._shop.family(name)

    def _rows(self, name: str) -> None:
        method = getattr(self._shop.model, name)
        Rows(self._shop.problem, self._shop.blame).build(
            name, method, self._shop.data, self._variables, "hard"
        )

    def _part(self, kind: PartKind, name: str, build: Callable[[], None]) -> IncompatiblePart | None:
        try:
            build()
        except BuildFailure as failure:
            reason = self._reason(failure).removeprefix(f"{kind} {name!r}: ")
            return IncompatiblePart(kind=kind, id=name, reason=reason)
        finally:
            self._shop.problem.clear_rows()
        return None

    def _reason(self, failure: BuildFailure) -> str:
        cause = failure.__cause__
        if isinstance(cause, AttributeError) and cause.obj is self._variables and cause.name in self._broken:
            reason = self._broken[cause.name]
            return f"it uses the variable family {cause.name!r}, which does not build: {reason}"
        report = failure.report
        return report.message if report.hint is None else f"{report.message} ({report.hint})"
