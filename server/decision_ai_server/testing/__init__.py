"""Parts for tests of this server and of what is built on it; they ship, so users can test with them too."""

from decision_ai_server.testing.connections import RecordingConnection
from decision_ai_server.testing.model_client import ScriptedModelClient
from decision_ai_server.testing.modellers import Sabotaged, ScriptedModeller, sabotaged_offline
from decision_ai_server.testing.openai_server import (
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
    ScriptedOpenAIServer,
    ScriptedProcess,
    Usage,
    call,
    scripted_process,
)
from decision_ai_server.testing.recording import RecordingProxy, replayed

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
    "RecordingConnection",
    "RecordingProxy",
    "Reply",
    "Sabotaged",
    "Script",
    "ScriptedModelClient",
    "ScriptedModeller",
    "ScriptedOpenAIServer",
    "ScriptedProcess",
    "Usage",
    "call",
    "replayed",
    "sabotaged_offline",
    "scripted_process",
]
