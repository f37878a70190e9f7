"""From a raw reply to a decision that may be acted upon."""

from collections.abc import Sequence

from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.parsing import find_decision, parse_decision
from decision_ai_server.model_client.replies import RawCall, RawReply
from decision_ai_server.model_client.tool_schemas import DECISION_ACTIONS, decision_of_call


def read_decision(reply: RawReply, packet: ContextPacket, *, native: bool, streamed: bool) -> ModelDecision:
    """The decision in a reply, with the way it came in `transport`.

    Args:
        reply: as it came.
        packet: what the decision is made on; only its tools may be called.
        native: whether tools were offered.
        streamed: whether the reply came in a stream.

    Raises:
        DecisionParseError: if there is none; told to the model.
    """
    names = {tool.name for tool in packet.allowed_tools}
    if reply.calls:
        decision = _called(reply.calls[0], reply.content, names)
        return decision.model_copy(update={"transport": "native_stream" if streamed else "native"})
    found = find_decision(reply.content, names)
    if found is None:
        raise DecisionParseError(_fault(reply.content, names, native=native))
    return found.model_copy(update={"transport": "json_fallback" if native else "json"})


def written(calls: Sequence[RawCall]) -> str:
    """Calls as a person writes them, for notes."""
    return "; ".join(f"{call.name}({call.arguments})" for call in calls)


def _called(call: RawCall, thought: str, names: set[str]) -> ModelDecision:
    if call.name not in names | DECISION_ACTIONS.keys():
        raise DecisionParseError(_unknown(call.name, names))
    return decision_of_call(call.name, call.arguments, thought)


def _fault(content: str, names: set[str], *, native: bool) -> str:
    """What is wrong with content in which no decision was found."""
    if native:
        return "invalid decision: the reply calls no tool and holds no decision"
    try:
        action = parse_decision(content).action
    except DecisionParseError as error:
        return str(error)
    return _unknown(getattr(action, "name", ""), names)


def _unknown(name: str, names: set[str]) -> str:
    known = ", ".join(sorted(names | DECISION_ACTIONS.keys()))
    return f"invalid decision: there is no tool {name[:100]!r}; the tools are {known}"
