"""What a sentence can mean: typed values that know no wording. The generator turns them into edits."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from decision_ai.client.schemas.components import Priority
from decision_ai.solving.outcome import Label

Relation = Literal["<=", ">=", "=="]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Subset(_Value):
    """Elements of a collection whose field has a value, such as items of the category kitchen."""

    attribute: tuple[str | int, ...]
    """Path of the field, with the numbers of collections in place of labels."""
    values: tuple[str | bool, ...]
    """Any of these."""


class Filter(_Value):
    """Which labels of one index position are meant; all restrictions hold together."""

    labels: tuple[Label, ...] | None = None
    subsets: tuple[Subset, ...] = ()


class Selection(_Value):
    """Members of one variable family."""

    family: str
    filters: dict[int, Filter] = {}
    """Index position -> restriction; a position that is not named is free."""
    weight: tuple[str | int, ...] | None = None
    """Path of the numeric field that each member counts with; None = 1."""
    pinned: dict[int, Label] = {}
    """Collection -> label, for collections on the path of the weight that do not index the family."""
    each: tuple[int, ...] = ()
    """Index positions over which the rule is repeated."""
    each_value: tuple[str | int, ...] | None = None
    """Path of a text field: the rule is repeated for each of its values."""


class Cardinality(_Value):
    """The number of chosen members is limited."""

    kind: Literal["cardinality"] = "cardinality"
    selection: Selection
    relation: Relation
    amount: float


class TotalLimit(_Value):
    """A total, of the variables themselves or weighted with a field, is limited."""

    kind: Literal["total_limit"] = "total_limit"
    selection: Selection
    relation: Relation
    amount: float


class Force(_Value):
    """Each of the selections has to happen."""

    kind: Literal["force"] = "force"
    selections: tuple[Selection, ...] = Field(min_length=1)


class Forbid(_Value):
    """Nothing of the selections may happen."""

    kind: Literal["forbid"] = "forbid"
    selections: tuple[Selection, ...] = Field(min_length=1)


class PairConflict(_Value):
    """Of the labels at one index position at most one may be chosen, separately for each other index."""

    kind: Literal["pair_conflict"] = "pair_conflict"
    selection: Selection
    position: int


class Together(_Value):
    """Two labels at one index position share their fate, separately for each other index."""

    kind: Literal["together"] = "together"
    selection: Selection
    position: int


class Implication(_Value):
    """If something of `condition` happens, something of `consequence` has to (or, negated, nothing may)."""

    kind: Literal["implication"] = "implication"
    condition: Selection
    consequence: Selection
    negated: bool = False


RuleMeaning = Cardinality | TotalLimit | Force | Forbid | PairConflict | Together | Implication


class DataSet(_Value):
    """Values of one field are replaced, or raised by a fixed amount."""

    kind: Literal["data_set"] = "data_set"
    attribute: tuple[str | int, ...]
    filters: dict[int, Filter] = {}
    value: float
    by: bool = False
    """The value is added to the present one."""


class DataScale(_Value):
    """Values of the data are multiplied."""

    kind: Literal["data_scale"] = "data_scale"
    attribute: tuple[str | int, ...]
    filters: dict[int, Filter] = {}
    """Collection -> the labels meant; a collection that is not named is meant whole."""
    factor: float


class DataReset(_Value):
    """Values of the data become again what they were at first."""

    kind: Literal["data_reset"] = "data_reset"
    attribute: tuple[str | int, ...]
    filters: dict[int, Filter] = {}


class RemoveRule(_Value):
    """A constraint that was added in the chat is deleted."""

    kind: Literal["remove_rule"] = "remove_rule"
    rule: str


class SwitchRule(_Value):
    """A constraint is switched off, or on again."""

    kind: Literal["switch_rule"] = "switch_rule"
    rule: str
    enabled: bool


class Prioritise(_Value):
    """A constraint becomes hard, or soft with a level."""

    kind: Literal["prioritise"] = "prioritise"
    rule: str
    priority: Priority


class RightHandSide(_Value):
    """A number written in a constraint is replaced."""

    kind: Literal["right_hand_side"] = "right_hand_side"
    rule: str
    before: float
    after: float


class ObjectiveReplace(_Value):
    """Another objective: the total of a selection."""

    kind: Literal["objective_replace"] = "objective_replace"
    sense: Literal["minimize", "maximize"]
    selection: Selection


class ObjectiveSense(_Value):
    """The same objective, the other way round."""

    kind: Literal["objective_sense"] = "objective_sense"
    sense: Literal["minimize", "maximize"]


class Solve(_Value):
    """Solve the present model."""

    kind: Literal["solve"] = "solve"
    time_limit: float | None = None
    relative_gap: float | None = None


class Show(_Value):
    """Show something; changes nothing."""

    kind: Literal["show"] = "show"
    what: Literal["model", "constraints", "variables", "objective", "data", "solution", "history", "checks"]
    rule: str | None = None
    path: tuple[str | int, ...] = ()
    """For data: the place to show."""
    attribute: tuple[str | int, ...] | None = None
    """For data: the field that was asked for."""
    filters: dict[int, Filter] = {}
    """Collection -> the labels that were asked for."""
    figure: Literal["value", "total", "largest", "smallest", "count", "members"] = "value"


class Undo(_Value):
    """Take back the last changes."""

    kind: Literal["undo"] = "undo"
    steps: int = Field(default=1, ge=1)


class Redo(_Value):
    """Bring back what was taken back."""

    kind: Literal["redo"] = "redo"
    steps: int = Field(default=1, ge=1)


class Branch(_Value):
    """Start a branch here."""

    kind: Literal["branch"] = "branch"
    name: str


class Checkout(_Value):
    """Go to a version, or to the time before a component was changed; one of the two."""

    kind: Literal["checkout"] = "checkout"
    version: str | None = None
    """A branch or a number."""
    before: str | None = None
    """Id of a component."""


class Compare(_Value):
    """Compare two versions."""

    kind: Literal["compare"] = "compare"
    a: str
    b: str | None = None
    """None = the present one."""


class Reset(_Value):
    """Bring one component back to what it was at first."""

    kind: Literal["reset"] = "reset"
    id: str


class KeepCheck(_Value):
    """Every plan is checked for a rule that is no part of the model."""

    kind: Literal["keep_check"] = "keep_check"
    rule: RuleMeaning


class RemoveCheck(_Value):
    """A kept check is dropped."""

    kind: Literal["remove_check"] = "remove_check"
    name: str


class Help(_Value):
    """Say what can be asked for."""

    kind: Literal["help"] = "help"


Meaning = Annotated[
    RuleMeaning
    | DataSet
    | DataScale
    | DataReset
    | RemoveRule
    | SwitchRule
    | Prioritise
    | RightHandSide
    | ObjectiveReplace
    | ObjectiveSense
    | Solve
    | Show
    | Undo
    | Redo
    | Branch
    | Checkout
    | Compare
    | Reset
    | KeepCheck
    | RemoveCheck
    | Help,
    Field(discriminator="kind"),
]


class Reading(_Value):
    """One way to read a sentence."""

    meanings: tuple[Meaning, ...]
    used: frozenset[int]
    """Positions of the tokens that carry the meaning."""
    rank: int = 0
    """Smaller is preferred where two readings use equally many words."""
    question: str | None = None
    """Set where the sentence is clear but for one choice: what to ask instead of proposing."""
