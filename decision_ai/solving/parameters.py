"""Solver-neutral parameters of a solve. Pure: part of the floor."""

from pydantic import BaseModel, ConfigDict, Field


class SolveParameters(BaseModel):
    """How long and how closely to solve. Two equal objects solve alike."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    time_limit: float | None = Field(default=None, ge=0)
    """Seconds; None = until proven."""
    relative_gap: float = Field(default=1e-4, ge=0)
    """Stop once (bound - objective) / objective is at most this."""
    absolute_gap: float = Field(default=1e-6, ge=0)
    """Stop once the bound is at most this far from the objective."""
    threads: int = Field(default=1, ge=1)
    seed: int = Field(default=0, ge=0, le=2**31 - 1)
    objective_limit: float | None = None
    """Stop at the first plan at least this good."""
    presolve: bool = True
