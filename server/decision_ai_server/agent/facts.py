"""What the calls of a turn brought, told without a language model."""

from collections.abc import Sequence

from decision_ai_server.agent.placeholders import handles
from decision_ai_server.agent.ports import CallRecord

LEFT_OUT = "The assistant's wording was left out, because it had figures that no tool returned."
_NO_RESULTS = (
    "No figure can be given without a result: say 'solve', or ask to see a part of the model or of the data."
)
_MOST_CHARACTERS = 1500


def facts_of(calls: Sequence[CallRecord]) -> str:
    """The results of a turn in the words of its tools, and that the assistant's own words were left out."""
    told = [_told(handle, record) for handle, record in handles(calls).items() if record.output]
    if not told:
        return f"{LEFT_OUT} {_NO_RESULTS}"
    return "\n\n".join([f"{LEFT_OUT} These are the results:", *told])


def _told(handle: str, record: CallRecord) -> str:
    output = (record.output or "").strip()
    if len(output) > _MOST_CHARACTERS:
        whole_lines, _, _ = output[:_MOST_CHARACTERS].rpartition("\n")
        output = f"{whole_lines or output[:_MOST_CHARACTERS]}\n…"
    return f"{handle}: {output}"
