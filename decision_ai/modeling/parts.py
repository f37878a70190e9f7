"""The parts of a model file as values: what each is called, says and looks like."""

from dataclasses import dataclass

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.opt_model import Sense
from decision_ai.modeling.variables import Domain


@dataclass(frozen=True, kw_only=True)
class FieldPart:
    """One field of an input-data class."""

    name: str
    annotation: str
    """The annotation as written."""
    description: str
    unit: str = ""
    """The unit of its numbers as written, such as `EUR/kg`; empty if none is declared."""


@dataclass(frozen=True, kw_only=True)
class DataClassPart:
    """One input-data class."""

    name: str
    code: str
    fields: dict[str, FieldPart]
    """Name → field in the order of the file, inherited ones first."""
    description: str


@dataclass(frozen=True, kw_only=True)
class VariablePart:
    """One variable family: an annotated assignment and the string after it."""

    id: str
    code: str
    math: str
    description: str
    domain: Domain
    enabled: bool
    line: int
    """First line in the file, from 1."""
    unit: str = ""
    """What a member is measured in, as written; empty if none is declared."""


@dataclass(frozen=True, kw_only=True)
class ConstraintPart:
    """One constraint: a decorated method of the model class."""

    id: str
    code: str
    """Dedented source, decorator included."""
    math: str
    description: str
    enabled: bool
    priority: Priority
    policy: bool
    line: int
    """First line in the file, from 1."""


@dataclass(frozen=True, kw_only=True)
class ObjectivePart:
    """The objective: a decorated method of the model class."""

    id: str
    """Name of the method."""
    code: str
    """Dedented source, decorator included."""
    math: str
    description: str
    sense: Sense
    line: int
    """First line in the file, from 1."""
