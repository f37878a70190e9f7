"""A ledger stores before it records and tells, and takes over what the store has after a failure."""

import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, SystemPrompt
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.errors import ProtocolError
from decision_ai_server.sessions.ledger import Ledger
from decision_ai_server.sessions.ports import NoMeter
from decision_ai_server.storage.errors import NotFound, StoreFailed
from decision_ai_server.storage.records import Append
from decision_ai_server.testing import ScriptedModeller


async def test_a_message_that_is_not_allowed_is_not_stored(open_hub, envelope):
    async with open_hub(ScriptedModeller({})) as (_, store):
        ledger = await Ledger.open(store, "s", NoMeter())
        told = []
        with pytest.raises(ProtocolError):
            await ledger.append(
                Append(messages=(envelope(ChatResponse(response="hi")),)), now=1, tell=told.append
            )
        assert (told, await store.messages("s")) == ([], [])
        assert not ledger.unsure


async def test_what_was_stored_before_the_failure_is_taken_over(open_hub, envelope, monkeypatch):
    async with open_hub(ScriptedModeller({})) as (_, store):
        ledger = await Ledger.open(store, "s", NoMeter())
        said = (envelope(SystemPrompt(content="x"), "m1"), envelope(AskForPrompt(), "m2"))
        append = store.append

        async def failing(*arguments, **named):
            await append(*arguments, **named)
            raise StoreFailed("disk full")

        monkeypatch.setattr(store, "append", failing)
        told = []
        with pytest.raises(StoreFailed):
            await ledger.append(Append(messages=said, branch="try"), now=1, tell=told.append)
        assert ledger.unsure
        assert told == []
        monkeypatch.undo()

        await ledger.read_again(told.append)

        assert [container.message_id for container in told] == ["m1", "m2"]
        assert (ledger.tree.branch, ledger.unsure) == ("try", False)


async def test_a_session_that_is_not_there(open_hub):
    async with open_hub(ScriptedModeller({})) as (_, store):
        with pytest.raises(NotFound):
            await Ledger.open(store, "unknown", NoMeter())
