"""Identifiers of a generated model file: safe, unique, and as close to the foreign name as can be."""

import keyword
import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from pydantic import BaseModel

from decision_ai.modeling.opt_model import OptModel
from decision_ai.modeling.reading import RESERVED_MODEL_NAMES, RESERVED_VARIABLE_NAMES
from decision_ai.sandbox.allowed import REFUSED_ATTRIBUTES

_LONGEST = 60
# What the generated file itself reads by name.
_READ_BY_NAME = """
    Any InputData Iterator Literal None OptModel Var Variables a abs binary cls compared constraint continuous
    data dict family float index int integer isinstance left len lines list map member name nonzero objective
    pulp rhs row self sense str tuple v var
"""
_RESERVED = frozenset(
    {
        *keyword.kwlist,
        *dir(BaseModel),
        *dir(OptModel),
        *REFUSED_ATTRIBUTES,
        *RESERVED_MODEL_NAMES,
        *RESERVED_VARIABLE_NAMES,
        *_READ_BY_NAME.split(),
    }
)
_PROTECTED = ("model_validate", "model_dump")  # pydantic warns of fields that begin like this


class Names:
    """Hands out identifiers, each once."""

    def __init__(self) -> None:
        self._taken = set(_RESERVED)

    def is_free(self, name: str) -> bool:
        """Whether an identifier is neither handed out nor reserved."""
        return name not in self._taken

    def unique(self, text: str, *, instead: str, suffix: str = "") -> str:
        """An identifier for a name.

        Args:
            text: the foreign name.
            instead: what to call it where nothing of the name is left.
            suffix: appended if the name itself is taken.
        """
        base = identifier(text) or instead
        free = next(name for name in _candidates(base, suffix) if name not in self._taken)
        self._taken.add(free)
        return free


def _candidates(base: str, suffix: str) -> Iterator[str]:
    yield base
    yield f"{base}{suffix or '_'}" if suffix or base in _RESERVED else base
    yield from (f"{base}_{number}" for number in count(2))


def identifier(text: str) -> str:
    """A name as an identifier, letters of other alphabets kept; empty if nothing of it can stay."""
    normal = unicodedata.normalize("NFKC", text)
    letters = "".join(letter if f"x{letter}".isidentifier() else "_" for letter in normal)
    name = re.sub("_+", "_", unicodedata.normalize("NFKC", letters)).strip("_")[:_LONGEST].rstrip("_")
    if not name:
        return ""
    if not name.isidentifier() or name.startswith(_PROTECTED):
        name = f"n_{name}"
    return name if name.isidentifier() and unicodedata.normalize("NFKC", name) == name else ""


def class_identifier(text: str) -> str:
    """An identifier in the manner of classes: `unit_cost` becomes `UnitCost`."""
    return "".join(part[:1].upper() + part[1:] for part in text.split("_"))
