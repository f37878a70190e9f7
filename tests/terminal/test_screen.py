import io
import time

import pytest
from rich.console import Console

from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import DiffLine


def piped(typed: str = "") -> tuple[Screen, io.StringIO]:
    out = io.StringIO()
    return Screen(out, io.StringIO(typed)), out


def test_a_pipe_gets_plain_lines_without_trailing_blanks() -> None:
    screen, out = piped()
    screen.say("word " * 40, "bold red", indent=4)
    screen.fact("effect", "objective 149 → 126; " * 8, "yellow")
    screen.diff([DiffLine("+", "return 1"), DiffLine("+", "")])
    lines = out.getvalue().splitlines()
    assert "\x1b" not in out.getvalue()
    assert all(line == line.rstrip() and len(line) <= 80 for line in lines)
    assert lines[0].startswith("    word")
    assert next(line for line in lines if "149" in line).startswith("  effect    objective 149 → 126;")
    assert lines[-2:] == ["    + return 1", "    +"]


@pytest.mark.parametrize("columns", [36, 45, 60])
def test_a_narrow_terminal_breaks_lines_at_words(columns: int) -> None:
    screen, _ = piped()
    shown = io.StringIO()
    screen.console = Console(file=shown, width=columns)
    screen.say("The loaded items weigh no more than the van may carry.", indent=4)
    screen.fact("effect", "objective 149 to 104 and newly binding is the row capacity")
    assert max(map(len, shown.getvalue().splitlines())) <= columns


def test_brackets_and_escapes_are_text() -> None:
    screen, out = piped()
    screen.say("window[Ana, Mon] [red]x[/red] :smile: \x1b[2J")
    assert out.getvalue() == "window[Ana, Mon] [red]x[/red] :smile: \\x1b[2J\n"


def test_long_code_is_not_broken() -> None:
    screen, out = piped()
    screen.diff([DiffLine("-", "x" * 200)])
    assert len(out.getvalue().splitlines()) == 1


def test_lines_from_a_pipe_are_written_after_the_prompt() -> None:
    screen, out = piped("first\r\nlast")
    assert [screen.ask("you> ") for _ in range(3)] == ["first", "last", None]
    assert out.getvalue() == "you> first\nyou> last\nyou> \n"


def test_a_pipe_has_no_spinner() -> None:
    screen, out = piped()
    with screen.line("thinking …") as line:
        line.say("solving …")
    assert out.getvalue() == ""


def test_a_line_that_is_written_over_stays_one_line() -> None:
    screen, _ = piped()
    shown = io.StringIO()
    screen.console = Console(file=shown, force_terminal=True, width=40)
    screen.live = True
    with screen.line("thinking …") as line:
        line.say("solving 1.2 s · best 5427 · bound 5439.783834 · gap 0.24% (Ctrl-C stops it)")
        while "solving" not in shown.getvalue():  # another thread draws it
            time.sleep(0.01)
        drawn = shown.getvalue()
    assert "\n" not in drawn
    assert "gap" not in drawn
