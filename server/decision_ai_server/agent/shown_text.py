"""A text as its reader sees it, in plain characters: what hides, splits or dresses up a digit is undone.

Entities are resolved, invisible characters go, every decimal digit of Unicode becomes 0-9, circled digits,
numeral signs and vulgar fractions become what they mean, every dash a hyphen, every space a space, and the
marks of Markdown, HTML and LaTeX between digits go. The same is done to the names and numbers of results, so
that both sides of a comparison are written alike.
"""

import html
import re
import unicodedata
from collections.abc import Iterator

_UNSEEN = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing although Unicode does not call them invisible."""
_ONE_FOR_ONE = {
    "\u2212": "\u2212",
    "\u066b": ".",
    "\u066c": ",",
    "\u066a": "%",
    "\u2044": "/",
    "\u2215": "/",
    "\u2019": "'",
    "\u02bc": "'",
    "\U0001f51f": "10",
    "\U0001f4af": "100",
}
_COMMENT = re.compile(r"<!--[^0-9]{0,200}?-->")
_BREAK = re.compile(r"</?(?:br|p|div|li|ul|ol|t[drh]|table|h[1-6])\b[^<>0-9]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z](?:[^<>0-9]|(?<=[hH])[1-6])*>")
_EMPHASIS = re.compile(r"\*\*+|~~|`+|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)")
_ITALICS = re.compile(r"\*([^\s*](?:[^*\n]*[^\s*])?)\*")
_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{\s*(\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))")
_SPACE = re.compile(r"\\[,;:! ]|\\(?:quad|qquad|thinspace)\b|(?<!~)~(?=\d)")
_GROUPED = re.compile(r"(?<=\d)\{([,.])\}(?=\d)|(?<=\d)\}\s*\{(?=\d)|(?<=\d)\{\}(?=\d)")


def shown(text: str) -> str:
    """The text in plain characters, as it reads when displayed."""
    resolved = html.unescape(html.unescape(text))
    plain = "".join(_characters(unicodedata.normalize("NFC", resolved)))
    return _unmarked(_without_latex(plain))


def _characters(text: str) -> Iterator[str]:
    raised = ""
    for character in text:
        mark = _raised(character)
        if mark:
            yield mark if mark != raised else ""
            yield _lowered(character)
        else:
            yield _plain(character)
        raised = mark


def _raised(character: str) -> str:
    """`^` for a superscript digit or sign, `_` for a subscript one, else nothing."""
    decomposed = unicodedata.decomposition(character)
    if not decomposed.startswith(("<super>", "<sub>")):
        return ""
    meant = chr(int(decomposed.split()[-1], 16))
    if not (meant.isdecimal() or meant in "+-\u2212"):
        return ""
    return "^" if decomposed.startswith("<super>") else "_"


def _lowered(character: str) -> str:
    meant = unicodedata.normalize("NFKC", character)
    return "-" if meant == "\u2212" else meant


def _plain(character: str) -> str:
    if character.isascii():
        return character if character >= " " or character in "\n\t" else ""
    if character in _ONE_FOR_ONE:
        return _ONE_FOR_ONE[character]
    if character in _UNSEEN:
        return ""
    if character.isnumeric():
        return _numeral(character)
    category = unicodedata.category(character)
    if category in {"Cf", "Cc", "Mn", "Me"}:
        return ""
    if category == "Pd":
        return "-"
    if category.startswith("Z"):
        return " " if category == "Zs" else "\n"
    return unicodedata.normalize("NFKC", character)


def _numeral(character: str) -> str:
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(int(decimal))
    value = unicodedata.numeric(character)
    if value.is_integer():
        is_digit = unicodedata.digit(character, None) is not None
        return str(int(value)) if is_digit else f" {int(value)} "
    resolved = unicodedata.normalize("NFKC", character).replace("\u2044", "/")
    return f" {resolved} " if re.fullmatch(r"\d+/\d+", resolved) else f" {value:.6g} "


def _without_latex(text: str) -> str:
    text = _FRACTION.sub(lambda m: f" {m[1] or m[2]}/{m[3] or m[4]} ", text)
    text = _SPACE.sub(" ", text).replace("\\%", "%").replace("\\times", "\u00d7").replace("\\cdot", "\u00b7")
    return _GROUPED.sub(lambda m: m[1] or "", text)


def _unmarked(text: str) -> str:
    text = _TAG.sub("", _BREAK.sub("\n", _COMMENT.sub("", text)))
    return _ITALICS.sub(r"\1", _EMPHASIS.sub("", text))
