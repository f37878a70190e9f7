"""Checks that are kept, in the chat; and `decision-ai check`: what a plan of your own is worth and breaks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.checked_plan import CheckedPlan
from decision_ai.client.client import DecisionAI
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import CheckResult
from decision_ai.solving.parameters import SolveParameters
from decision_ai.terminal.files import read_data
from decision_ai.terminal.screen import Screen, say_nothing
from decision_ai.terminal.solving import ExitCode

_SECONDS = 30.0
_MARKS = {True: ("kept", ""), False: ("broken", "red"), None: ("not known", "yellow")}
_NAME_NEEDED = "say the name of the check and what must hold: /check tent_or_stove v.pack['Tent'] <= 1"


@dataclass(frozen=True, kw_only=True)
class CheckChoices:
    """What the options of `decision-ai check` say.

    Attributes:
        plan: the file or folder with the plan.
        data: other data to price it on; None = the session's.
        url: the server of the session.
    """

    plan: Path
    data: Path | None = None
    url: str | None = None


class CheckCommands:
    """The slash commands for the checks a person keeps."""

    def __init__(self, screen: Screen, session: ChatSession) -> None:
        self._screen = screen
        self._session = session

    def commands(self) -> dict[str, tuple[str, str, Callable[[str], None]]]:
        """Every command by its name: what follows it, what it is for, and what runs it."""
        return {
            "/checks": ("", "solve and show how the plan does on the checks you keep", self._show),
            "/check": ("NAME EXPRESSION", "keep a check of plans, such as v.x['a'] <= 1", self._keep),
            "/uncheck": ("NAME", "keep a check no longer", self._remove),
        }

    def _show(self, _: str) -> None:
        with self._screen.line("solving …"):
            results = self._session.test_checks(SolveParameters(time_limit=_SECONDS))
        if not results:
            self._screen.say("You keep no check; /check NAME EXPRESSION keeps one.")
        for result in results:
            words, style = _told(result)
            self._screen.say(words, style, indent=2)

    def _keep(self, line: str) -> None:
        name, _, expression = line.partition(" ")
        if not expression.strip():
            raise DecisionAIError(_NAME_NEEDED)
        self._session.keep_check(name, "", expression)
        self._screen.say(f"The check {name} is kept: every proposal says from now how its plan does on it.")

    def _remove(self, name: str) -> None:
        if not name:
            raise DecisionAIError("say which check to keep no longer: /uncheck NAME; /checks lists them")
        self._session.remove_check(name)
        self._screen.say(f"The check {name} is no longer kept.")


def check(screen: Screen, session_id: str, choices: CheckChoices) -> ExitCode:
    """Price a plan on a session's model, without solving, and write what it breaks.

    Raises:
        DecisionAIError: if the plan or the data cannot be read or do not fit.
    """
    with DecisionAI(choices.url, on_notice=say_nothing) as client:
        session = client.continue_chat_session(session_id)
        data = None if choices.data is None else read_data(choices.data, Program.parse(session.program))
        with screen.line("checking the plan …"):
            checked = session.check_plan(choices.plan, data)
    return show_checked(screen, checked)


def show_checked(screen: Screen, checked: CheckedPlan) -> ExitCode:
    """Write what a plan is worth and what it breaks."""
    screen.say(str(checked))
    return ExitCode.PLAN if checked.acceptable else ExitCode.NO_PLAN_EXISTS


def _told(result: CheckResult) -> tuple[str, str]:
    verdict, style = _MARKS[result.holds]
    said = "" if result.sentence in ("", result.name) else f": {result.sentence}"
    message = f" ({result.message})" if result.message else ""
    return f"{result.name} is {verdict}{said}{message}", style
