"""What a session's owner sees of its versions and branches."""

from collections.abc import Sequence
from html import escape

from pydantic import BaseModel, ConfigDict

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.modeling.comparing import DataChange
from decision_ai.solving.findings import IncompatiblePart


class _Info(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class VersionInfo(_Info):
    """One approved state of a session's model."""

    id: str
    number: int
    """Counted from 0, the model as it was opened."""
    parent: str | None
    """Id of the version it was made from; None for the first."""
    created_at: int
    """Milliseconds since 1970 (UTC)."""
    author: str
    """Who proposed it."""
    approver: str
    sentence: str
    """What the person had said; empty for a version made outside of the chat."""
    summary: str
    """One line per change."""
    changes: tuple[ModelChanges | DataChange, ...]
    """The diffs; other data are in brief, `get_opt_input_data` has them whole."""
    opt_input_data_id: str
    hash: str
    """One hash of the program and the data that run."""
    incompatible: tuple[IncompatiblePart, ...] = ()
    """Parts that do not build on the data and are left out."""
    is_head: bool = False
    """Whether it is the present version."""

    def __str__(self) -> str:
        said = f' ("{self.sentence}")' if self.sentence else ""
        left_out = ", ".join(part.id for part in self.incompatible)
        marks = f" [leaves out {left_out}]" if left_out else ""
        mark = " ← present" if self.is_head else ""
        return f"{self.number}. {self.summary or 'the model as it was opened'}{said}{marks}{mark}"


class BranchInfo(_Info):
    """One branch of a session's versions."""

    name: str
    tip: str
    """Id of its newest version."""
    number: int
    """Number of that version."""
    is_present: bool
    """Whether the session is on it."""

    def __str__(self) -> str:
        return f"{self.name}: version {self.number}{' ← present' if self.is_present else ''}"


class VersionHistory(tuple[VersionInfo, ...]):
    """Every version of a session, oldest first: the one of number n is `history[n]`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return listed(self)


def listed(lines: Sequence[object]) -> str:
    """Lines as a list in HTML."""
    return f"<ul>{''.join(f'<li>{escape(str(line))}</li>' for line in lines)}</ul>"
