"""The chat in a terminal: lines in, turns out, until the person leaves."""

from decision_ai.client.approval import Approve
from decision_ai.client.draft import Draft
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import (
    ChatResponseDelta,
    Options,
    Presence,
    ReasoningDelta,
    SolveProgressed,
)
from decision_ai.client.schemas.chat_messages.protocol import AskForSolve, AskForValidation
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData
from decision_ai.client.turn import StreamedMessage
from decision_ai.errors import DecisionAIError
from decision_ai.terminal.asking import ask_decision, show_effect, show_proposal
from decision_ai.terminal.backstage import Asked, Backstage, Event, Over, Said
from decision_ai.terminal.commands import Commands, Leave, Say
from decision_ai.terminal.live_line import Line
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import progress_line, thinking_line, writing_line

PROMPT = "you> "
_BLOCKED = "Blocked:"
"""How the response begins when nobody is there to answer the assistant's question."""
_SHOWN = (
    ChatResponse,
    Reasoning,
    ToolCall,
    Options,
    UncriticalErrorMessage,
    CriticalErrorMessage,
    Presence,
)


class TerminalChat:
    """One chat between a person at a screen and a session.

    Args:
        screen: where to read and write.
        backstage: the open connection.
        commands: what the slash commands do.
        approve_all: whether every change is approved without asking.
    """

    def __init__(
        self, screen: Screen, backstage: Backstage, commands: Commands, *, approve_all: bool = False
    ) -> None:
        self._screen = screen
        self._backstage = backstage
        self._commands = commands
        self._approve_all = approve_all
        self._draft = Draft()
        self.blocked = False
        """Whether a turn ended because nobody is there to answer a question."""

    def run(self) -> None:
        """Chat until the input ends or the person leaves."""
        try:
            self._resume()
            while (line := self._next_line()) is not None:
                self._take(line)
        except (_LeaveChat, KeyboardInterrupt):  # an interrupt may also come while one is being handled
            return

    def _resume(self) -> None:
        """Bring a turn to its end that was left open, or that a new session opens with."""
        if (question := self._backstage.open_question) is not None:
            self._say(question)
        try:
            self._turn(None)
        except DecisionAIError as error:
            self._screen.say(f"Error: {error}", "red")

    def _next_line(self) -> str | None:
        """What the person types; an interrupt drops the line, a second one leaves."""
        self._screen.say()
        interrupted = False
        while True:
            try:
                line = self._screen.ask(PROMPT)
            except KeyboardInterrupt:
                if interrupted or not self._screen.interactive:
                    raise _LeaveChat from None
                interrupted = True
                self._screen.say("\n(Ctrl-C again or /quit leaves)", "dim")
                continue
            if line is None or line.strip():
                return line

    def _take(self, line: str) -> None:
        try:
            match self._commands.run(line) if line.startswith("/") else Say(line):
                case Leave():
                    raise _LeaveChat
                case Say(prompt=prompt):
                    self._turn(prompt)
        except DecisionAIError as error:
            self._screen.say(f"Error: {error}", "red")

    def _turn(self, prompt: str | None) -> None:
        """Run one turn; an interrupt stops it, a second one leaves."""
        self._backstage.begin(prompt)
        self._draft = Draft()
        stopping = False
        while True:
            try:
                event = self._wait()
                if isinstance(event, Over):
                    if event.error is not None:
                        raise event.error
                    return
                self._show(event)
            except KeyboardInterrupt:
                if stopping:
                    raise _LeaveChat from None
                stopping = True
                self._screen.say("\nStopping … (Ctrl-C again leaves)", "dim")
                self._backstage.cancel()

    def _wait(self) -> Event:
        """The next event that there is something to show of; the others only change the line."""
        with self._screen.line(thinking_line) as line:
            line.write(self._draft)
            while True:
                event = self._backstage.next_event()
                if not self._only_changes_the_line(event, line):
                    return event

    def _only_changes_the_line(self, event: Event, line: Line) -> bool:
        if not isinstance(event, Said):
            return False
        self._draft = self._draft.after(event.message)
        line.write(self._draft)
        match event.message:
            case ChatResponseDelta() | ReasoningDelta():
                line.say(writing_line)
            case SolveProgressed(progress=progress):
                line.say(progress_line(progress))
            case AskForValidation():
                line.say("checking the change …")
            case AskForSolve():
                line.say("solving …")
            case message:
                return not isinstance(message, _SHOWN)
        return True

    def _show(self, event: Said | Asked) -> None:
        match event:
            case Asked():
                self._ask(event)
            case Said(message=message):
                self._say(message)

    def _say(self, message: StreamedMessage) -> None:
        match message:
            case ChatResponse(response=text):
                self.blocked = self.blocked or text.startswith(_BLOCKED)
                self._screen.say()
                self._screen.say(text)
            case Reasoning(content=text):
                self._screen.say(text, "dim")
            case ToolCall(tool_data=calls):
                self._screen.say_all((_preface(call) for call in calls), "dim")
            case Options(options=choices):
                self._screen.say_all((f"  - {choice}" for choice in choices), "")
            case UncriticalErrorMessage(error=text) | CriticalErrorMessage(error=text):
                self._screen.say(f"Error: {text}", "red")
            case Presence(you_have_the_floor=False):
                self._screen.say("Another connection has the floor: this one only watches.", "yellow")

    def _ask(self, asked: Asked) -> None:
        screen = self._screen
        show_proposal(screen, asked.proposal)
        with screen.line("solving before and after …"):
            preview = asked.preview()
        show_effect(screen, preview)
        screen.say()
        if self._approve_all:
            screen.say("Approved, as --yes says.", "dim")
            asked.answer(Approve())
            return
        decision = ask_decision(screen, asked.proposal)
        if asked.withdrawn:
            screen.say("It was settled elsewhere in the meantime; this answer was not used.", "yellow")
        asked.answer(decision)


def _preface(call: ToolData) -> str:
    """What the assistant says before a call, unless the card of the proposal says it anyway."""
    reading = str(call.args.get("reading") or "")
    return "" if reading and reading in (call.preface or "") else call.preface or ""


class _LeaveChat(Exception):
    """The person leaves."""
