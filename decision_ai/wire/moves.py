"""Whose turn it is: the order of a conversation as one table, drawn in docs/protocol.md from here.

A phase says what may come next. The assistant works until it asks; while it asks, only the person (or the
person's client) may speak, except that the assistant may ask again when the model changed under an open ask,
and end the conversation. A prompt over an open ask is a refusal of it in the person's words.
"""

from enum import StrEnum


class Phase(StrEnum):
    """Where a conversation stands."""

    OPENING = "opening"
    """Nothing was said yet."""
    WORKING = "working"
    """The assistant has the word."""
    AWAITING_PROMPT = "awaiting_prompt"
    AWAITING_FEEDBACK = "awaiting_feedback"
    AWAITING_VALIDATION = "awaiting_validation"
    AWAITING_SOLVE = "awaiting_solve"
    CLOSED = "closed"
    """A critical error closed the connection; the session can be resumed, which leads back to working."""


_ASKS = {
    "ask_for_prompt": Phase.AWAITING_PROMPT,
    "ask_for_feedback": Phase.AWAITING_FEEDBACK,
    "ask_for_validation": Phase.AWAITING_VALIDATION,
    "ask_for_solve": Phase.AWAITING_SOLVE,
}
_ENDS = {"critical_error": Phase.CLOSED}
_NOTICE = {"chat_response": Phase.WORKING}

MOVES: dict[Phase, dict[str, Phase]] = {
    Phase.OPENING: {"system_prompt": Phase.WORKING, **_ENDS},
    Phase.WORKING: {
        "reasoning": Phase.WORKING,
        "tool_call": Phase.WORKING,
        "tool_output": Phase.WORKING,
        "chat_response": Phase.WORKING,
        "error": Phase.WORKING,
        **_ASKS,
        **_ENDS,
    },
    Phase.AWAITING_PROMPT: {"prompt": Phase.WORKING, **_NOTICE, **_ENDS},
    Phase.AWAITING_FEEDBACK: {"prompt": Phase.WORKING, **_NOTICE, **_ENDS},
    Phase.AWAITING_VALIDATION: {
        "validation_response": Phase.WORKING,
        "prompt": Phase.WORKING,
        "ask_for_validation": Phase.AWAITING_VALIDATION,
        "tool_output": Phase.WORKING,
        **_ENDS,
    },
    Phase.AWAITING_SOLVE: {
        "solve_response": Phase.WORKING,
        "prompt": Phase.WORKING,
        "ask_for_solve": Phase.AWAITING_SOLVE,
        "tool_output": Phase.WORKING,
        **_ENDS,
    },
    Phase.CLOSED: {"error": Phase.WORKING, **_ENDS},
}
"""Phase → kind of the next message → phase after it. A kind that is not listed is refused.

`tool_output` in an awaiting phase settles a call whose ask was withdrawn: cancelled, or no longer applicable.
`error` after `critical_error` is how a resumed session says what happened and goes on. `chat_response` while
a prompt is awaited says what a change made outside of the conversation led to; then the assistant asks again.
"""


def diagram() -> str:
    """The table as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.OPENING}"]
    for phase, moves in MOVES.items():
        for target in dict.fromkeys(moves.values()):
            kinds = ", ".join(kind for kind, after in moves.items() if after is target)
            lines.append(f"    {phase} --> {target}: {kinds}")
    return "\n".join(lines)
