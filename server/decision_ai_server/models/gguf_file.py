"""What a GGUF file says about its chat template, read off its header without loading anything."""

import struct
from pathlib import Path
from typing import BinaryIO, NoReturn

from decision_ai.errors import DecisionAIError

_MAGIC = b"GGUF"
_SCALARS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; 8 is a string and 9 an array."""
_STRING, _ARRAY = 8, 9
_KEY = "tokenizer.chat_template"
_MOST_KEYS = 10_000
_LONGEST_TEXT = 2**24
_LONGEST_LIST = 2**24

_DOUBLED = r"{{\"name\": <function-name>, \"arguments\": <args-json-object>}}"
_SINGLE = r"{\"name\": <function-name>, \"arguments\": <args-json-object>}"
"""The Qwen2.5 files show their tool call with doubled braces, which the model then copies."""


def corrected_template(path: Path) -> str | None:
    """The chat template of a file with its known mistake corrected; None = the file's own is right.

    Raises:
        DecisionAIError: if the file is no GGUF.
    """
    template = chat_template(path)
    return template.replace(_DOUBLED, _SINGLE) if template and _DOUBLED in template else None


def chat_template(path: Path) -> str | None:
    """The chat template of a GGUF file; None if it has none.

    Raises:
        DecisionAIError: if the file is no GGUF.
    """
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                raise ValueError("it does not begin like one")
            _, _, keys = struct.unpack("<IQQ", _bytes(file, 20))
            return _value_of(file, _KEY, keys)
    except (OSError, ValueError, struct.error) as error:
        raise DecisionAIError(f"{str(path)!r} is not a GGUF file: {error}") from error


def _value_of(file: BinaryIO, wanted: str, keys: int) -> str | None:
    for _ in range(min(keys, _MOST_KEYS)):
        key = _text(file)
        kind = _number(file, "<I")
        if key == wanted and kind == _STRING:
            return _text(file)
        _skip(file, kind)
    return None


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _bytes(file, _length(file))
        return
    if kind != _ARRAY:
        _bytes(file, _SCALARS[kind] if kind in _SCALARS else _unknown(kind))
        return
    inner, count = _number(file, "<I"), _number(file, "<Q")
    if count > _LONGEST_LIST:
        raise ValueError(f"a list of {count} values in its header")
    if inner in _SCALARS:
        file.seek(_SCALARS[inner] * count, 1)
        return
    if inner != _STRING:
        _unknown(inner)
    for _ in range(count):
        _bytes(file, _length(file))


def _text(file: BinaryIO) -> str:
    return _bytes(file, _length(file)).decode()


def _length(file: BinaryIO) -> int:
    length = _number(file, "<Q")
    if length > _LONGEST_TEXT:
        raise ValueError(f"a text of {length} bytes in its header")
    return length


def _number(file: BinaryIO, form: str) -> int:
    (number,) = struct.unpack(form, _bytes(file, struct.calcsize(form)))
    return int(number)


def _bytes(file: BinaryIO, count: int) -> bytes:
    read = file.read(count)
    if len(read) != count:
        raise ValueError("it ends in the middle of its header")
    return read


def _unknown(kind: int) -> NoReturn:
    raise ValueError(f"a value of the unknown type {kind} in its header")
