"""The beginning of a GGUF file, which is all that is looked at before a model is served."""

import struct

TEMPLATE = "tokenizer.chat_template"


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def string(key: str, value: str) -> bytes:
    return text(key) + struct.pack("<I", 8) + text(value)


def number(key: str, value: int) -> bytes:
    return text(key) + struct.pack("<II", 4, value)


def array(key: str, kind: int, items: list[bytes]) -> bytes:
    return text(key) + struct.pack("<IIQ", 9, kind, len(items)) + b"".join(items)


def gguf(*values: bytes, tail: bytes = b"weights") -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) + b"".join(values) + tail
