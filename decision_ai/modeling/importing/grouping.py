"""Groups names into families: `x[1,2]`, `x(1_2)`, `x_A_B`, `x12` and their kin become x by index.

A name that fits no pattern is a family by itself. Nothing is ever merged: where two names would get one
index, the whole names become the labels.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from decision_ai.solving.outcome import Label

Index: TypeAlias = tuple[str | int, ...]
Known: TypeAlias = Mapping[str, tuple[str, tuple[Label, ...]]]

_PYOMO_ROW = re.compile(r"([cr]_[elu])_(.+)_")
_BRACKETS = re.compile(r"([^\[\]()]+)\[(.+)\]")
_PARENTHESES = re.compile(r"([^\[\]()]+)\((.+)\)")
_DIGITS = re.compile(r"(.*[^\W\d_]|.*\W)_*(\d+(?:[_,]\d+)*)_?")
_WORDS = re.compile(r"([^\W\d_][^\W_]*)((?:_[^\W_]+)+)")
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_LEAST_PAIRS = 3
_MOST_SINGLES = 60
"""More names without a pattern than this become one family, labelled by their names."""


@dataclass(frozen=True)
class Group:
    """One family of columns or rows."""

    name: str
    """As it was written; any text, and not unique."""
    members: tuple[tuple[int, Index], ...]
    """(number of the column or row, its index), in order; labels of one position are all text or all int."""

    @property
    def depth(self) -> int:
        """Number of labels of an index; 0 for a family that is one column or row."""
        return len(self.members[0][1])

    @property
    def whole(self) -> tuple[bool, ...]:
        """By position, whether the labels are whole numbers."""
        return tuple(isinstance(label, int) for label in self.members[0][1])


@dataclass(frozen=True)
class _Parsed:
    """A name taken apart."""

    style: str
    family: str
    parts: tuple[Label, ...]
    least: int = 1
    """How many names of one family it takes to believe the pattern."""
    joined: bool = False
    """Whether the parts were one text with underscores, so that an underscore may belong to a label."""
    typed: bool = False
    """Whether the labels have the types they had at their origin."""


def group_names(
    names: Sequence[str],
    *,
    known: Known | None = None,
    kinds: Sequence[str] | None = None,
    rows: bool = False,
    most: int = 150,
) -> list[Group]:
    """The families of names, in the order of their first members.

    Args:
        names: all column names or all row names; unique.
        known: family and index of the names whose origin says it.
        kinds: by name, what no family mixes; appended to the family's name where it has several.
        rows: whether they are names of rows, which Pyomo writes in its own way.
        most: how many families may stand alone; the members of smaller ones become one family.
    """
    found: dict[tuple[str, str, str, int], list[tuple[int, _Parsed]]] = defaultdict(list)
    of_family: dict[tuple[str, str], set[str]] = defaultdict(set)
    for number, name in enumerate(names):
        parsed = _parse(name, known or {}, rows=rows)
        kind = kinds[number] if kinds else ""
        of_family[parsed.style, parsed.family].add(kind)
        # Underscores may be part of labels, so their number decides nothing.
        depth = 0 if parsed.joined else len(parsed.parts)
        found[parsed.style, parsed.family, kind, depth].append((number, parsed))
    groups: list[Group] = []
    for (style, family, kind, _), members in found.items():
        title = f"{family}_{kind}" if kind and len(of_family[style, family]) > 1 else family
        if len(members) < members[0][1].least:
            groups += [Group(names[number], ((number, ()),)) for number, _ in members]
        else:
            groups.append(_grouped(title, members, names))
    crowd = _crowd(groups, most)
    groups = [group for group in groups if group not in crowd]
    groups += _together(crowd, names, "row" if rows else "column", kinds)
    return sorted(groups, key=lambda group: group.members[0][0])


def _parse(name: str, known: Known, *, rows: bool) -> _Parsed:
    if name in known:
        family, index = known[name]
        return _Parsed("known", family, tuple(index), typed=True)
    pyomo = _PYOMO_ROW.fullmatch(name) if rows else None
    if pyomo:
        inner = _bracketed(pyomo[2])
        # c_e_, c_l_ and c_u_ tell the sense of a row; r_l_ and r_u_ are the two halves of a range.
        style = "pyomo" if pyomo[1].startswith("c") else pyomo[1]
        return _restyled(inner, style) if inner else _Parsed(style, pyomo[2], ())
    return _bracketed(name) or _trailing(name) or _Parsed("single", name, (), least=2)


def _restyled(parsed: _Parsed, style: str) -> _Parsed:
    """The same parts under the style of the row name around them."""
    return _Parsed(f"{style} {parsed.style}", parsed.family, parsed.parts, joined=parsed.joined)


def _bracketed(name: str) -> _Parsed | None:
    square, round_ = _BRACKETS.fullmatch(name), _PARENTHESES.fullmatch(name)
    if square:
        return _Parsed("[]", square[1].rstrip("_"), _labels(square[2].replace("][", ",")))
    if round_ is None or not round_[1].strip("_"):
        return None
    family, inside = round_[1].rstrip("_"), round_[2].replace(")(", ",")
    if "," in inside:
        return _Parsed("()", family, _labels(inside))
    return _Parsed("()", family, tuple(inside.split("_")), joined=True)


def _labels(inside: str) -> tuple[str, ...]:
    """`1,_2` and `'a', 'b'`: PuLP writes blanks as underscores."""
    return tuple(part.strip(" _").strip("'\"") for part in inside.rstrip(",_ ").split(","))


def _trailing(name: str) -> _Parsed | None:
    words = _WORDS.fullmatch(name)
    if words:
        parts = tuple(words[2][1:].split("_"))
        numeric = all(part.isdecimal() for part in parts)
        if numeric:
            return _Parsed("_", words[1], parts, least=2)
        return _Parsed("words", words[1], parts, least=3, joined=True)
    digits = _DIGITS.fullmatch(name)
    if digits:
        return _Parsed("digits", digits[1], tuple(re.split("[_,]", digits[2])), least=2)
    return None


def _grouped(title: str, members: list[tuple[int, _Parsed]], names: Sequence[str]) -> Group:
    first = members[0][1]
    indices = [parsed.parts for _, parsed in members]
    if first.joined:
        title, indices = _split_joined(title, indices, lead=first.style == "words")
    typed = _typed(indices, keep=first.typed)
    nameless = not first.typed and any(label == "" for index in typed for label in index)
    if nameless or len(set(typed)) < len(typed):
        typed = [(names[number],) for number, _ in members]
    indexed = zip(members, typed, strict=True)
    return Group(title, tuple((number, index) for (number, _), index in indexed))


def _split_joined(
    title: str, indices: list[tuple[Label, ...]], *, lead: bool
) -> tuple[str, list[tuple[Label, ...]]]:
    """Decide which underscores separate labels.

    All do if every name has as many. A part that never changes is no label of its own: it belongs to its
    neighbour, or to the family (`supply_limit_A`). Nor is one that always goes with its neighbour, as in
    `New_York`.
    """
    uniform = len({len(index) for index in indices}) == 1
    constant = [len(set(labels)) == 1 for labels in zip(*indices, strict=False)]
    if not uniform or all(constant):
        return title, [("_".join(map(str, index)),) for index in indices]
    if lead:
        fixed = constant.index(False)
        title = "_".join([title, *map(str, indices[0][:fixed])])
        indices, constant = [index[fixed:] for index in indices], constant[fixed:]
    columns = list(zip(*indices, strict=True))
    paired = [_one_to_one(left, right) for left, right in pairwise(columns)]
    glued = [one or other for one, other in zip(constant, [*paired, False], strict=True)]
    return title, [_merged(index, glued) for index in indices]


def _one_to_one(left: Sequence[Label], right: Sequence[Label]) -> bool:
    """Whether two parts are two words of one label; numbers that go together may be pairs, such as arcs."""
    if all(str(label).isdecimal() for label in (*left, *right)):
        return False
    pairs = len(set(zip(left, right, strict=True)))
    return pairs >= _LEAST_PAIRS and len(set(left)) == len(set(right)) == pairs


def _merged(index: tuple[Label, ...], glued: list[bool]) -> tuple[Label, ...]:
    labels: list[str] = []
    waiting = ""
    for part, is_glued in zip(index, glued, strict=True):
        if is_glued:
            waiting += f"{part}_"
        else:
            labels.append(f"{waiting}{part}")
            waiting = ""
    if waiting:
        labels[-1] += f"_{waiting[:-1]}"
    return tuple(labels)


def _typed(indices: Iterable[tuple[Label, ...]], *, keep: bool) -> list[Index]:
    """Labels of one position become whole numbers if all of them are."""
    rows = list(indices)
    whole = [all(_is_whole(label, keep=keep) for label in column) for column in zip(*rows, strict=True)]
    return [
        tuple(int(label) if is_whole else str(label) for label, is_whole in zip(index, whole, strict=True))
        for index in rows
    ]


def _is_whole(label: Label, *, keep: bool) -> bool:
    if keep:
        return isinstance(label, int)
    return _WHOLE_NUMBER.fullmatch(str(label)) is not None


def _crowd(groups: list[Group], most: int) -> set[Group]:
    """The groups that are too many for a declaration each: single names, and the smallest families."""
    singles = {group for group in groups if group.depth == 0}
    families = sorted(
        (group for group in groups if group.depth), key=lambda group: len(group.members), reverse=True
    )
    return (singles if len(singles) > min(_MOST_SINGLES, most) else set()) | set(families[most:])


def _together(
    crowd: set[Group], names: Sequence[str], title: str, kinds: Sequence[str] | None
) -> Iterator[Group]:
    """All names of a crowd as one family of each kind, labelled by the names."""
    by_kind: dict[str, list[int]] = defaultdict(list)
    for number in sorted(number for group in crowd for number, _ in group.members):
        by_kind[kinds[number] if kinds else ""].append(number)
    for kind, members in by_kind.items():
        yield Group(
            f"{title}_{kind}" if kind else title, tuple((number, (names[number],)) for number in members)
        )
