"""The server is killed between any two messages of a conversation, started again, and nothing is lost.

Messages that are written in one transaction have no gap between them: the walk kills around every write, once
when it is not stored yet and once when it is stored and nobody was told.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from decision_ai import Approve, DecisionAI, Proposal, Reject
from decision_ai.examples import example

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

SENTENCES = ("Take five items at most.", "The ladder has to come along.", "solve", "undo")
WRITES = 31
"""The writes of the undisturbed conversation; a test counts them."""


class Person:
    """Rejects what it is asked about the first sentence, approves the rest, and counts its questions."""

    def __init__(self) -> None:
        self.questions: Counter[str] = Counter()

    def __call__(self, proposal: Proposal) -> Approve | Reject:
        self.questions[proposal.tool_origin.args["hash"]] += 1
        return Reject("no") if proposal.card.sentence == SENTENCES[0] else Approve()


async def converse(server: Any, person: Person) -> tuple[list[Any], Any, set[str]]:
    """The whole conversation, with the server started again once it has killed itself."""
    async with asyncio.TaskGroup() as group:
        reviver = group.create_task(revive(server))
        with DecisionAI(server.url, server.key) as client:
            session = await asyncio.to_thread(client.create_chat_session, *example("knapsack"))
            async with session.connect(approve=person) as chat:
                for sentence in SENTENCES:
                    async for _ in chat.stream_messages(sentence):
                        pass
                objective = chat.current_solution.objective_value
            history = await asyncio.to_thread(session.messages)
            state = await asyncio.to_thread(session.state)
        reviver.cancel()
    return history, objective, state.user_constraint_ids


async def revive(server: Any) -> None:
    while not await asyncio.to_thread(server.wait, 0.05):
        pass
    await asyncio.to_thread(server.start)


@pytest.mark.parametrize("before_storing", [False, True], ids=["stored-unsent", "unstored"])
@pytest.mark.parametrize("gap", range(1, WRITES + 1))
async def test_killed_at(gap: int, before_storing: bool, new_server: Callable[..., Any]) -> None:
    server, person = new_server(), Person()
    server.start(kill_at=gap, before_storing=before_storing)

    history, objective, user_constraints = await converse(server, person)

    assert server.starts == 2, "the walk kills at every gap"
    kinds = Counter(container.message.kind for container in history)
    prompts = [container.message.prompt for container in history if container.message.kind == "prompt"]
    assert prompts == list(SENTENCES), "every accepted prompt is there, once"
    assert kinds["validation_response"] == kinds["ask_for_validation"] == 4
    assert kinds["solve_response"] == kinds["ask_for_solve"] == 1
    assert set(person.questions.values()) == {1}, "no answered question was asked twice"
    assert len(person.questions) == 2
    assert objective == 139
    assert user_constraints == set()


async def test_the_walk_reaches_the_end(new_server: Callable[..., Any]) -> None:
    """One write more than the walk covers kills nobody."""
    server = new_server()
    server.start(kill_at=WRITES + 1)

    await converse(server, Person())

    assert server.starts == 1
