"""The built-in modeller: a deterministic parser of ordinary sentences over the model's own names.

A sentence passes through small pure stages, one module each:
words (tokens, numbers, stems) -> vocabulary (what this model calls its things) -> linking (words to things)
-> grammar (readings, best first) -> meaning (typed values) -> generate (edits or a tool call).
"""

from decision_ai_server.modellers.offline.modeller import OfflineModeller

__all__ = ["OfflineModeller"]
