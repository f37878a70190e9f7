"""Which of the earlier turns still go out word for word, and a summary of those that do not.

The cut moves in blocks: once the conversation is longer than its budget, whole turns leave until half of the
budget is free again. It follows from the history alone, so a request begins like the one before it until the
cut moves, and caches of the endpoint hold.
"""

from collections.abc import Sequence
from itertools import accumulate

from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.turns import PastTurn

_SHARE = 4
"""The summary takes at most this part of the budget."""


def cut(sizes: Sequence[int], budget: int) -> int:
    """How many of the oldest turns are summarised.

    Args:
        sizes: characters of every turn, oldest first.
        budget: characters that may go out word for word.
    """
    first, kept = 0, 0
    for turn, size in enumerate(sizes):
        kept += size
        if kept > budget:
            while first <= turn and kept > budget // 2:
                kept -= sizes[first]
                first += 1
    return first


def moved(turns: Sequence[PastTurn], budget: int) -> bool:
    """Whether the cut is another one than in the turn before."""
    sizes = [turn.size for turn in turns]
    return bool(sizes) and cut(sizes, budget) != cut(sizes[:-1], budget)


def summary(turns: Sequence[PastTurn], mask: Mask, budget: int) -> str:
    """The summarised turns, a line each; the oldest are only counted where there are too many.

    The person's words stay as typed; everything else is masked.
    """
    lines = [turn.line(mask) for turn in turns]
    lengths = accumulate(len(line) + 1 for line in reversed(lines))
    shown = max(sum(length <= budget // _SHARE for length in lengths), min(1, len(lines)))
    left_out = len(lines) - shown
    before = [f"- {left_out} earlier turns: {_counted(turns[:left_out])}"] if left_out else []
    return "\n".join([*before, *lines[left_out:]])


def _counted(turns: Sequence[PastTurn]) -> str:
    """How many calls of some turns ended how."""
    ends = [record.state for turn in turns for record in turn.calls]
    counts = [f"{ends.count(end)} {end}" for end in dict.fromkeys(ends)]
    return ", ".join(counts) or "no calls"
