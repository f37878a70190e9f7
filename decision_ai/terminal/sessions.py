"""Opening, continuing and listing sessions from the command line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from decision_ai.__about__ import __version__
from decision_ai.client.approval import ApprovalDecision, Approve, Proposal
from decision_ai.client.chat_session import ChatSession
from decision_ai.client.client import DecisionAI
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.program import Program
from decision_ai.solving.parameters import SolveParameters
from decision_ai.terminal import asking
from decision_ai.terminal.backstage import Backstage
from decision_ai.terminal.chat import TerminalChat
from decision_ai.terminal.commands import Commands
from decision_ai.terminal.files import Inputs, read_data, read_inputs, read_model
from decision_ai.terminal.importing import say_notes
from decision_ai.terminal.screen import Screen, say_nothing

BLOCKED = 5
"""Exit status of a run that nobody was there to answer a question of."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The session that is wanted.

    Attributes:
        model: path of the model file, for a new session.
        data: path of the data; for a session that goes on, they are taken on approval.
        session_id: a session to go on with.
        newest: whether to go on with the newest session, of this model where one is given.
    """

    model: Path | None = None
    data: Path | None = None
    session_id: str | None = None
    newest: bool = False


def chat(
    screen: Screen,
    wanted: Wanted,
    url: str | None,
    *,
    parameters: SolveParameters,
    approve_all: bool,
    interactive: bool = True,
) -> int:
    """Chat in a terminal until the person leaves; the exit status is 5 if somebody was missed there.

    Args:
        screen: where to read and write.
        wanted: the session.
        url: address of the server; None = this user's.
        parameters: of solves.
        approve_all: whether every change is approved without asking.
        interactive: whether somebody is there to answer a question of the assistant.

    Raises:
        DecisionAIError: if the session cannot be opened.
    """
    _check(wanted)
    new = None if wanted.session_id or wanted.newest else _inputs(screen, wanted)
    with _client(screen, url, lambda notice: screen.say(f"Note: {notice}.", "yellow")) as client:
        with screen.line("opening the session …"):
            session = _created(client, new) if new else _continued(client, wanted)
        if new is None and wanted.data is not None:
            _set_data(screen, session, wanted.data, approve_all=approve_all)
        program = Program.parse(session.program)
        with Backstage(session, parameters, interactive=interactive) as backstage:
            _show_header(screen, session, program, wanted, new)
            commands = Commands(screen, session, client.request_handler, backstage.connection)
            terminal_chat = TerminalChat(screen, backstage, commands, approve_all=approve_all)
            terminal_chat.run()
    return BLOCKED if terminal_chat.blocked and not interactive else 0


def list_sessions(screen: Screen, url: str | None) -> None:
    """Write all sessions, newest first.

    Raises:
        DecisionAIError: if the server cannot be asked.
    """
    with _client(screen, url) as client:
        states = list(client.list_chat_sessions())
    for state in states:
        changed = len(state.user_constraint_ids) + len(state.user_variable_ids)
        added = f", {changed} added" if changed else ""
        screen.say(f"{state.id}  {_local_time(state.updated_at)}  {state.py_class_name_of_model}{added}")
    if not states:
        screen.say("There are no sessions yet; `decision-ai chat` starts one.")


def delete_sessions(screen: Screen, url: str | None, session_ids: list[str]) -> None:
    """Delete sessions with everything that was said in them.

    Raises:
        DecisionAIError: at the first that cannot be deleted.
    """
    with _client(screen, url) as client:
        for session_id in session_ids:
            client.delete_chat_session(session_id)
            screen.say(f"Deleted {session_id}.")


def _check(wanted: Wanted) -> None:
    """Refuse what would be ignored: the person may believe that it was used."""
    if wanted.session_id and (wanted.newest or wanted.model is not None):
        raise DecisionAIError("--session names the session to go on with; leave MODEL.py and --continue out")


def _inputs(screen: Screen, wanted: Wanted) -> Inputs:
    """Model and data of a new session, checked before a server is started for them."""
    if wanted.model is None:
        raise DecisionAIError(
            "name a model file and its data (decision-ai chat MODEL.py --data DATA.json), a PuLP script, an "
            "LP or an MPS file, or go on with --session ID or --continue"
        )
    return read_inputs(screen, wanted.model, wanted.data)


def _created(client: DecisionAI, inputs: Inputs) -> ChatSession:
    return client.create_chat_session(inputs.program.source, inputs.json_data)


def _set_data(screen: Screen, session: ChatSession, data: Path, *, approve_all: bool) -> None:
    """Give a session other data, if the person says yes to the difference."""
    text = read_data(data, Program.parse(session.program))
    before = session.state().opt_input_data_id

    def approve(proposal: Proposal) -> ApprovalDecision:
        if not approve_all:
            return asking.approve(proposal, screen)
        asking.show_proposal(screen, proposal)
        screen.say("Approved, as --yes says.", "dim")
        return Approve()

    after = session.set_input_data(text, approve).opt_input_data_id
    screen.say("The session has the new data." if after != before else "The session keeps its data.")


def _continued(client: DecisionAI, wanted: Wanted) -> ChatSession:
    if wanted.session_id:
        return client.continue_chat_session(wanted.session_id)
    name = None if wanted.model is None else read_model(wanted.model).model_class
    for state in client.list_chat_sessions():
        if name in (None, state.py_class_name_of_model):
            return client.continue_chat_session(state.id)
    raise DecisionAIError(
        f"there is no session{f' of {name}' if name else ''} to continue; "
        "start one with decision-ai chat MODEL.py --data DATA.json"
    )


@contextmanager
def _client(
    screen: Screen, url: str | None, on_notice: Callable[[str], None] = say_nothing
) -> Iterator[DecisionAI]:
    with screen.line("starting …"):
        client = DecisionAI(url, on_notice=on_notice)
    with client:
        yield client


def _show_header(
    screen: Screen, session: ChatSession, program: Program, wanted: Wanted, new: Inputs | None
) -> None:
    screen.say(f"decision-ai {__version__} · session {session.id}", "dim")
    if program.docstring:
        screen.say(program.docstring.strip(), "bold")
    families, rules = len(program.variables), len(program.constraints)
    facts = [
        f"{families} variable {'family' if families == 1 else 'families'}",
        f"{rules} constraint{'' if rules == 1 else 's'}",
    ]
    if program.objective is not None:
        facts.append(f"{program.objective.sense} {program.objective.id}")
    screen.say(f"{program.model_class}: {', '.join(facts)}")
    if new is not None and new.imported is not None:
        say_notes(screen, new.imported)
        screen.say(
            f"Imported from {wanted.model}, which stays as it is; /export my_model.py keeps the model."
        )
    elif new is not None:
        screen.say(f"Data: {wanted.data}")
    screen.say("Say what to change or what you want to know; /help lists commands, /quit leaves.", "dim")


def _local_time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M")
