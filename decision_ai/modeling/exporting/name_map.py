"""Names that every solver takes, and the way back from them to the user's names.

An LP or MPS file carries its map twice: in comment lines, which survive when the file is mailed alone, and
in a sidecar, which survives tools that drop comments.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from decision_ai.errors import DataError
from decision_ai.modeling.data import parse_json
from decision_ai.solving.outcome import Label, indexed_name

Name: TypeAlias = tuple[str, tuple[Label, ...]]
"""Family and index of a column, or constraint and index of a row; a scalar has no index."""
Format: TypeAlias = Literal["lp", "mps"]

LONGEST_NAME = 255
SIDECAR_SUFFIX = ".names.json"
"""The sidecar of `model.lp` is `model.lp.names.json`."""

_LEADS: dict[Format, str] = {"lp": "\\", "mps": "*"}
_CHUNK = 200  # readers exist that choke on lines of 256 characters, comments included
_COMMENT = re.compile(r"[\\*] ?decision-ai names (\d{1,9})/(\d{1,9}): ?(\S*)\s*")
_UNSAFE = re.compile(r"[^A-Za-z0-9_]")
# A digit or an exponent at the start reads as a number: `3 e4` is 30000.
_LIKE_A_NUMBER = re.compile(r"[0-9]|[eE]([0-9eE]|$)")
# Keywords of LP files, of any solver's dialect, and of MPS files.
_KEYWORDS = """
max min maximize minimize maximise minimise maximum minimum subject such that st s_t bound bounds
free inf infinity nan int integer integers gen general generals bin binary binaries
semi semi_continuous semis sin sec sos sos1 sos2 s1 s2 lazy user cuts constraints pwlobj end obj
rhs rng ranges bnd marker rows columns endata objsense name and or not abs norm
"""
_TAKEN_WORDS = frozenset(re.findall(r"\w+", _KEYWORDS))


@dataclass(frozen=True)
class NameMap:
    """Safe name → the user's name, in the order of the model."""

    columns: dict[str, Name] = field(default_factory=dict)
    rows: dict[str, Name] = field(default_factory=dict)
    objective: str | None = None
    """Id of the objective; None for a model without one."""

    def shown(self) -> dict[str, str]:
        """Safe name → name as people read it, such as `pack_Tent` → `pack[Tent]`."""
        return {safe: shown(name) for part in (self.columns, self.rows) for safe, name in part.items()}


def shown(name: Name) -> str:
    """A name as people read it: `pack[Tent]`, `window[Ana, Mon]`, `total`."""
    return indexed_name(*name)


def safe_names(names: Iterable[Name], taken: set[str]) -> Iterator[str]:
    """A name of letters, digits and underscores for each name; no two are the same.

    Args:
        names: what to name, in the order of the model.
        taken: safe names that are in use; the new ones are added.
    """
    counts: Counter[str] = Counter()
    for base, index in names:
        plain = _plain("_".join([base, *map(str, index)]))
        safe = plain
        while safe in taken:
            counts[plain] += 1
            suffix = f"_{counts[plain] + 1}"
            safe = plain[: LONGEST_NAME - len(suffix)] + suffix
        taken.add(safe)
        yield safe


def comment_lines(names: NameMap, format: Format) -> list[str]:
    r"""The map as comment lines of a format, `\ decision-ai names 1/3: ...`, each of bounded length."""
    # No blank inside, so that nobody who trims lines can spoil it.
    text = json.dumps(_as_json(names), separators=(",", ":"), allow_nan=False).replace(" ", "\\u0020")
    chunks = [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)]
    lead, count = _LEADS[format], len(chunks)
    return [f"{lead} decision-ai names {n}/{count}: {chunk}" for n, chunk in enumerate(chunks, start=1)]


def names_in_comments(lines: Iterable[str]) -> NameMap | None:
    """The map that the comment lines of a file hold; None if they hold none.

    Args:
        lines: all lines of an LP or MPS file.

    Raises:
        DataError: if a part of the map is missing or spoilt.
    """
    found = [match for line in lines if (match := _COMMENT.fullmatch(line))]
    if not found:
        return None
    count = int(found[0][2])
    if [(int(match[1]), int(match[2])) for match in found] != [(n + 1, count) for n in range(len(found))] or (
        len(found) != count
    ):
        raise _spoilt(f"it should have {count} lines, in order, and {len(found)} are there")
    return names_in_sidecar("".join(match[3] for match in found))


def sidecar_text(names: NameMap) -> str:
    """The map as the text of a sidecar file."""
    return json.dumps(_as_json(names), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def names_in_sidecar(text: str) -> NameMap:
    """The map that a sidecar holds.

    Raises:
        DataError: if the text is no such map.
    """
    try:
        read = parse_json(text)
    except DataError as error:
        raise _spoilt(str(error)) from None
    if not isinstance(read, dict):
        raise _spoilt("it is no JSON object")
    objective = read.get("objective")
    if not isinstance(objective, str | None):
        raise _spoilt(f"the objective {objective!r:.40} is no name")
    return NameMap(
        columns=_part(read.get("columns", {})), rows=_part(read.get("rows", {})), objective=objective
    )


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text)
    unaccented = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = _UNSAFE.sub("_", unaccented)[: LONGEST_NAME - 2]
    if not plain or plain.lower() in _TAKEN_WORDS or _LIKE_A_NUMBER.match(plain):
        return f"n_{plain}"
    return plain


def _as_json(names: NameMap) -> dict[str, Any]:
    return {"columns": names.columns, "rows": names.rows, "objective": names.objective}


def _part(read: Any) -> dict[str, Name]:
    if not isinstance(read, dict):
        raise _spoilt("`columns` and `rows` must be objects")
    return {safe: _name(safe, entry) for safe, entry in read.items()}


def _name(safe: str, entry: Any) -> Name:
    match entry:
        case [str(base), [*index]] if all(type(label) in (str, int, float) for label in index):
            return base, tuple(index)
    raise _spoilt(f"{safe!r:.40} must stand for [name, [labels ...]], not {entry!r:.60}")


def _spoilt(reason: str) -> DataError:
    return DataError(
        f"the map of names is spoilt: {reason}; export the model again, or take the map out to read the "
        "file with its safe names"
    )
