"""What is handed to the store: steps, versions and messages of one session, with ids and times."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai_server.agent.journal import Entry
from decision_ai_server.agent.steps import Emit, NewVersion
from decision_ai_server.sessions.versions import data_record, version_record
from decision_ai_server.storage.records import Append


@dataclass(frozen=True)
class Appends:
    """Makes what is appended to one session.

    Attributes:
        session_id: the session.
        now: milliseconds since 1970.
        new_id: makes ids of messages and versions.
    """

    session_id: str
    now: Callable[[], int]
    new_id: Callable[[], str]

    def step(self, step: Emit, *, head: str, approver: str, at: int) -> Append:
        """Everything that a step brings.

        Args:
            step: the step.
            head: id of the present version.
            approver: who approved its version, if it has one.
            at: how many messages there are.
        """
        append = Append()
        if step.version is not None:
            append = self.version(step.version, parent=head, author="assistant", approver=approver)
        elif step.move is not None:
            append = Append(head=step.move.head, branch=step.move.branch)
        now = self.now()
        return replace(
            append,
            messages=tuple(self.envelope(message) for message in step.messages),
            data=(*append.data, *(data_record(text, now) for text in step.data)),
            checks=step.checks,
            journal=tuple(Entry(at, note) for note in step.notes),
        )

    def version(self, version: NewVersion, *, parent: str, author: str, approver: str) -> Append:
        """A version and its data; it becomes the head."""
        now = self.now()
        row = version_record(
            version,
            id=self.new_id(),
            session_id=self.session_id,
            parent=parent,
            author=author,
            approver=approver,
            now=now,
        )
        return Append(data=(data_record(version.json_data, now),), versions=(row,), head=row.id)

    def envelope(self, message: ChatMessage, *, message_id: str | None = None) -> MessageContainer:
        """A message of ours in its envelope."""
        return MessageContainer(
            chat_session_id=self.session_id,
            message=message,
            timestamp=self.now(),
            message_id=message_id or self.new_id(),
        )
