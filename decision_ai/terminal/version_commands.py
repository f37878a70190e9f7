"""The slash commands that walk among the versions of a session."""

import shlex
from collections.abc import Callable

from decision_ai.client.chat_session import ChatSession
from decision_ai.errors import DecisionAIError
from decision_ai.terminal.screen import Screen

Command = tuple[str, str, Callable[[str], None]]
"""What follows the name, what it is for, and what runs it with the rest of the line."""


class VersionCommands:
    """Undo, redo, branch, checkout, compare, versions, reset.

    Args:
        screen: where to write.
        session: the session.
        show_model: shows the model as it is now.
    """

    def __init__(self, screen: Screen, session: ChatSession, show_model: Callable[[], None]) -> None:
        self._screen = screen
        self._session = session
        self._show_model = show_model

    def commands(self) -> dict[str, Command]:
        """Every command by its name."""
        return {
            "/undo": ("[STEPS]", "take the newest approved change back", self._undo),
            "/redo": ("[STEPS]", "bring back what was undone", self._redo),
            "/versions": ("", "list the versions and branches of the model", self._versions),
            "/branch": ("NAME", "start a branch of versions and go on there", self._branch),
            "/checkout": ("VERSION", "go to a branch, or to a number of /versions", self._checkout),
            "/compare": ("A [B]", "compare two versions; without B, with the present one", self._compare),
            "/reset": ("PART", "bring one part back to what it was at first", self._reset),
        }

    def _undo(self, steps: str) -> None:
        self._session.undo(_steps(steps, "/undo"))
        self._now("Undone.")

    def _redo(self, steps: str) -> None:
        self._session.redo(_steps(steps, "/redo"))
        self._now("Redone.")

    def _versions(self, _: str) -> None:
        for version in self._session.history():
            self._screen.say(str(version), indent=2)
        for n, branch in enumerate(self._session.branches()):
            self._screen.fact("" if n else "branches", str(branch))

    def _branch(self, name: str) -> None:
        if not name:
            raise DecisionAIError("say what to call the branch: /branch night shift; /versions lists them")
        self._session.branch(name)
        self._screen.say(f"This is now the branch {name!r}; /checkout main leads back.")

    def _checkout(self, target: str) -> None:
        if not target:
            raise DecisionAIError("say where to go: /checkout main, or /checkout 2; /versions lists them")
        self._session.checkout(target)
        self._now(f"Gone to {target}.")

    def _compare(self, rest: str) -> None:
        names = _words(rest)
        if len(names) not in {1, 2}:
            raise DecisionAIError("say which one or two versions: /compare 0, or /compare main 'night shift'")
        with self._screen.line("comparing …"):
            comparison = self._session.compare(*names)
        self._screen.say(str(comparison))

    def _reset(self, part: str) -> None:
        if not part:
            raise DecisionAIError("say which part to reset; /model lists them")
        self._session.reset(part)
        self._now(f"Reset {part}.")

    def _now(self, what: str) -> None:
        self._screen.say(f"{what} The model is now:")
        self._show_model()


def _steps(text: str, command: str) -> int:
    if text and not (text.isascii() and text.isdecimal() and 0 < len(text) < 10):
        raise DecisionAIError(f"{text!r} is not a number of steps; say {command} or {command} 2")
    return int(text or 1)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise DecisionAIError(f"a quotation mark is missing in {text!r}") from None
