"""What was said and is not known to be stored by the server: a durable file per session.

A message is written and synced before it is sent, and settled when the server echoes or refuses it. What is
left is sent again after every connect, also by the next process; the server answers a message it has with its
echo. The file is a log of JSON lines that is cut to nothing whenever nothing waits.
"""

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Self
from urllib.parse import quote

from pydantic import ValidationError

from decision_ai.client.file_lock import try_lock
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.errors import DecisionAIError


class Outbox:
    """The unsettled messages of one session, oldest first. Use as a context manager."""

    def __init__(self, file_descriptor: int, pending: Iterable[MessageContainer]) -> None:
        self._file = file_descriptor
        self._pending = {container.message_id: container for container in pending}

    @classmethod
    def open(cls, folder: Path, chat_session_id: str) -> Self:
        """Open a session's outbox, with what earlier processes left in theirs.

        Two connections to one session have a file each: a file in use is locked, and the next one is taken.

        Raises:
            DecisionAIError: if the folder cannot be used.
        """
        name, number = quote(chat_session_id, safe=""), 0
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            while (file := _locked(folder / f"{name}.{number}.jsonl")) is None:
                number += 1
            outbox = cls(file, _read(folder / f"{name}.{number}.jsonl"))
            outbox._tidy()
            outbox._adopt(path for path in folder.glob(f"{name}.*.jsonl") if path.stat().st_size)
        except OSError as error:
            raise _unusable(error, f"what is said in {str(folder)!r}") from error
        return outbox

    @property
    def pending(self) -> tuple[MessageContainer, ...]:
        """What is not settled, oldest first."""
        return tuple(self._pending.values())

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._pending

    def put(self, container: MessageContainer) -> None:
        """Keep a message; it is on disk when this returns.

        Raises:
            DecisionAIError: if the disk does not take it; nothing was said then.
        """
        try:
            self._append({"put": container.model_dump(mode="json")})
        except OSError as error:
            raise _unusable(error, "what was said") from error
        self._pending[container.message_id] = container

    def settle(self, message_id: str) -> None:
        """Drop a message that the server has stored or refused; an unknown id changes nothing."""
        if self._pending.pop(message_id, None) is None:
            return
        # On a full disk it is sent once more by the next process, which changes nothing.
        with contextlib.suppress(OSError):
            self._append({"settled": message_id})
        self._tidy()

    def close(self) -> None:
        """Close the file; what is pending stays in it."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _adopt(self, paths: Iterable[Path]) -> None:
        """Take over what waits in files that nobody uses."""
        for path in sorted(paths):
            file = _locked(path)  # our own is locked already, hence skipped
            if file is None:
                continue
            for container in _read(path):
                self.put(container)
            os.ftruncate(file, 0)
            os.close(file)

    def _append(self, record: dict[str, object]) -> None:
        # A line starts with its own newline: whatever a crash left half written stays a line of its own.
        line = b"\n" + json.dumps(record, ensure_ascii=False).encode()
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)

    def _tidy(self) -> None:
        if not self._pending:
            os.ftruncate(self._file, 0)


def _unusable(error: OSError, what: str) -> DecisionAIError:
    return DecisionAIError(
        f"{what} cannot be kept: {error.strerror or error}; free some space, or set DECISION_AI_STATE_DIR to "
        "another folder"
    )


def _locked(path: Path) -> int | None:
    """The opened and locked file; None if another connection has it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    if try_lock(file, "exclusive"):
        return file
    os.close(file)
    return None


def _read(path: Path) -> list[MessageContainer]:
    pending: dict[str, MessageContainer] = {}
    for line in path.read_bytes().splitlines():
        try:
            record = json.loads(line)
            if "put" in record:
                container = MessageContainer.model_validate(record["put"])
                pending[container.message_id] = container
            else:
                pending.pop(record["settled"], None)
        except (ValueError, ValidationError):
            continue  # cut off by a crash before it was synced, hence never sent
    return list(pending.values())
