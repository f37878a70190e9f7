"""What the store refuses, under the one error tree.

DecisionAIError
├── NotFound            there is no such thing (check the id)
├── InUse               it cannot be deleted while a session uses it (delete the session first)
├── StaleRevision       somebody else changed the session in between (fetch, redo, write again)
├── StoreFailed         the database does not work (try again; the log says more)
└── DuplicateMessage    the session has this message already (do not act on it again)
"""

from decision_ai.errors import DecisionAIError


class NotFound(DecisionAIError):
    """There is no such thing."""

    def __init__(self, what: str, id: str) -> None:
        self.what, self.id = what, id
        super().__init__(f"there is no {what} {id!r:.80}")


class InUse(DecisionAIError):
    """A model or a data object cannot be deleted while a session uses it."""

    def __init__(self, what: str, id: str, session_id: str) -> None:
        self.what, self.id, self.session_id = what, id, session_id
        super().__init__(f"{what} {id!r} is used by chat session {session_id!r}; delete the session first")


class StaleRevision(DecisionAIError):
    """The session changed since it was read; nothing was written."""

    def __init__(self, session_id: str, expected: int, actual: int) -> None:
        self.session_id, self.expected, self.actual = session_id, expected, actual
        super().__init__(
            f"chat session {session_id!r} is at revision {actual}, not {expected}; "
            "fetch it, redo the change and write again"
        )


class StoreFailed(DecisionAIError):
    """The database does not work at present; nothing is known of what was to be written."""

    def __init__(self, said: object) -> None:
        super().__init__(f"the server's database does not work ({said}); try again")


class DuplicateMessage(DecisionAIError):
    """The session has a message of this id already; nothing was written."""

    def __init__(self, session_id: str, message_id: str) -> None:
        self.session_id, self.message_id = session_id, message_id
        super().__init__(f"chat session {session_id!r} already has message {message_id!r}")
