"""Frames between a runner and its child: four bytes of length, one byte of kind, then JSON."""

import os
import struct
from dataclasses import dataclass
from enum import IntEnum

_HEAD = struct.Struct(">IB")
HEAD_SIZE = _HEAD.size


class Kind(IntEnum):
    """What a frame says; the first two go down to the child, the others come up."""

    JOB = 1
    STOP = 2
    REFUSED = 3
    BUILT = 4
    PROGRESS = 5
    SOLVED = 6
    TEXT = 7
    FINDINGS = 8


MOST_BYTES = {
    Kind.REFUSED: 2**20,
    Kind.BUILT: 64 * 2**20,
    Kind.PROGRESS: 4096,
    Kind.TEXT: 32 * 2**20,
    Kind.FINDINGS: 32 * 2**20,
}
"""Largest body a child may send; that of SOLVED follows from what was built, and FINDINGS may be larger."""
MOST_EXPORTED_BYTES = 256 * 2**20
_NUMBER_BYTES = 32
_MEMBER_BYTES = 200


def most_solved_bytes(columns: int, rows: int) -> int:
    """Largest body of SOLVED: a number per column, four per row, and the outcome."""
    return MOST_BYTES[Kind.REFUSED] + _NUMBER_BYTES * (columns + 4 * rows)


def most_priced_bytes(columns: int, rows: int, label_bytes: int) -> int:
    """Largest body of FINDINGS about a plan: its numbers, and every member once, broken or missing.

    Args:
        columns: of the model.
        rows: of the model.
        label_bytes: what the names of members need: the size of the description and of the plan in the job.
    """
    fixed = MOST_BYTES[Kind.FINDINGS] + most_solved_bytes(columns, rows)
    return fixed + _MEMBER_BYTES * columns + 2 * label_bytes


@dataclass(frozen=True)
class Frame:
    """One frame."""

    kind: Kind
    body: bytes


def head(kind: Kind, body: bytes) -> bytes:
    """The head of a frame."""
    return _HEAD.pack(len(body), kind)


def read_head(data: bytes) -> tuple[int, int]:
    """Length and kind; the kind is not checked."""
    size, kind = _HEAD.unpack(data)
    return size, kind


def write(fd: int, kind: Kind, body: bytes) -> None:
    """Write one frame to a blocking descriptor."""
    for part in (head(kind, body), body):
        view = memoryview(part)
        while view:
            view = view[os.write(fd, view) :]


def read(fd: int) -> Frame | None:
    """Read one frame from a blocking descriptor; None at its end."""
    start = _exactly(fd, HEAD_SIZE)
    if start is None:
        return None
    size, kind = read_head(start)
    body = _exactly(fd, size)
    return None if body is None else Frame(Kind(kind), body)


def _exactly(fd: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(fd, min(size - len(parts), 2**20))
        if not part:
            return None
        parts += part
    return bytes(parts)
