"""What a version is called: "version 3", "the branch cheap", "main", "the original", "the one before"."""

import re

from decision_ai_server.modellers.offline.past import Past

HERE = "here"
"""The present version; the tools take it where no version is given."""

_ARTICLE = r"(?:(?:the|my|our|your) )?"
_NUMBER = re.compile(rf"{_ARTICLE}(?:versions?|state|revision) (?:number |no |# )?(\d+)|v ?(\d+)|# (\d+)")
_BARE = re.compile(r"(\d+)")
_BRANCH = re.compile(rf"{_ARTICLE}branch(?:es)? (?:called |named )?(.+)|{_ARTICLE}(.+?) branch")
_FIRST = re.compile(
    rf"{_ARTICLE}(?:very )?(?:start|beginning|original|originals|base|begin)"
    rf"|{_ARTICLE}(?:very )?(?:original|initial|first|base|starting|opened|unchanged)"
    r" (?:model|version|state|one|formulation)"
    r"|(?:how|what|the way|as) (?:it|things|everything|the model|that) (?:was|were|looked)"
    r" (?:originally|at first|initially|in the beginning|at the (?:start|beginning)|to (?:start|begin) with)"
    r"|scratch|(?:the )?model as (?:it was )?opened|square (?:one|1)"
)
_PREVIOUS = re.compile(
    r"(?:the )?(?:previous|last|prior) (?:version|state|one|model)|(?:the )?(?:version|state|one) before"
    r"(?: (?:this|that|it))?|before|(?:how|what|the way) it (?:was|were|used to be) before|it was before"
)
_NEWEST = re.compile(r"(?:the )?(?:newest|latest|most recent) (?:version|state|one|model)")
_HERE = re.compile(
    r"this(?: (?:one|version|model|state|branch))?|it|that|now|here|"
    r"(?:the )?(?:present|current)(?: (?:one|version|model|state|branch))?|(?:the|our|my) model|"
    r"what (?:we|i) have(?: now)?"
)


def version_named(said: str, past: Past, *, bare: bool = False) -> str | None:
    """How a tool calls the version that some words mean; None if they mean none.

    Args:
        said: the words in lower case, numbers as digits.
        past: what there is.
        bare: whether a number alone is a version, as the second one in "version 2 and 4" is.
    """
    number = _NUMBER.fullmatch(said) or (_BARE.fullmatch(said) if bare else None)
    if number is not None:
        return next(digits for digits in number.groups() if digits is not None)
    if said == HERE:
        return HERE
    known = past.branch(said.strip('"').replace("_", " ") if said.startswith('"') else said)
    return known or _relative(said, past) or _branch(said, past)


def _relative(said: str, past: Past) -> str | None:
    if _FIRST.fullmatch(said):
        return "0"
    if _NEWEST.fullmatch(said):
        return str(past.tip)
    if _HERE.fullmatch(said):
        return HERE
    before = past.parents[past.present]
    return str(before) if _PREVIOUS.fullmatch(said) and before is not None else None


def _branch(said: str, past: Past) -> str | None:
    """Read "the branch cheap": an unknown name goes to the tool, which says what there is."""
    found = _BRANCH.fullmatch(said)
    if found is None:
        return None
    name = (found.group(1) or found.group(2)).strip('"').replace("_", " ")
    return past.branch(name) or (name if found.group(1) else None)


def versions_there_are(past: Past) -> str:
    """What can be gone to and compared with."""
    last = len(past.parents) - 1
    numbers = "version 0" if last == 0 else f"the versions 0 to {last}"
    names = ", ".join(repr(name) for name in past.branches)
    return f"{numbers} and the branches {names}" if names else numbers
