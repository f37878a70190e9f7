"""`decision-ai export`: a session, or a model file with its data, as a file of another form."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from decision_ai.client.client import DecisionAI
from decision_ai.client.export_methods import refuse_existing, write_export
from decision_ai.client.solution import validation_sentence
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.exporting.exports import Exportable, ExportFormat, exported, format_of
from decision_ai.modeling.importing.kinds import is_solver_file
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.terminal.files import read_inputs
from decision_ai.terminal.importing import say_notes
from decision_ai.terminal.screen import Screen, say_nothing


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where an export goes.

    Attributes:
        path: the file.
        format: its format; None = its suffix says it.
        overwrite: whether a file that is there may be replaced.
    """

    path: Path
    format: ExportFormat | None = None
    overwrite: bool = False

    @property
    def known_format(self) -> ExportFormat:
        """The format.

        Raises:
            DecisionAIError: if nothing says it.
        """
        return self.format or format_of(self.path)


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the options say about the source.

    Attributes:
        data: the data of a model file.
        version: the version of a session.
        url: the server of a session.
    """

    data: Path | None = None
    version: str | None = None
    url: str | None = None


def export(screen: Screen, source: str, target: Target, choices: Choices) -> None:
    """Write a session's model, a model file on its data, or an imported file, in another form.

    Raises:
        DecisionAIError: if it cannot be read, made or written.
    """
    if source.endswith(".py") or is_solver_file(Path(source)):
        _export_file(screen, Path(source), target, choices)
    else:
        _export_session(screen, source, target, choices)
    screen.say(f"Written to {target.path}.")


def _export_session(screen: Screen, session_id: str, target: Target, choices: Choices) -> None:
    if choices.data is not None:
        raise DecisionAIError("a session has its data; leave --data out")
    refuse_existing(target.path, target.known_format, overwrite=target.overwrite)
    with screen.line("exporting …"), DecisionAI(choices.url, on_notice=say_nothing) as client:
        session = client.continue_chat_session(session_id)
        session.export(
            target.path, format=target.known_format, version=choices.version, overwrite=target.overwrite
        )


def _export_file(screen: Screen, model: Path, target: Target, choices: Choices) -> None:
    if choices.version is not None:
        raise DecisionAIError("a model file has no versions; leave --version out")
    format = target.known_format
    refuse_existing(target.path, format, overwrite=target.overwrite)
    inputs = read_inputs(screen, model, choices.data)
    source = Exportable(inputs.program, inputs.json_data)
    if inputs.imported:
        say_notes(screen, inputs.imported)
    with screen.line("exporting …"):
        content = asyncio.run(_made(source, format))
    write_export(target.path, format, content, overwrite=target.overwrite)


async def _made(source: Exportable, format: ExportFormat) -> bytes:
    async with LocalExecutor() as executor:
        content = await exported(source, format, executor)
    if isinstance(content, bytes):
        return content
    raise DecisionAIError(validation_sentence(content))
