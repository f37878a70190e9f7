"""One conversation with a server that kills itself on the way, is started again, and must have lost nothing.

Messages that are written in one transaction have no gap between them: a walk kills around every write, once
when it is not stored yet (test_killed_before_writes.py) and once when it is stored and nobody was told
(test_killed_after_writes.py): two modules, so that two workers share the walk.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from decision_ai import Approve, DecisionAI, Proposal, Reject
from decision_ai.examples import example

SENTENCES = (
    "Take five items at most.",
    "On a new branch called lean: the ladder has to come along.",
    "Go back to before the ladder rule.",
    "Redo and solve.",
    "Undo that and keep a check that at most 8 items are chosen.",
)
WRITES = 41
"""The writes of the undisturbed conversation; a test counts them."""


class Person:
    """Rejects what it is asked about the first sentence, approves the rest, and counts its questions."""

    def __init__(self) -> None:
        self.questions: Counter[str] = Counter()

    def __call__(self, proposal: Proposal) -> Approve | Reject:
        self.questions[proposal.tool_origin.args["hash"]] += 1
        return Reject("no") if proposal.card.sentence == SENTENCES[0] else Approve()


@dataclass(frozen=True)
class End:
    """What there is after the last sentence."""

    messages: list[Any]
    objective: float | None
    versions: list[tuple[int, bool]]
    branches: list[tuple[str, int, bool]]
    checks: list[str]


async def converse(server: Any, person: Person) -> End:
    """The whole conversation, with the server started again once it has killed itself."""
    async with asyncio.TaskGroup() as group:
        reviver = group.create_task(_revive(server))
        with DecisionAI(server.url, server.key) as client:
            session = await asyncio.to_thread(client.create_chat_session, *example("knapsack"))
            async with session.connect(approve=person) as chat:
                for sentence in SENTENCES:
                    async for _ in chat.stream_messages(sentence):
                        pass
                objective = chat.current_solution.objective_value
            end = await asyncio.to_thread(_end, session, objective)
        reviver.cancel()
    return end


async def walk(gap: int, new_server: Callable[..., Any], *, before_storing: bool) -> None:
    """The conversation with a kill around one write; everything is as without it."""
    server, person = new_server(), Person()
    server.start(kill_at=gap, before_storing=before_storing)

    end = await converse(server, person)

    assert server.starts == 2, "the walk kills at every gap"
    kinds = Counter(container.message.kind for container in end.messages)
    prompts = [container.message.prompt for container in end.messages if container.message.kind == "prompt"]
    assert prompts == list(SENTENCES), "every accepted prompt is there, once"
    assert kinds["validation_response"] == kinds["ask_for_validation"] == 4
    assert kinds["solve_response"] == kinds["ask_for_solve"] == 1
    assert set(person.questions.values()) == {1}, "no answered question was asked twice"
    assert len(person.questions) == 2
    assert end.objective == 139
    assert end.versions == [(0, True), (1, False)], "every change was made once, and the undo as well"
    assert end.branches == [("lean", 1, True), ("main", 0, False)]
    assert end.checks == ["max_chosen_items"]


def _end(session: Any, objective: float | None) -> End:
    return End(
        messages=session.messages(),
        objective=objective,
        versions=[(version.number, version.is_head) for version in session.history()],
        branches=[(branch.name, branch.number, branch.is_present) for branch in session.branches()],
        checks=[check.name for check in session.checks()],
    )


async def _revive(server: Any) -> None:
    while not await asyncio.to_thread(server.wait, 0.05):
        pass
    await asyncio.to_thread(server.start)
