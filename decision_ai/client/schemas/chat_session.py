"""The state of a chat session, as `remote_state()` lets its owner see and change it."""

import warnings
from typing import get_args

from pydantic import Field

from decision_ai.client.schemas.base import StrictSchema
from decision_ai.client.schemas.components import Priority
from decision_ai.client.schemas.constraint import Constraint
from decision_ai.client.schemas.notations import OptModelNotations
from decision_ai.client.schemas.objective import Objective
from decision_ai.client.schemas.variable import Variable


class Usage(StrictSchema):
    """What the decisions of a language model have cost."""

    prompt_tokens: int
    """Tokens read, lost attempts included."""
    completion_tokens: int
    """Tokens written, lost attempts included."""
    cost: float | None = None
    """Money, where the server knows prices."""
    currency: str | None = None
    seconds: float
    """Time of deciding and of tools on the server."""
    decisions: int
    """How many were made or lost."""


class SessionUsage(Usage):
    """What a session has cost."""

    last_turn: Usage
    """The part of it since the newest prompt."""


class ChatSessionState(StrictSchema):
    """Everything a session has agreed on so far: components, switches, priorities and data."""

    id: str
    opt_model_id: str
    opt_input_data_id: str
    created_at: int
    """Milliseconds since 1970 (UTC)."""
    updated_at: int
    """Milliseconds since 1970 (UTC)."""
    py_class_name_of_model: str
    py_class_name_of_input_data: str
    executive_summary: str
    constraints: dict[str, Constraint]
    variables: dict[str, Variable]
    objective: Objective
    opt_model_notations: OptModelNotations
    input_data_classes: list[str] | None = None
    reasoning_enabled: bool | None = None
    usage: SessionUsage | None = Field(default=None, exclude_if=lambda usage: usage is None)
    """What language models have cost so far; read-only. Left out where none was used."""

    @property
    def base_constraint_ids(self) -> set[str]:
        """Ids of the constraints that came with the base model."""
        return {id for id, part in self.constraints.items() if not part.is_user_constraint}

    @property
    def user_constraint_ids(self) -> set[str]:
        """Ids of the constraints that chat added."""
        return {id for id, part in self.constraints.items() if part.is_user_constraint}

    @property
    def constraint_descriptions(self) -> dict[str, str]:
        """Constraint id → description."""
        return {id: part.description or "" for id, part in self.constraints.items()}

    @property
    def base_variable_ids(self) -> set[str]:
        """Ids of the variable families that came with the base model."""
        return {id for id, part in self.variables.items() if not part.is_user_variable}

    @property
    def user_variable_ids(self) -> set[str]:
        """Ids of the variable families that chat added."""
        return {id for id, part in self.variables.items() if part.is_user_variable}

    @property
    def variable_descriptions(self) -> dict[str, str]:
        """Variable id → description."""
        return {id: part.description or "" for id, part in self.variables.items()}

    def is_constraint_enabled(self, constraint_id: str) -> bool:
        """Whether the constraint takes part in the model.

        Raises:
            KeyError: if there is no such constraint.
        """
        return self._constraint(constraint_id).enabled

    def enable_constraint(self, constraint_id: str) -> None:
        """Switch a constraint on."""
        self._constraint(constraint_id).enabled = True

    def disable_constraint(self, constraint_id: str) -> None:
        """Switch a constraint off; it stays in the state."""
        self._constraint(constraint_id).enabled = False

    def set_constraint_priority(self, constraint_id: str, priority: Priority) -> None:
        """Make a constraint hard, or soft with level A, B or C.

        Raises:
            KeyError: if there is no such constraint.
            ValueError: if the priority is another word.
        """
        if priority not in get_args(Priority):
            raise ValueError(
                f"the priority of constraint {constraint_id!r} must be one of {get_args(Priority)}, "
                f"not {priority!r}"
            )
        self._constraint(constraint_id).priority = priority

    def make_constraints_soft(self) -> None:
        """Give every hard constraint level A; those that are soft already keep their level.

        Deprecated: `set_constraint_priority` says it for one constraint.
        """
        _deprecated("make_constraints_soft()", 'set_constraint_priority(id, "A")')
        for part in self.constraints.values():
            if part.priority == "hard":
                part.priority = "A"

    def make_constraints_hard(self) -> None:
        """Make every constraint hard.

        Deprecated: `set_constraint_priority` says it for one constraint.
        """
        _deprecated("make_constraints_hard()", 'set_constraint_priority(id, "hard")')
        for part in self.constraints.values():
            part.priority = "hard"

    def is_variable_enabled(self, var_id: str) -> bool:
        """Whether the family takes part in the model.

        Raises:
            KeyError: if there is no such family.
        """
        return self._variable(var_id).enabled

    def enable_variable(self, var_id: str) -> None:
        """Switch a variable family on."""
        self._variable(var_id).enabled = True

    def disable_variable(self, var_id: str) -> None:
        """Switch a variable family off: its members are fixed at zero."""
        self._variable(var_id).enabled = False

    def _constraint(self, constraint_id: str) -> Constraint:
        if constraint_id not in self.constraints:
            raise KeyError(f"no constraint {constraint_id!r}; there are {sorted(self.constraints)}")
        return self.constraints[constraint_id]

    def _variable(self, var_id: str) -> Variable:
        if var_id not in self.variables:
            raise KeyError(f"no variable family {var_id!r}; there are {sorted(self.variables)}")
        return self.variables[var_id]


def _deprecated(old: str, new: str) -> None:
    """Warn at the line of whoever called the deprecated method."""
    warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=3)
