"""One test for each promise of the README that no other end-to-end test keeps.

Nothing is lost: test_killed_before_writes.py and test_killed_after_writes.py. The transcript: test_readme.py.
Stop stops, in a terminal: tests/terminal.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from decision_ai import Approve, ChatSession, DecisionAI, Proposal, ServerRefused
from decision_ai.client.schemas.chat_messages.live import SolveOutcome, SolveProgressed
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.examples import example
from decision_ai.solving.outcome import OutcomeKind

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

HOSTILE = '''@constraint("x")
def spy(self, data, v):
    """Reads what is not its own."""
    return pulp.lpSum(v.take.values()) <= len(open("/etc/passwd").read())
'''
HARD = '''"""Split the markets as evenly as possible; nobody proves this optimal soon."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class Markets(InputData):
    demands: dict[str, dict[str, int]]
    """Units by market and retailer."""


class Split(Variables):
    first: dict[str, Var] = binary(over=lambda data: next(iter(data.demands.values())))
    over: dict[str, Var] = continuous(over=lambda data: data.demands)
    under: dict[str, Var] = continuous(over=lambda data: data.demands)


class Splitting(OptModel[Markets, Split]):
    @constraint()
    def half(self, data, v):
        """The first division gets half of every market."""
        for market, demand in data.demands.items():
            got = pulp.lpSum(units * v.first[retailer] for retailer, units in demand.items())
            yield market, got + v.over[market] - v.under[market] == sum(demand.values()) // 2

    @objective("minimize")
    def missed(self, data, v):
        """Units over and under."""
        return pulp.lpSum(v.over.values()) + pulp.lpSum(v.under.values())

    def solution_to_str(self, data, v):
        return "split"
'''


HOSTILE_MODELLER = f"""
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.testing import ScriptedModeller

EDITS = [{{"op": "set_constraint", "code": {HOSTILE!r}}}]


def make():
    proposal = ModelDecision(action=ToolCall(name="propose_changes", input={{"edits": EDITS}}))
    return ScriptedModeller({{"go": [proposal]}}, silence="I gave up.")
"""


@pytest.fixture
def client(new_server: Callable[..., Any]) -> Iterator[DecisionAI]:
    server = new_server("offline")
    server.start()
    with DecisionAI(server.url, server.key) as client:
        yield client


def on_knapsack(client: DecisionAI) -> ChatSession:
    return client.create_chat_session(*example("knapsack"))


async def say(chat: Any, sentence: str) -> list[Any]:
    return [message async for message in chat.stream_messages(sentence, exclude_message_types=None)]


async def test_what_you_approve_is_what_runs(client: DecisionAI) -> None:
    """The model changes while the person thinks: what they approved is not applied, they are asked again."""
    session = await asyncio.to_thread(on_knapsack, client)
    seen: list[str] = []

    async def approve(proposal: Proposal) -> Approve:
        seen.append(proposal.tool_origin.args["hash"])
        if len(seen) == 1:
            await asyncio.to_thread(switch_off, "max_items")
        return Approve()

    def switch_off(constraint_id: str) -> None:
        with session.remote_state() as state:
            state.disable_constraint(constraint_id)

    async with session.connect(approve=approve) as chat:
        await say(chat, "at most 4 items")
    state = await asyncio.to_thread(session.state)

    assert len(seen) == len(set(seen)) == 2
    assert len(state.user_constraint_ids) == 1
    assert not state.is_constraint_enabled("max_items")


async def test_a_change_touches_no_other_byte(client: DecisionAI) -> None:
    session = await asyncio.to_thread(on_knapsack, client)
    before = await asyncio.to_thread(lambda: session.program)
    async with session.connect(approve=lambda proposal: Approve()) as chat:
        await say(chat, "the ladder has to come along")
        changed = await asyncio.to_thread(lambda: session.program)
        await say(chat, "undo")
    after = await asyncio.to_thread(lambda: session.program)

    (new,) = set((await asyncio.to_thread(session.state)).constraints) ^ _constraints(changed)
    start = changed.index("    @constraint", changed.index("def category_min"))
    end = changed.index("    @objective")
    assert f"def {new}" in changed[start:end]
    assert changed[:start].rstrip() + "\n\n" + changed[end:] == before
    assert after == before


def _constraints(program: str) -> set[str]:
    from decision_ai.modeling.program import Program

    return set(Program.parse(program).constraints)


async def test_hostile_code_is_refused_and_the_person_not_bothered(new_server: Callable[..., Any]) -> None:
    server = new_server("hostile_modeller:make", files={"hostile_modeller.py": HOSTILE_MODELLER})
    server.start()
    asked: list[Proposal] = []
    with DecisionAI(server.url, server.key) as client:
        session = await asyncio.to_thread(on_knapsack, client)
        async with session.connect(approve=asked.append) as chat:
            said = await say(chat, "go")
            assert [message async for message in chat.stream_messages("go on")]
    (answer,) = [message for message in said if isinstance(message, ValidationResponse)]

    assert asked == []
    assert isinstance(answer.validation.error, FormulationErrorReport)
    assert answer.validation.error.error_type == "not_allowed"


async def test_a_hostile_model_file_is_refused_at_the_door(client: DecisionAI) -> None:
    source, _ = example("knapsack")
    with pytest.raises(ServerRefused, match="open"):
        await asyncio.to_thread(
            client.create_opt_model, source.replace("<= data.capacity", "<= len(open('/etc/passwd').read())")
        )


async def test_stop_stops_with_the_best_plan_and_says_so(client: DecisionAI) -> None:
    dice = random.Random(7)
    units = {f"m{m}": {f"r{r}": dice.randrange(100) for r in range(60)} for m in range(7)}
    session = await asyncio.to_thread(client.create_chat_session, HARD, {"demands": units})
    asked = 0.0
    async with session.connect(approve=lambda proposal: Approve()) as chat:
        async for message in chat.stream_messages("solve", exclude_message_types=None):
            if not asked and isinstance(message, SolveProgressed) and message.progress.objective is not None:
                asked = time.monotonic()
                chat.cancel()
            if asked and isinstance(message, SolveOutcome):
                took = time.monotonic() - asked
        solution = chat.current_solution

    assert took < 5
    assert solution.status is OutcomeKind.INTERRUPTED_WITH_PLAN
    assert solution.outcome.bound is not None
    assert solution.outcome.gap > 0
