"""Input data as JSON text: read strictly, written one way, named by content, and compared."""

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from decision_ai.errors import DataError
from decision_ai.solving.parameters import SolveParameters

MAX_NESTING = 64


class Missing(Enum):
    """The value of a place that one side does not have."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing.MISSING


@dataclass(frozen=True)
class DataDifference:
    """One value that differs."""

    path: str
    """Such as `items.Tent.weight` or `months[2]`; empty for the whole."""
    before: Any
    """`MISSING` where it was added."""
    after: Any
    """`MISSING` where it was removed."""


def canonical_json(data: Any) -> str:
    """Compact JSON text; the order of keys is kept, because models read it.

    Raises:
        DataError: if the data have no JSON form.
    """
    try:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"the data have no JSON form: {error}") from None
    return text


def data_id(json_text: str) -> str:
    """The id of data: the same for the same content, however it is laid out.

    Raises:
        DataError: if the text is not JSON.
    """
    digest = hashlib.sha256(canonical_json(parse_json(json_text)).encode()).hexdigest()
    return f"data-{digest[:16]}"


def program_hash(source: str, data_id: str, parameters: SolveParameters | None) -> str:
    """What an approval names: one hash of the program, the data and the parameters that will run."""
    said = None if parameters is None else parameters.model_dump(mode="json")
    return hashlib.sha256(canonical_json([source, data_id, said]).encode()).hexdigest()


def parse_json(text: str) -> Any:
    """Read JSON text.

    Raises:
        DataError: for bad JSON, a key that occurs twice, NaN and infinities, lone surrogates, or nesting
            deeper than 64.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise DataError(f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # an integer of thousands of digits
        raise DataError("a whole number has too many digits") from None
    _check_nesting(data)
    if "\\u" in text or not text.isascii():
        canonical_json(data)  # refuses lone surrogates
    return data


def differences(before: Any, after: Any) -> list[DataDifference]:
    """The values that differ, in the order of the data; 30 and 30.0 are the same value."""
    return list(_differences("", before, after))


def joined(path: str, key: str) -> str:
    """The path of a key inside a place; keys that would not read well are quoted."""
    plain = key and not set(key) & set('.[]"')
    step = key if plain else f"[{json.dumps(key, ensure_ascii=False)}]"
    return f"{path}.{step}" if path and plain else path + step


def _differences(path: str, before: Any, after: Any) -> Iterator[DataDifference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            inner = joined(path, key)
            yield from _differences(inner, before.get(key, MISSING), after.get(key, MISSING))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_differences(path, before, after)
    elif not _same(before, after):
        yield DataDifference(path, before, after)


def _list_differences(path: str, before: list[Any], after: list[Any]) -> Iterator[DataDifference]:
    """Differences between what both lists start with and what both end with."""
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if not _same(before[n], after[n])), shorter)
    left = shorter - head
    tail = next((n for n in range(left) if not _same(before[-1 - n], after[-1 - n])), left)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    for n in range(max(len(old), len(new))):
        was, is_now = (side[n] if n < len(side) else MISSING for side in (old, new))
        yield from _differences(f"{path}[{head + n}]", was, is_now)


def _same(before: Any, after: Any) -> bool:
    """Equality that tells true from 1, also inside."""
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(_same(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_same, before, after))
    return bool(before == after) and isinstance(before, bool) == isinstance(after, bool)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise DataError(f"the key {twice!r} occurs twice in one object; rename or delete one")
    return found


def _refuse_constant(name: str) -> Any:
    raise DataError(f"{name} is not a number data may hold; write a finite number or leave it out")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise DataError(f"the number {text:.40} is too large")
    return value


def _check_nesting(data: Any) -> None:
    level = [data]
    for _ in range(MAX_NESTING + 1):
        level = [item for item in level if isinstance(item, dict | list)]
        if not level:
            return
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    raise _too_deep()


def _too_deep() -> DataError:
    return DataError(f"the data are nested deeper than {MAX_NESTING} levels")
