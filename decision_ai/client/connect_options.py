"""How a person wants to be asked, and to solve, over one connection."""

from dataclasses import dataclass, field

from decision_ai.client.approval import Approver, SolveApprover
from decision_ai.client.backoff import Backoff
from decision_ai.client.transport import FloorWish
from decision_ai.solving.parameters import SolveParameters


@dataclass(frozen=True, kw_only=True)
class ConnectOptions:
    """How a person wants to be asked, and to solve.

    Attributes:
        approve: asked about every change; None = a card, the terminal, or a rejection that says why.
        approve_solve: asked before every solve; None = accept.
        floor: `take` the right to speak from whoever has it, or only `watch`.
        parameters: for solves, where the assistant does not say otherwise.
        backoff: how to come back after a loss.
        interactive: whether somebody is there to answer a question; else it ends the turn as blocked.
    """

    approve: Approver | None = None
    approve_solve: SolveApprover | None = None
    floor: FloorWish | None = None
    parameters: SolveParameters | None = None
    backoff: Backoff = field(default_factory=Backoff)
    interactive: bool = True
