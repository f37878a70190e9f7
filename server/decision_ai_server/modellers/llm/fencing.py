"""Text that comes from elsewhere, fenced as data: labels, docstrings, imported files, outputs of tools.

The fence is always the same, so that equal text gives equal requests and prefix caches hold. It cannot be
forged, because whatever looks like it is broken up inside; and what is invisible is written out, so that
nothing hides between the characters that a person sees.
"""

import re
import unicodedata

OPENING, CLOSING = "<data>", "</data>"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories without a glyph: control characters, bidi marks, zero-width characters, odd line ends."""
_FENCE_LIKE = re.compile(r"([<\u2039\u3008\ufe64\uff1c])(\s*[/\uff0f]?\s*data)", re.IGNORECASE)


def fenced(text: str) -> str:
    """The text between the marks of the fence, on lines of their own."""
    return f"{OPENING}\n{harmless(text)}\n{CLOSING}"


def harmless(text: str) -> str:
    """The text with everything written out that is invisible, and without a mark of the fence."""
    shown = "".join(map(_shown, text.replace("\r\n", "\n")))
    return _FENCE_LIKE.sub(r"\1\\\2", shown)


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _HIDDEN:
        return character
    # The escape that Python reads, so that code which quotes a label with it means the same label.
    return character.encode("unicode_escape").decode("ascii")
