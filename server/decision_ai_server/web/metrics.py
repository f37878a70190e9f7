"""`/metrics` in the text form of Prometheus. No value of a label comes from what people or models write."""

from collections.abc import Collection
from typing import Annotated

from fastapi import APIRouter, Depends
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from decision_ai.client.schemas.chat_messages.protocol import SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.solving.outcome import OutcomeKind
from decision_ai_server.agent.journal import Entry, Note, spent
from decision_ai_server.agent.ports import CallRecord
from decision_ai_server.web.parts import CallerDep, PartsDep

router = APIRouter(tags=["health"])
_SECONDS = (0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600)
_ACTIONS = frozenset({"tool_call", "final_answer", "ask_user"})
_OUTCOMES = frozenset(OutcomeKind)
OTHER = "other"
"""The label of what is not one of ours."""


class Metrics:
    """What one server has done since it started.

    Args:
        tools: names of the tools there are; calls of any other name are counted together.
    """

    def __init__(self, tools: Collection[str]) -> None:
        self._tools = frozenset(tools)
        self._registry = registry = CollectorRegistry()
        self._sessions = Gauge("decision_ai_sessions", "Sessions that are up.", registry=registry)
        self._connections = Gauge("decision_ai_connections", "Open chat connections.", registry=registry)
        self._decisions = Counter(
            "decision_ai_decisions", "Decisions of modellers.", ["outcome"], registry=registry
        )
        self._seconds = Histogram(
            "decision_ai_decision_seconds", "Time of one decision.", buckets=_SECONDS, registry=registry
        )
        self._tokens = Counter(
            "decision_ai_tokens", "Tokens of language models.", ["direction"], registry=registry
        )
        self._money = Counter(
            "decision_ai_money", "Price of the tokens, in the currency of the settings.", registry=registry
        )
        self._calls = Counter(
            "decision_ai_tool_calls", "Tool calls that ended.", ["tool", "end"], registry=registry
        )
        self._solves = Counter("decision_ai_solves", "Solves of clients.", ["outcome"], registry=registry)

    def noted(self, note: Note) -> None:
        """Count a decision and what it cost."""
        if note.kind not in {"decision", "loss"}:
            return
        cost = spent([Entry(0, note)])
        self._decisions.labels(_outcome(note)).inc()
        self._seconds.observe(cost.seconds)
        self._tokens.labels("prompt").inc(cost.prompt_tokens)
        self._tokens.labels("completion").inc(cost.completion_tokens)
        self._money.inc(cost.cost or 0.0)

    def called(self, record: CallRecord) -> None:
        """Count a tool call, and the solve it asked for."""
        name = record.call.name if record.call.name in self._tools else OTHER
        self._calls.labels(name, record.state).inc()
        match record.answers:
            case (*_, SolveResponse(solving=SolveSucceeded(solution_status=status))):
                self._solves.labels(status if status in _OUTCOMES else OTHER).inc()
            case (*_, SolveResponse(solving=SolveFailed(status=status))):
                self._solves.labels(status).inc()

    def text(self, *, sessions: int, connections: int) -> bytes:
        """Everything, with how many sessions and connections there are now."""
        self._sessions.set(sessions)
        self._connections.set(connections)
        return generate_latest(self._registry)


def _outcome(note: Note) -> str:
    if note.kind == "loss":
        return "lost"
    match note.payload.get("action"):
        case {"type": str(kind)} if kind in _ACTIONS:
            return kind
    return OTHER


def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


@router.get("/metrics", response_class=Response)
async def metrics(
    parts: PartsDep, _caller: CallerDep, counted: Annotated[Metrics, Depends(_metrics)]
) -> Response:
    """Counters and gauges for Prometheus; the key is needed, as everywhere."""
    sessions = parts.sessions
    text = counted.text(sessions=sessions.running, connections=sessions.connections)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})
