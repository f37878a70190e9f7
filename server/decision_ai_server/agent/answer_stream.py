"""What is told while an answer is being written: never a figure that was not checked.

A figure can change its meaning with the words behind it ("25", "25 per cent"; "Tour 3", "Tour 3.5"), so it is
held back until a few words without one have followed. At the first figure that nothing supports nothing more
is told; the answer that is sent in the end is what counts.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai_server.agent import number_words
from decision_ai_server.agent.figures import Allowed, unsupported
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.placeholders import UnknownPlaceholder, fill
from decision_ai_server.agent.ports import Delta
from decision_ai_server.agent.shown_text import shown

_WORDS_BEHIND = 4
"""Words that have to follow a figure before it is told; the longest that belong to one are "and a half"."""
_LEAST_CHECKED = 50
"""A check reads the whole text, so it waits for at least this part of it to be new."""
_LONGEST_PLACEHOLDER = 250
_WORD = re.compile(r"\S+")
_MARKUP = frozenset("&<\\{}")


class AnswerStream:
    """Passes pieces of an answer on, placeholders filled, as far as their figures are supported.

    Args:
        figures: what placeholders may name.
        allowed: what the answer may say.
        tell: takes what may be shown.
    """

    def __init__(
        self, figures: Mapping[str, Figure], allowed: Allowed, tell: Callable[[Delta], None]
    ) -> None:
        self._figures, self._allowed, self._tell = figures, allowed, tell
        self._begin()

    def tell(self, delta: Delta) -> None:
        """Take one piece; reasoning passes, since it is shown as such."""
        if not isinstance(delta, ChatResponseDelta):
            self._tell(delta)
            return
        if delta.restart:
            self.withdraw()
        self._written += delta.delta
        if not self._silent:
            self._go_on()

    def withdraw(self) -> None:
        """Take back what was told, if anything was: the answer is written anew."""
        if self._told:
            self._tell(ChatResponseDelta(delta="", restart=True))
        self._begin()

    def _begin(self) -> None:
        self._written, self._told, self._released, self._silent = "", "", 0, False

    def _go_on(self) -> None:
        """Tell what no longer changes."""
        end = self._released + _settled(self._written[self._released :])
        fresh = self._written[self._released : end]
        checked = not _may_have_figure(fresh)
        if not fresh or (not checked and len(fresh) * _LEAST_CHECKED < end):
            return
        self._released = end
        try:
            text = fill(self._written[:end], self._figures)
        except UnknownPlaceholder:
            self._silent = True
            return
        supported = checked or not unsupported(text, self._allowed)
        if not supported or not text.startswith(self._told):
            self._silent = True
            return
        self._tell(ChatResponseDelta(delta=text[len(self._told) :]))
        self._told = text


def _settled(text: str) -> int:
    """How many characters of a text mean what they mean, whatever follows."""
    words = [match.span() for match in _WORD.finditer(text)]
    if words and words[-1][1] == len(text):
        words.pop()  # it may go on
    end, clean = len(words), 0
    for index in range(len(words) - 1, -1, -1):
        first, last = words[index]
        word = text[first:last]
        clean = 0 if _may_have_figure(word) else clean + 1
        if clean == 0:
            end = index
        elif clean >= _WORDS_BEHIND or word == "|":
            break  # no figure goes on into the next cell of a table
    if not end:
        return 0
    place = words[end][0] if end < len(words) else words[-1][1]
    opened = text.rfind("{", max(0, place - _LONGEST_PLACEHOLDER), place)
    return opened if opened >= 0 and "}" not in text[opened:place] else place


@lru_cache(maxsize=4096)
def _may_have_figure(text: str) -> bool:
    """Whether a text may have a figure, a part of one, or what is shown as one."""
    if not _MARKUP.isdisjoint(text):
        return True
    plain = shown(text)
    if any(character.isnumeric() for character in plain):
        return True
    return not number_words.VOCABULARY.isdisjoint(re.findall(r"[^\W\d_]+", plain.lower()))
