"""The slash commands of the chat: what can be looked at and done without the assistant."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.chat_session import ChatSession
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.protocol import SolveResponse, ValidationResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.data import parse_json
from decision_ai.modeling.parts import ConstraintPart, VariablePart
from decision_ai.modeling.program import Program
from decision_ai.terminal.checking import CheckCommands
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.sent_commands import SentCommands
from decision_ai.terminal.version_commands import VersionCommands
from decision_ai.terminal.wording import DiffLine

_MOST_DATA_LINES = 60


@dataclass(frozen=True)
class Say:
    """The assistant is to be told this."""

    prompt: str


@dataclass(frozen=True)
class Leave:
    """The chat is over."""


Done = Say | Leave | None
"""What is left to do after a command; None = nothing."""


class Commands:
    """Runs slash commands on one session."""

    def __init__(
        self, screen: Screen, session: ChatSession, requests: RequestHandler, connection: ChatConnection
    ) -> None:
        self._screen = screen
        self._session = session
        self._requests = requests
        self._connection = connection
        self._known: dict[str, tuple[str, str, Callable[[str], Done]]] = {
            "/help": ("", "show this list", self._help),
            "/model": ("[PART]", "show the model, or one part with formula and code", self._model),
            "/data": ("[PATH]", "show the input data, or what is at a path such as items.Tent", self._data),
            "/solve": ("", "solve the model as it is now", lambda _: Say("solve")),
            **VersionCommands(screen, session, lambda: self._model("")).commands(),
            **CheckCommands(screen, session).commands(),
            **SentCommands(screen, session).commands(),
            "/history": ("", "show what was said and decided", self._history),
            "/export": ("FILE", "write it as .py .json .lp .mps .tex .md or .xlsx", self._export),
            "/quit": ("", "leave; the session is kept", lambda _: Leave()),
        }

    def run(self, line: str) -> Done:
        """Run one line that begins with a slash.

        Raises:
            DecisionAIError: if it cannot be done; the text says why.
        """
        name, _, rest = line.strip().partition(" ")
        if name in {"/exit", "/q"}:
            name = "/quit"
        if name not in self._known:
            raise DecisionAIError(f"there is no command {name!r}; /help lists what there is")
        return self._known[name][2](rest.strip())

    def _help(self, _: str) -> None:
        self._screen.say("Say in your own words what to change or what you want to know. Commands:")
        for name, (arguments, meaning, _run) in self._known.items():
            self._screen.say(f"{name} {arguments}".ljust(24) + meaning, indent=2)

    def _program(self) -> Program:
        return Program.parse(self._session.program)

    def _model(self, part_id: str) -> None:
        program = self._program()
        if part_id:
            self._part(program, part_id)
            return
        objective = program.objective
        if objective is not None:
            self._screen.fact(objective.sense, f"{objective.id}: {_first_line(objective.description)}")
        for n, family in enumerate(program.variables.values()):
            self._screen.fact("" if n else "decide", _part_line(family))
        for n, rule in enumerate(program.constraints.values()):
            self._screen.fact("" if n else "such that", _part_line(rule))

    def _part(self, program: Program, part_id: str) -> None:
        part = program.constraints.get(part_id) or program.variables.get(part_id) or program.objective
        if part is None or part_id not in {part.id, "objective"}:
            known = [*program.variables, *program.constraints, "objective"]
            raise DecisionAIError(f"there is no part {part_id!r}; there are {', '.join(known)}")
        self._screen.say(part.description, indent=2)
        self._screen.say(part.math, "dim", indent=2)
        self._screen.diff([DiffLine(" ", line) for line in part.code.splitlines()], indent=0)

    def _data(self, path: str) -> None:
        data_id = self._requests.program(self._session.id).opt_input_data_id
        value = parse_json(self._requests.opt_input_data(data_id))
        for step in filter(None, path.split(".")):
            value = _inside(value, step, path)
        lines = json.dumps(value, indent=2, ensure_ascii=False).splitlines()
        for line in lines[:_MOST_DATA_LINES]:
            self._screen.say(line, indent=2)
        if len(lines) > _MOST_DATA_LINES:
            self._screen.say(f"… {len(lines):,} lines in all; name a path to see a part", "dim", indent=2)

    def _history(self, _: str) -> None:
        lines = [line for message in self._connection.messages for line in _history_lines(message)]
        for name, text in lines or [("", "Nothing was said yet.")]:
            self._screen.fact(name, text)

    def _export(self, name: str) -> None:
        if not name:
            raise DecisionAIError("say where to write the model: /export my_model.py")
        self._screen.say(f"Written to {self._session.export(name)}.")


def _part_line(part: ConstraintPart | VariablePart) -> str:
    marks = [] if part.enabled else ["off"]
    if isinstance(part, VariablePart):
        marks.insert(0, part.domain)
    elif part.priority != "hard":
        marks.append(f"soft, level {part.priority}")
    mark = f" ({', '.join(marks)})" if marks else ""
    return f"{part.id}{mark}: {_first_line(part.description)}"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _inside(value: Any, step: str, path: str) -> Any:
    try:
        return value[int(step)] if isinstance(value, list) else value[step]
    except (KeyError, IndexError, TypeError, ValueError):
        there = f"; there are {', '.join(list(value)[:20])}" if isinstance(value, dict) else ""
        raise DecisionAIError(f"the data have no {step!r} on the path {path!r}{there}") from None


def _history_lines(message: ChatMessage) -> list[tuple[str, str]]:
    match message:
        case Prompt(prompt=text):
            return [("you", text)]
        case ChatResponse(response=text):
            return [("assistant", _first_line(text))]
        case ValidationResponse(rejected=True, rejection_message=reason):
            return [("", f"rejected: {reason or 'no reason given'}")]
        case ValidationResponse(validation=validation) if not isinstance(validation, ValidationSucceeded):
            return [("", "the check failed; the assistant repairs it")]
        case SolveResponse(solving=SolveSucceeded(solution_str=text)):
            return [("", f"solved: {_first_line(text)}")]
        case SolveResponse(solving=SolveFailed(error=text, status=status)):
            return [("", f"solved: {text or status}")]
        case ToolOutput(tool_output=text):
            return [("", _first_line(text))]
    return []
