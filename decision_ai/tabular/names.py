"""Which field a header, a sheet or a parameter name means: by name, with units apart; never by a guess."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from decision_ai.modeling.units import conversion_factor

_UNIT = re.compile(r"^(?P<name>.*\S)\s*(?:\[(?P<square>[^\[\]]*)\]|\((?P<round>[^()]*)\))$", re.DOTALL)
_MONEY = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}


@dataclass(frozen=True)
class Heading:
    """A header taken apart."""

    text: str
    """As it stands."""
    name: str
    """Without the unit."""
    unit: str
    """What stands in brackets at its end; empty without."""


def heading(text: str) -> Heading:
    """Take a header such as `Weight [kg]` or `Cost (EUR/t)` apart."""
    found = _UNIT.match(text)
    if found is None:
        return Heading(text, text, "")
    return Heading(text, found["name"], (found["square"] or found["round"] or "").strip())


def folded(name: str) -> str:
    """A name without case, accents, blanks and signs: `Max. Weight` → `maxweight`."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def _singular_words(name: str) -> str:
    return "".join(singular(folded(word)) for word in re.split(r"[\W_]+", name))


def singular(name: str) -> str:
    """A folded name without an English plural ending."""
    for plural, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(plural) and len(name) > len(plural) + 1:
            return name.removesuffix(plural) + one
    return name[:-1] if name.endswith("s") and not name.endswith("ss") and len(name) > 2 else name


def matched(name: str, known: Iterable[str]) -> str | None:
    """The one known name that this name means; None if none or several do."""
    names = list(known)
    if name in names:
        return name
    for form in (folded, _singular_words):
        wanted = form(name)
        found = [other for other in names if wanted and form(other) == wanted]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def nearest(name: str, known: Iterable[str]) -> str:
    """A half sentence that proposes the known name nearest to an unknown one, or lists some."""
    names = [str(other) for other in known]
    found = likely(name, names)
    if found is not None:
        return f"did you mean {found!r}?"
    listed = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
    return f"there are {listed}" if names else "there are none"


def likely(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to an unknown one; None if none is near."""
    forms = {folded(other): other for other in reversed(list(known))}
    found = difflib.get_close_matches(folded(name), forms, n=1, cutoff=0.6)
    return forms[found[0]] if found else None


def same_unit(one: str, other: str) -> bool:
    """Whether two units are written the same, but for blanks and signs of money."""
    return _unit(one) == _unit(other)


def unit_factor(one: str, other: str) -> float | None:
    """How many of the other unit one unit is; None if that cannot be told."""
    try:
        return conversion_factor(one, other)
    except ValueError:
        return None


def _unit(text: str) -> str:
    text = "".join(text.split())
    for sign, code in _MONEY.items():
        text = text.replace(sign, code)
    return text if text.upper() != text else text.lower()
