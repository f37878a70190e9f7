"""The one error tree. Outcomes (infeasible, rejected, failed check) are values and not in it.

DecisionAIError                 everything this package raises on purpose
├── ProgramError                a model file cannot be read or changed as asked (fix the file or the diff)
├── DataError                   input data cannot be read (fix the data)
│   └── TableError              cells of tables are wrong, all of them named (tabular/problems.py)
├── LimitExceeded               something is larger than its named limit (send less)
├── ProtocolError               a frame or message that is not allowed here (the peer's fault, or a bug)
└── ServerError                 the server did not do what was asked
    ├── ConnectionFailed        it cannot be reached (start it, or check the address)
    ├── ServerRefused           it said no, with an RFC 9457 problem
    └── StateConflict           somebody else changed the session in between (fetch, redo, write again)
"""

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport


class DecisionAIError(Exception):
    """Base of all errors of this package; `str(error)` is one sentence for a person."""


class ProgramError(DecisionAIError):
    """A model file cannot be read, or a diff does not fit it."""

    def __init__(self, report: FormulationErrorReport) -> None:
        self.report = report
        super().__init__(report.message if report.line is None else f"line {report.line}: {report.message}")


class DataError(DecisionAIError):
    """Input data cannot be read; the text names the place."""


class LimitExceeded(DecisionAIError):
    """Something is larger than its limit."""

    def __init__(self, name: str, limit: int, actual: int) -> None:
        self.name, self.limit, self.actual = name, limit, actual
        super().__init__(f"{name} is {actual:,}, the limit is {limit:,}; send less at once")


class ProtocolError(DecisionAIError):
    """A frame or a message that is not allowed here; the text names the field or the state."""


class ServerError(DecisionAIError):
    """The server did not do what was asked."""


class ConnectionFailed(ServerError):
    """The server cannot be reached or closed the connection."""


class ServerRefused(ServerError):
    """The server answered with a problem (RFC 9457)."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        self.status, self.title, self.detail = status, title, detail
        super().__init__(f"{title}: {detail}" if detail else title)


class StateConflict(ServerError):
    """The session changed since it was fetched; nothing was written."""
