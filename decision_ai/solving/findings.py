"""What a job can find out about a model besides solving it: values only."""

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from decision_ai.solving.outcome import Label, RowState

PartKind: TypeAlias = Literal["constraint", "variable", "objective"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class PartName(_Value):
    """One part of a model by kind and id."""

    kind: PartKind
    id: str


class IncompatiblePart(_Value):
    """A part that does not build on the data."""

    kind: PartKind
    id: str
    reason: str
    """One sentence for a person."""


class PlanCheck(_Value):
    """A named check that a person keeps: a sentence, and a method that tells whether a plan obeys it."""

    name: str
    sentence: str
    code: str
    """One method `def name(self, data, v): ...` as in a model file, without a decorator.

    It returns or yields comparisons as a constraint does, which must hold at the plan; or returns a bool; or
    asserts. Variables have values: `v.pack[i].value()`.
    """


class CheckResult(_Value):
    """How a plan does on one check."""

    name: str
    sentence: str
    holds: bool | None
    """None where it could not be told: there is no plan, or the check itself fails to run."""
    message: str = ""
    """Which row is missed by how much, the text of the assertion, or why it could not be told."""


class BrokenMember(_Value):
    """A member whose value is outside its bounds or not whole."""

    variable_id: str
    index: tuple[Label, ...]
    value: float
    lower: float | None
    upper: float | None
    whole: bool
    """Whether the member must be a whole number."""


class PricedPlan(_Value):
    """What a plan that somebody typed in is worth, and what it breaks."""

    objective: float | None
    """None for a model without an objective."""
    rows: list[RowState]
    """Every row at the plan; `violation` is how far it is missed, for hard rows too."""
    members: list[BrokenMember]
    """Members outside their bounds or not whole."""
    missing: list[str]
    """Names of members the plan does not give, taken as 0 (or the bound nearest to it)."""
    unknown: list[str]
    """Names the plan gives and the model does not have."""
    soft: list[str] = []
    """Ids of the constraints that have a priority: their rows may be missed."""
    checks: list[CheckResult] = []

    @property
    def broken(self) -> list[RowState]:
        """The rows of hard constraints that the plan misses."""
        soft = set(self.soft)
        return [row for row in self.rows if row.violation > 0 and row.constraint_id not in soft]

    @property
    def feasible(self) -> bool:
        """Whether every hard row, every bound and every integrality is kept."""
        return not self.members and not self.broken


class ExportedModel(_Value):
    """A model in a format of solvers."""

    text: str
    names: dict[str, str]
    """Safe name in the text → user's name, such as `pack_Tent` → `pack[Tent]`; columns and rows."""


class Findings(_Value):
    """Everything a job found; what it was not asked for is empty."""

    incompatible: list[IncompatiblePart] = []
    checks: list[CheckResult] = []
    priced: PricedPlan | None = None
    exported: ExportedModel | None = None
