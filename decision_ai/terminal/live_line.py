"""The line of a terminal that is written over: a spinner, what goes on, and above it what is being written.

Everything vanishes at the end, so that a response which was watched as it grew stands there once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from decision_ai.client.draft import Draft
from decision_ai.terminal.wording import visible

Doing: TypeAlias = str | Callable[[float], str]
"""What goes on; or the same by the seconds in which nothing arrived."""

_PER_SECOND = 12.5
_MARGIN_LINES = 3
"""Of the screen's height: the blank line above, the spinner, and the line of the cursor."""


class Line(Protocol):
    """A line that is written over, such as a spinner's."""

    def say(self, doing: Doing) -> None:
        """Change what it says."""
        ...

    def write(self, draft: Draft) -> None:
        """Change what is being written."""
        ...


class Silent:
    """The line where nothing can be written over, as in a pipe."""

    def say(self, doing: Doing) -> None:
        """Nothing is written."""

    def write(self, draft: Draft) -> None:
        """Nothing is written; the message that follows is."""


class LiveLine:
    """The line of a terminal. Another thread draws it, so that a slow terminal holds nobody up.

    Args:
        console: the terminal.
        doing: what goes on at first.
    """

    def __init__(self, console: Console, doing: Doing) -> None:
        self._console = console
        self._spinner = Spinner("dots", style="status.spinner")
        self._draft = Draft()
        self._drawn: tuple[Draft, int, int, list[Text]] | None = None
        self.say(doing)
        self._live = Live(
            console=console, refresh_per_second=_PER_SECOND, transient=True, get_renderable=self._content
        )

    def say(self, doing: Doing) -> None:
        """Change what it says."""
        self._doing, self._since = doing, self._console.get_time()

    def write(self, draft: Draft) -> None:
        """Change what is being written."""
        self._draft, self._since = draft, self._console.get_time()

    @contextmanager
    def turning(self) -> Iterator[None]:
        """Draw it for as long as the block runs."""
        with self._live:
            yield

    def _content(self) -> Group:
        doing = self._doing
        text = doing if isinstance(doing, str) else doing(self._console.get_time() - self._since)
        shown = Text(visible(text), style="dim")
        shown.truncate(max(self._console.width - 4, 1), overflow="ellipsis")  # beside the spinner
        self._spinner.update(text=shown)
        return Group(*self._lines(self._draft), self._spinner)

    def _lines(self, draft: Draft) -> list[Text]:
        """The draft as lines; wrapped once for as long as it stays the same."""
        width, height = self._console.size
        if self._drawn is None or self._drawn[:3] != (draft, width, height):
            self._drawn = draft, width, height, draft_lines(self._console, draft)
        return self._drawn[3]


def draft_lines(console: Console, draft: Draft) -> list[Text]:
    """The end of a draft, as many lines as the screen has room for; none without a draft."""
    room = max(console.height - _MARGIN_LINES, 1)
    lines = _wrapped(console, draft.reasoning, "dim", room) + _wrapped(console, draft.response, "", room)
    return [Text(), *lines[-room:]] if draft else []


def _wrapped(console: Console, text: str, style: str, room: int) -> list[Text]:
    """The last lines of a text, at least `room` where it has so many."""
    if not text:
        return []
    most = room * console.width
    # Cut in steps, so that lines which are already there do not shift with every piece.
    text = text[max(len(text) // most - 1, 0) * most :]
    lines: list[Text] = []
    for paragraph in reversed(visible(text).split("\n")):
        lines = [*Text(paragraph, style=style).wrap(console, console.width), *lines]
        if len(lines) >= room:
            break
    return lines
