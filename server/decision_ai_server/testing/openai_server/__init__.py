"""An OpenAI-compatible endpoint that plays a script: replies as values, and a real server that sends them."""

from decision_ai_server.testing.openai_server.processes import ScriptedProcess, scripted_process
from decision_ai_server.testing.openai_server.replies import (
    Answering,
    Call,
    Chunk,
    Exchange,
    Failure,
    Feature,
    Manner,
    Peer,
    Played,
    Reply,
    Script,
    Usage,
    call,
)
from decision_ai_server.testing.openai_server.server import ScriptedOpenAIServer

__all__ = [
    "Answering",
    "Call",
    "Chunk",
    "Exchange",
    "Failure",
    "Feature",
    "Manner",
    "Peer",
    "Played",
    "Reply",
    "Script",
    "ScriptedOpenAIServer",
    "ScriptedProcess",
    "Usage",
    "call",
    "scripted_process",
]
