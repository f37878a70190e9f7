"""Walking among the versions of a session from Python."""

from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.version_info import BranchInfo, VersionHistory
from decision_ai.modeling.comparing import Comparison


class VersionMethods:
    """What a session can do with its versions. Nothing is ever lost: every version can be gone to again."""

    id: str
    _requests: RequestHandler

    def history(self) -> VersionHistory:
        """Every version, oldest first, also those that were undone; what was said is `messages()`."""
        return VersionHistory(self._requests.versions(self.id))

    def branches(self) -> list[BranchInfo]:
        """The branches by name."""
        return self._requests.branches(self.id)

    def undo(self, steps: int = 1) -> ChatSessionState:
        """Take the newest approved versions back, at most to the model as it was opened.

        Raises:
            ServerRefused: if there is nothing to undo.
        """
        return self._requests.undo(self.id, steps)

    def redo(self, steps: int = 1) -> ChatSessionState:
        """Bring undone versions back, at most to the newest of the branch.

        Raises:
            ServerRefused: if there is nothing to redo.
        """
        return self._requests.redo(self.id, steps)

    def branch(self, name: str) -> ChatSessionState:
        """Start a branch at the present version and go on there.

        Args:
            name: 1 to 64 printable characters that are not a number.

        Raises:
            ServerRefused: if it cannot be a name, or there is a branch of that name.
        """
        return self._requests.branch(self.id, name)

    def checkout(self, version: str | int) -> ChatSessionState:
        """Go to another version; one that is on no branch gets a branch of its own.

        Args:
            version: a branch (its newest version), a number of `history()`, or an id.

        Raises:
            ServerRefused: if there is no such version; the text says what there is.
        """
        return self._requests.checkout(self.id, version)

    def reset(self, component: str) -> ChatSessionState:
        """Bring one component back to what it was when the session was opened, as a new version.

        Args:
            component: id of a constraint or a variable family, or "objective".

        Raises:
            ServerRefused: if there is no such component, or it is as it was.
        """
        return self._requests.reset(self.id, component)

    def compare(
        self, a: str | int, b: str | int | None = None, *, solve: bool = True, time_limit: float = 60.0
    ) -> Comparison:
        """What differs between two versions: parts, data and, on the server, their best plans.

        Args:
            a: a branch, a number of `history()`, or an id.
            b: the other one; None is the present version.
            solve: whether both are solved.
            time_limit: seconds for each of the two solves, at most 600.

        Raises:
            ServerRefused: if there is no such version.
        """
        return self._requests.compare(self.id, a, b, solve=solve, time_limit=time_limit)
