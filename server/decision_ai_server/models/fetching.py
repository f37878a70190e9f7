"""Bring a language model into the user's cache: all of it, with the right checksum, or nothing."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from decision_ai.client.file_lock import try_lock
from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import Sidecar, place_of, write_sidecar
from decision_ai_server.models.catalogue import PINNED
from decision_ai_server.models.gguf_file import chat_template

CHUNK = 1 << 22
_SPARE = 64 * 2**20
"""Left free on the disk, in bytes."""


class NotTheModel(DecisionAIError):
    """What came is another file than the one asked for."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where a model is to go, and what it must be.

    Attributes:
        folder: of the fetched models.
        name: what it will be called.
        sha256: the checksum it must have; None = any, and it is recorded.
    """

    folder: Path
    name: str
    sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class Source:
    """A model on its way.

    Attributes:
        chunks: its bytes.
        origin: where it comes from, without secrets.
        size: in bytes, where that is known before.
    """

    chunks: Iterator[bytes]
    origin: str
    size: int | None = None


def keep(target: Target, source: Source) -> Path:
    """Write a model into the cache and say beside it what it is.

    Raises:
        NotTheModel: if it is not what it must be.
        DecisionAIError: if it is no GGUF or there is no room; nothing is left of it in either case.
    """
    place = place_of(target.folder, target.name)
    if source.size is not None:
        need_room(target.folder, source.size)
    beside = target.folder / f".{target.name}.new"
    try:
        found, size = _written(beside, source.chunks)
        _compare(target, source, found, size)
        licence = licence_of(target.name)
        sidecar = Sidecar(sha256=found, source=source.origin, size=size, licence=licence)
        return accept(beside, place, sidecar)
    except OSError as error:
        raise DecisionAIError(f"the model cannot be copied to {str(target.folder)!r}: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


def accept(file: Path, place: Path, sidecar: Sidecar) -> Path:
    """Move a checked file of the cache to its place.

    Raises:
        DecisionAIError: if it is no GGUF.
    """
    chat_template(file)
    checked = sidecar.model_copy(update={"checked_mtime_ns": file.stat().st_mtime_ns})
    file.replace(place)
    write_sidecar(place, checked)
    return place


def refuse_another(target: Target, found: str) -> None:
    """Compare a checksum with what is asked for, and with what is pinned for the name.

    Raises:
        NotTheModel: if it is another one.
    """
    pinned = PINNED[target.name].sha256 if target.name in PINNED else None
    for wanted in (target.sha256, pinned):
        if wanted not in {None, found}:
            raise NotTheModel(
                f"this is not the model {target.name!r}: its sha256 is {found} and must be {wanted}; nothing "
                "was kept"
            )


def licence_of(name: str) -> str:
    """The licence of a model, as far as it is known."""
    return PINNED[name].licence if name in PINNED else "not stated"


def need_room(folder: Path, size: int) -> None:
    """Look for free space first.

    Raises:
        DecisionAIError: if there is too little of it.
    """
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE:
        raise DecisionAIError(
            f"{str(folder)!r} has {megabytes(free)} free and this needs {megabytes(size + _SPARE)}; make "
            "room, or set DECISION_AI_CACHE_DIR to a folder on another disk"
        )


def megabytes(size: int) -> str:
    """A size as people read it."""
    return f"{size / 1e6:,.0f} MB"


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder of the models, made if it is not there, while something is fetched into it.

    Raises:
        DecisionAIError: if another process fetches, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DecisionAIError(
            f"the folder {str(folder)!r} cannot be used: {error.strerror}; set "
            "DECISION_AI_CACHE_DIR to another one"
        ) from error
    try:
        if not try_lock(lock, "exclusive"):
            raise DecisionAIError("another process is fetching a model; wait until it is done")
        yield
    finally:
        os.close(lock)


def _written(place: Path, chunks: Iterator[bytes]) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with place.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return digest.hexdigest(), size


def _compare(target: Target, source: Source, found: str, size: int) -> None:
    if source.size is not None and size != source.size:
        raise NotTheModel(f"the model has {size} bytes instead of {source.size}; nothing was kept")
    refuse_another(target, found)
