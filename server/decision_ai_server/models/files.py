"""A model that is a file already: copied into the cache, or linked."""

from collections.abc import Iterator
from pathlib import Path

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import Sidecar, file_sha256, place_of
from decision_ai_server.models.fetching import CHUNK, Source, Target, accept, keep, licence_of, refuse_another


def copy_in(target: Target, path: Path) -> Path:
    """Copy a GGUF file into the cache.

    Raises:
        DecisionAIError: if it cannot be read, or is not what it must be.
    """
    return keep(target, Source(chunks=_chunks(path), origin=str(path.resolve()), size=_size(path)))


def link_in(target: Target, path: Path) -> Path:
    """Link a GGUF file into the cache, which then depends on it.

    Raises:
        DecisionAIError: if it cannot be read, or is not what it must be.
    """
    size, found = _size(path), file_sha256(path)
    refuse_another(target, found)
    link = target.folder / f".{target.name}.new"
    link.unlink(missing_ok=True)
    link.symlink_to(path.resolve())
    try:
        licence = licence_of(target.name)
        sidecar = Sidecar(sha256=found, source=str(path.resolve()), size=size, licence=licence)
        return accept(link, place_of(target.folder, target.name), sidecar)
    finally:
        link.unlink(missing_ok=True)


def _size(path: Path) -> int:
    if not path.is_file():
        raise DecisionAIError(f"there is no file {str(path)!r}")
    return path.stat().st_size


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
