"""A proposal, its effect and a running solve in words: plain values, for a terminal and a notebook."""

import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from decision_ai.client.approval import Card, Preview, RowName
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSnapshot,
    VariableDiff,
)
from decision_ai.modeling.data import MISSING, DataDifference, differences, parse_json
from decision_ai.solving.findings import CheckResult
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress, indexed_name

NO_PREVIEW = "not known: the model was not solved within the time of a preview"
_MOST_NAMES = 5
_MOST_VALUES = 20
_MOST_GROUPED = 100_000
"""More values are not grouped: nobody waits that long for a card."""
_STEP = re.compile(r'\.?[^.\[\]"]+|\["(?:[^"\\]|\\.)*"\]|\[\d+\]')
_MOST_VALUE_CHARACTERS = 60
_WONDERING_SECONDS = 2.0

# What could move the cursor, change colours or reorder text: a label or a model's answer may hold it.
_HIDDEN = [*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {code: repr(chr(code))[1:-1] for code in _HIDDEN if chr(code) not in "\n\t"}


@dataclass(frozen=True)
class Fact:
    """One named thing to know about a proposal."""

    name: str
    texts: tuple[str, ...]
    """One sentence, or several to be read as a list."""
    caution: bool = True
    """Whether the person should look twice."""


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff."""

    mark: Literal["+", "-", " ", "…"]
    """Added, removed, kept, or lines left out here."""
    text: str


def visible(text: str) -> str:
    """Text whose control characters are spelled out, so that showing it does nothing but show it."""
    return text.replace("\r\n", "\n").translate(_ESCAPES)


def change_title(change: ModelChanges) -> str:
    """What a diff does to which part: `New constraint at_most_4`."""
    verb = "New" if change.removed is None else "Removed" if change.added is None else "Changed"
    match change:
        case ConstraintDiff():
            constraint = change.added or change.removed
            return f"{verb} constraint {constraint.constraint_id}" if constraint else "No change"
        case VariableDiff():
            family = change.added or change.removed
            return f"{verb} variable family {family.variable_id}" if family else "No change"
        case OptInputDataDiff():
            return f"{verb} input data"
        case OptInputDataSchemaDiff():
            return f"{verb} input-data classes"
        case _:
            return f"{verb} objective"


def change_notes(change: ModelChanges) -> tuple[str, str]:
    """Description and formula of the part, as the diff leaves it."""
    snapshot = change.added or change.removed
    if snapshot is None or isinstance(change, OptInputDataDiff | OptInputDataSchemaDiff):
        return "", ""
    return getattr(snapshot, "description", "").strip(), getattr(snapshot, "math_formulation", "").strip()


def change_diff(change: ModelChanges, units: Mapping[str, str] = MappingProxyType({})) -> list[DiffLine]:
    """The diff itself: lines of code, or the values that differ.

    Args:
        change: the diff.
        units: unit by path of values, where it is known.
    """
    if isinstance(change, OptInputDataDiff):
        return _value_lines(change, units)
    lines: list[DiffLine] = []
    compared = difflib.unified_diff(_code(change, "removed"), _code(change, "added"), n=3, lineterm="")
    for line in list(compared)[2:]:
        if line.startswith("@@"):
            if lines:
                lines.append(DiffLine("…", ""))
        else:
            lines.append(DiffLine(line[0], line[1:]))  # type: ignore[arg-type]
    return lines


def card_facts(card: Card) -> list[Fact]:
    """What a person should look at before they approve."""
    left_out = tuple(f"{part.kind} {part.id}: {part.reason}" for part in card.incompatible)
    facts = [
        Fact("not used", (", ".join(card.unused_words),) if card.unused_words else ()),
        Fact("warning" if len(card.warnings) == 1 else "warnings", card.warnings),
        Fact("left out", left_out),
        Fact("doubt", (card.doubt,) if card.doubt else ()),
    ]
    return [fact for fact in facts if fact.texts]


def check_facts(preview: Preview | None) -> list[Fact]:
    """How the plan with the change does on the checks the person keeps: broken ones first."""
    checks = () if preview is None else preview.checks
    broken = tuple(f"your check {_said(check)}" for check in checks if check.holds is False)
    unknown = tuple(_said(check) for check in checks if check.holds is None)
    kept = [repr(check.sentence or check.name) for check in checks if check.holds]
    shown = ", ".join(kept[:_MOST_NAMES]) + (", …" if len(kept) > _MOST_NAMES else "")
    facts = [
        Fact("breaks", broken),
        Fact("unknown", unknown, caution=False),
        Fact("keeps", (f"{len(kept)} of your checks: {shown}",) if kept else (), caution=False),
    ]
    return [fact for fact in facts if fact.texts]


def fact_text(fact: Fact) -> str:
    """The sentences of a fact as one text: a list where there are several."""
    return fact.texts[0] if len(fact.texts) == 1 else "\n".join(f"- {text}" for text in fact.texts)


def preview_sentence(preview: Preview | None) -> str:
    """The effect on the plan in one line: objective, outcome, rows that bind now or no longer, size."""
    if preview is None:
        return NO_PREVIEW
    before, after = preview.before, preview.after
    ending = "does not build in time" if after is None else _ending(after)
    parts = [f"objective {_figure(before)} → {_figure(after)} ({preview.sense}), {ending}"]
    if preview.newly_binding:
        parts.append(f"newly binding: {_names(preview.newly_binding)}")
    if preview.newly_idle:
        parts.append(f"newly idle: {_names(preview.newly_idle)}")
    parts.append(f"rows {preview.rows_added:+d}, columns {preview.columns_added:+d}")
    return "; ".join(parts)


def progress_line(progress: SolveProgress) -> str:
    """A running solve in one line."""
    parts = [f"solving {progress.seconds:.1f} s"]
    parts += [] if progress.objective is None else [f"best {progress.objective:.10g}"]
    parts += [] if progress.bound is None else [f"bound {progress.bound:.10g}"]
    parts += [] if progress.gap is None else [f"gap {progress.gap:.2%}"]
    return " · ".join(parts)


def thinking_line(seconds: float) -> str:
    """That the assistant thinks, and for how long once one wonders."""
    return _waiting_line("thinking", seconds)


def writing_line(seconds: float) -> str:
    """That the assistant writes, and for how long nothing came once one wonders."""
    return _waiting_line("writing", seconds)


def outcome_words(kind: OutcomeKind) -> str:
    """The outcome's word as prose: `limit with plan`."""
    return kind.value.replace("_", " ")


def row_name(name: RowName) -> str:
    """A row as it is called: `capacity`, `window[Ana, Mon]`."""
    return indexed_name(*name)


def _waiting_line(doing: str, seconds: float) -> str:
    return f"{doing} …" if seconds < _WONDERING_SECONDS else f"{doing} … {seconds:.0f} s, Ctrl-C stops"


def _ending(outcome: Outcome) -> str:
    words = outcome_words(outcome.kind)
    open_gap = outcome.kind in {OutcomeKind.LIMIT_WITH_PLAN, OutcomeKind.INTERRUPTED_WITH_PLAN}
    if open_gap and outcome.bound is not None:
        words += f", at best {outcome.bound:.10g}"
    return words if outcome.confirmed else f"{words} (not confirmed)"


def _figure(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unknown"
    return "no plan" if outcome.objective is None else f"{outcome.objective:.10g}"


def _names(names: tuple[RowName, ...]) -> str:
    shown = ", ".join(row_name(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _said(check: CheckResult) -> str:
    name = repr(check.sentence or check.name)
    return f"{name}: {check.message}" if check.message else name


def _value_lines(change: OptInputDataDiff, units: Mapping[str, str]) -> list[DiffLine]:
    before, after = _parsed(change.removed), _parsed(change.added)
    groups = _grouped(differences(before, after))
    lines = []
    for path, items in groups[:_MOST_VALUES]:
        item = items[0]
        unit = f" {units[item.path]}" if item.path in units else ""
        many = f" ({len(items):,} values)" if len(items) > 1 else ""
        if item.before is MISSING:
            lines.append(DiffLine("+", f"{path} = {_value(item.after)}{unit}{many}"))
        elif item.after is MISSING:
            lines.append(DiffLine("-", f"{path} = {_value(item.before)}{unit}{many}"))
        else:
            lines.append(DiffLine(" ", f"{path}: {_value(item.before)} → {_value(item.after)}{unit}{many}"))
    left_out = sum(len(items) for _, items in groups[_MOST_VALUES:])
    if left_out:
        lines.append(DiffLine("…", f"and {left_out:,} more values"))
    return lines


def _grouped(found: list[DataDifference]) -> list[tuple[str, list[DataDifference]]]:
    """The differences by path; among many, equal ones along one step are one: `items.*.fragile`."""
    if not _MOST_VALUES < len(found) <= _MOST_GROUPED:
        return [(item.path or "all", [item]) for item in found]
    patterns = [_patterns(item.path) for item in found]
    said = [(repr(item.before), repr(item.after)) for item in found]
    sizes = Counter((pattern, values) for n, values in enumerate(said) for pattern in patterns[n])
    groups: dict[Any, tuple[str, list[DataDifference]]] = {}
    for item, values, known in zip(found, said, patterns, strict=True):
        widest = max(known, key=lambda pattern: sizes[pattern, values], default="")
        is_group = bool(widest) and sizes[widest, values] > 1
        key = (widest, values) if is_group else item.path
        groups.setdefault(key, (widest if is_group else item.path, []))[1].append(item)
    return list(groups.values())


def _patterns(path: str) -> list[str]:
    """The path with each of its steps but the first replaced by `*`."""
    steps = _STEP.findall(path)
    return ["".join([*steps[:n], ".*", *steps[n + 1 :]]) for n in range(1, len(steps))]


def _parsed(snapshot: OptInputDataSnapshot | None) -> object:
    return {} if snapshot is None else parse_json(snapshot.json_data)


def _value(value: object) -> str:
    text = repr(value).removesuffix(".0") if isinstance(value, float) else repr(value)
    return text if len(text) <= _MOST_VALUE_CHARACTERS else f"{text[: _MOST_VALUE_CHARACTERS - 1]}…"


def _code(change: ModelChanges, side: Literal["removed", "added"]) -> list[str]:
    snapshot = getattr(change, side)
    if snapshot is None:
        return []
    if isinstance(change, OptInputDataSchemaDiff):
        return "\n\n".join(snapshot.input_data_classes).splitlines()
    return str(snapshot.code).strip("\n").splitlines()
