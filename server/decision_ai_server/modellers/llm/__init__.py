"""The modeller that asks a language model.

A turn passes through small pure stages, one module each: turns (the conversation so far) -> trimming (what of
it goes out) -> background (the model and its data) -> visibility and masking (what may leave) -> fencing
(what is data, not words) -> packing (the packet). `modeller` asks a `ModelClient` and reads the decision.
"""

from decision_ai_server.modellers.llm.modeller import LlmModeller
from decision_ai_server.modellers.llm.options import LlmOptions, PriceTable

__all__ = ["LlmModeller", "LlmOptions", "PriceTable"]
