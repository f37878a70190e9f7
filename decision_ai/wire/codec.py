"""One text frame <-> one envelope, the same on both sides.

Valid frames take the fast path: one discriminated union, `validate_json` on the text. Everything else takes
the slow one, which exists to say in one sentence which field is wrong.
"""

import json
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.live import LiveContainer
from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.errors import LimitExceeded, ProtocolError
from decision_ai.wire import limits

Envelope = MessageContainer | LiveContainer

_STORED = TypeAdapter(MessageContainer)
_LIVE = TypeAdapter(LiveContainer)

_Place: TypeAlias = "tuple[_Place, str | int] | None"
"""Where a value is: the place of what holds it, and its key or position there."""
_NOT_THE_WHOLE_TRUTH = ("json_invalid", "string_unicode")
"""What pydantic calls a frame with a lone surrogate, or with more nesting than it can read."""
_BRANCHES = ("str", FormulationErrorReport.__name__)
"""How pydantic calls the branches of the one union without a `kind`; they are no fields."""


def encode(envelope: Envelope) -> str:
    """One envelope as the text of one frame; `decode` reads whatever this writes.

    Raises:
        ProtocolError: if a text in it is not valid Unicode; names the field.
        LimitExceeded: the name and number of the limit that is passed.
    """
    try:
        frame = envelope.model_dump_json()
    except PydanticSerializationError as error:
        _walk(envelope.model_dump())
        raise ProtocolError(f"the message cannot be written as JSON: {error}") from error
    limits.check_size("frame", frame, limits.FRAME_BYTES)
    _check_inside(frame, envelope)
    return frame


def decode(frame: str | bytes, *, live: bool = False) -> Envelope:
    """Read one text frame.

    Args:
        frame: the frame as it came; bytes are a binary frame and refused.
        live: whether the connection may say the kinds of `decision-ai.v1.live`.

    Returns:
        The envelope, its kind known and its limits kept.

    Raises:
        ProtocolError: one sentence that names the field that is wrong.
        LimitExceeded: the name and number of the limit that is passed.
    """
    if isinstance(frame, bytes):
        raise ProtocolError("the frame is binary; send one JSON object as a text frame")
    limits.check_size("frame", frame, limits.FRAME_BYTES)
    envelope = _parse(frame, live=live)
    _check_inside(frame, envelope)
    return envelope


def _check_inside(frame: str, envelope: Envelope) -> None:
    if _may_hide_something(frame):
        _walk(json.loads(frame))
    if isinstance(envelope, MessageContainer):
        limits.check_message(envelope.message)


def _may_hide_something(frame: str) -> bool:
    """Whether a valid frame could hold what `_walk` refuses; most do not pay for the walk."""
    return "\\u0000" in frame or frame.count("{") + frame.count("[") > limits.NESTING


def _parse(frame: str, *, live: bool) -> Envelope:
    try:
        return _STORED.validate_json(frame)
    except ValidationError as error:
        stored_kinds = _known_kinds(error)
        if not (live and stored_kinds):
            raise _explained(frame, error) from error
    try:
        return _LIVE.validate_json(frame)
    except ValidationError as error:
        raise _explained(frame, error, f"{stored_kinds}, ") from error


def _known_kinds(error: ValidationError) -> str:
    """The kinds that were possible, if the kind of the message itself is the unknown one; else nothing."""
    for problem in error.errors(include_url=False):
        if problem["type"] == "union_tag_invalid" and problem["loc"] == ("message",):
            return str(problem["ctx"]["expected_tags"])
    return ""


def _explained(frame: str, error: ValidationError, more_kinds: str = "") -> ProtocolError | LimitExceeded:
    """The one sentence for a frame that pydantic refused."""
    try:
        value = json.loads(frame)
    except json.JSONDecodeError as broken:
        return ProtocolError(f"the frame is not JSON: {broken}")
    except RecursionError:
        return LimitExceeded("nesting", limits.NESTING, limits.NESTING + 1)
    except ValueError:
        return ProtocolError("the frame has a whole number of thousands of digits; send it as text")
    problem = _most_telling(error)
    if problem["type"] in _NOT_THE_WHOLE_TRUTH or _may_hide_something(frame):
        try:
            _walk(value)
        except (ProtocolError, LimitExceeded) as hidden:
            return hidden
    where = _field(value, problem["loc"])
    if problem["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        return ProtocolError(_kind_sentence(where, problem, more_kinds))
    return ProtocolError(f"{where}: {str(problem['msg']).removeprefix('Value error, ')}")


def _most_telling(error: ValidationError) -> Any:
    """The first problem, except that an object where text was possible too is told as a wrong object."""
    first, *others = error.errors(include_url=False)
    if first["loc"][-1:] == ("str",) and isinstance(first["input"], dict):
        return others[0]
    return first


def _kind_sentence(where: str, problem: Any, more_kinds: str) -> str:
    if problem["type"] == "union_tag_not_found":
        return f"{where}.kind: missing; every message names its kind"
    kind, known = problem["ctx"]["tag"][:40], problem["ctx"]["expected_tags"]
    return f"{where}.kind: unknown kind {kind!r}; known are {more_kinds}{known}"


def _field(value: Any, location: tuple[int | str, ...]) -> str:
    """The path of a field, without the union tags that pydantic mixes into it."""
    path: list[str] = []
    tagged = False
    for part in location:
        if part in _BRANCHES:
            continue
        if not tagged and isinstance(value, dict) and value.get("kind") == part:
            tagged = True  # the name of the union's member, not a field
            continue
        tagged = False
        path.append(str(part))
        children = dict(enumerate(value)) if isinstance(value, list) else value
        value = children.get(part) if isinstance(children, dict) else None
    return ".".join(path) or "the frame"


def _walk(value: Any) -> None:
    """Refuse what JSON allows and we do not: deep nesting, NUL characters, lone surrogates."""
    depth = limits.nesting(value)
    if depth > limits.NESTING:
        raise LimitExceeded("nesting", limits.NESTING, depth)
    # Places are linked to their parents and written out only for the one that is refused: a long key above
    # a million values would cost a million long paths.
    queue: list[tuple[_Place, Any]] = [(None, value)]
    while queue:
        place, item = queue.pop()
        if isinstance(item, dict):
            queue += [((place, key), child) for key, child in item.items()]
            queue += [((place, "a key"), key) for key in item]
        elif isinstance(item, list):
            queue += [((place, position), child) for position, child in enumerate(item)]
        elif isinstance(item, str):
            _check_text(place, item)


def _check_text(place: _Place, text: str) -> None:
    if "\x00" in text:
        raise ProtocolError(f"{_written(place)}: has a NUL character; remove it")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ProtocolError(f"{_written(place)}: has a lone surrogate; send valid Unicode") from None


def _written(place: _Place) -> str:
    parts: list[str] = []
    while place is not None:
        place, part = place
        parts.append(str(part)[:40])
    return ".".join(reversed(parts)) or "the frame"
