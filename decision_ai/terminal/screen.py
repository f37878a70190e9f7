"""The screen: what is written where, in colour on a terminal and plain elsewhere, and lines that are read."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TextIO

from rich.console import Console
from rich.text import Text

from decision_ai.terminal.live_line import Doing, Line, LiveLine, Silent
from decision_ai.terminal.wording import DiffLine, visible

_PIPED_WIDTH = 80
_LEAST_WIDTH = 20
_DIFF_STYLES = {"+": "green", "-": "red", " ": "", "…": "dim"}


class Screen:
    """One terminal, or the pipes in its place.

    Args:
        output: where to write.
        source: where lines come from.
    """

    def __init__(self, output: TextIO | None = None, source: TextIO | None = None) -> None:
        out, self._source = output or sys.stdout, source or sys.stdin
        # In a notebook rich would display what it writes, whatever the file.
        console = partial(Console, file=out, markup=False, highlight=False, emoji=False, force_jupyter=False)
        self.console = console()
        if not self.console.is_terminal:
            self.console = console(width=_PIPED_WIDTH, no_color=True)
        self.live = self.console.is_terminal
        """Whether lines can be written over."""
        self.interactive = self.live and self._source.isatty()
        """Whether a person types here."""
        if self.interactive:
            _load_line_editing()

    def say(self, text: str = "", style: str = "", *, indent: int = 0) -> None:
        """Write text as lines; what it holds is shown and never obeyed."""
        width = max(self.console.width - indent, _LEAST_WIDTH)
        lines = Text(visible(text), style=style).wrap(self.console, width) or [Text()]
        for line in lines:
            line.rstrip()
        # All at once: a plan may have thousands of lines, and each printing takes its time.
        shown = Text("\n").join(Text(" " * indent).append_text(line) for line in lines)
        self.console.print(shown, soft_wrap=True)

    def say_all(self, texts: Iterable[str], style: str) -> None:
        """Write each text that is not empty."""
        for text in texts:
            if text:
                self.say(text, style)

    def fact(self, name: str, text: str, style: str = "") -> None:
        """Write a named fact, its further lines under the first."""
        width = max(self.console.width - 12, _LEAST_WIDTH)
        for line in Text(visible(text), style=style).wrap(self.console, width) or [Text()]:
            line.rstrip()
            self.console.print(Text.assemble((f"  {name:<10}", "bold"), line), soft_wrap=True)
            name = ""

    def diff(self, lines: Sequence[DiffLine], *, indent: int = 4) -> None:
        """Write a diff; long lines are not broken, so that code can be copied."""
        for line in lines:
            text = f"{' ' * indent}{line.mark} {visible(line.text)}"
            self.console.print(Text(text.rstrip(), style=_DIFF_STYLES[line.mark]), soft_wrap=True)

    @contextmanager
    def line(self, doing: Doing) -> Iterator[Line]:
        """A line that says what goes on, with a spinner, and vanishes at the end; nothing in a pipe."""
        if not self.live:
            yield Silent()
            return
        line = LiveLine(self.console, doing)
        with line.turning():
            yield line

    def ask(self, prompt: str) -> str | None:
        """Read one line; None at the end of the input.

        What comes from a pipe is written after the prompt, so that a transcript reads like a conversation.
        """
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                self.say()
                return None
        self.console.out(prompt, end="", highlight=False)
        text = self._source.readline()
        self.console.out(visible(text.rstrip("\r\n")), highlight=False)
        return text.rstrip("\r\n") if text else None


def say_nothing(text: str) -> None:
    """What is of no use to whoever does not chat."""


def _load_line_editing() -> None:
    """Arrow keys and a history for `input`, where the system has them."""
    try:
        import readline  # noqa: F401 - importing it is what it does
    except ImportError:
        return
