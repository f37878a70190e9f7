"""The folder of the fetched models: `NAME.gguf` and, beside it, what it must be: `NAME.gguf.json`."""

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.catalogue import PINNED

_CHUNK = 1 << 22
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SHA256 = re.compile(r"[0-9a-f]{64}")


class Sidecar(BaseModel):
    """What is known about a model file."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    sha256: str
    source: str
    """Where it came from: packages, an address or a path."""
    size: int
    """In bytes."""
    licence: str
    checked_mtime_ns: int | None = None
    """When the file was last written, as of the last check of its checksum; None = not checked yet."""


@dataclass(frozen=True)
class CheckedModel:
    """A file whose checksum was compared, or computed where none was known."""

    name: str
    path: Path
    sha256: str


def place_of(folder: Path, name: str) -> Path:
    """Where the model of a name lies.

    Raises:
        DecisionAIError: if the name cannot be one.
    """
    if not _NAME.fullmatch(name):
        raise DecisionAIError(
            f"{name!r} cannot be the name of a model: use up to 100 letters, digits, dots, hyphens and "
            "underscores"
        )
    return folder / f"{name}.gguf"


def sidecar_of(path: Path) -> Path:
    """The file beside a model that says what it must be."""
    return path.with_name(f"{path.name}.json")


def read_sidecar(path: Path) -> Sidecar | None:
    """What is known about a model file; None if nothing is.

    Raises:
        DecisionAIError: if its sidecar cannot be read.
    """
    place = sidecar_of(path)
    try:
        return Sidecar.model_validate_json(place.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise DecisionAIError(f"{str(place)!r} cannot be read; fetch the model again") from error


def write_sidecar(path: Path, sidecar: Sidecar) -> None:
    """Say what a model file must be; all of it or nothing is written."""
    place = sidecar_of(path)
    beside = place.with_suffix(".new")
    beside.write_text(sidecar.model_dump_json(indent=2) + "\n")
    beside.replace(place)


def file_sha256(path: Path) -> str:
    """The checksum of a file, in small hexadecimal letters."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def checked(folder: Path, model: str, expected: str | None = None) -> CheckedModel:
    """The model of a name or path, after its size and checksum were compared with what is known.

    A fetched model is always compared; an unchanged file is not read twice. A file that a person names by its
    path and that nothing is known of is compared with `expected`, or else its checksum is told.

    Args:
        folder: of the fetched models.
        model: a name in it, or the path of a GGUF file.
        expected: the checksum it must have, besides what is known.

    Raises:
        DecisionAIError: if there is no such file, or it is not what it must be.
    """
    named = _NAME.fullmatch(model) is not None and not model.endswith(".gguf")
    path = place_of(folder, model) if named else Path(model)
    if not path.is_file():
        raise DecisionAIError(_missing(model, path))
    sidecar = read_sidecar(path)
    if named and sidecar is None:
        raise DecisionAIError(f"nothing says what {str(path)!r} must be; fetch the model again")
    found = _known_checksum(path, sidecar) or file_sha256(path)
    pinned = PINNED[model].sha256 if named and model in PINNED else None
    wanted = {text for text in (expected, pinned, sidecar and sidecar.sha256) if text}
    if wanted - {found}:
        raise DecisionAIError(
            f"{str(path)!r} is not the model it should be: its sha256 is {found}, not "
            f"{' and '.join(sorted(wanted - {found}))}; delete it and fetch it again"
        )
    if sidecar is not None:
        _keep_check(path, sidecar)
    return CheckedModel(name=model if named else path.stem, path=path.resolve(), sha256=found)


def _missing(model: str, path: Path) -> str:
    if model in PINNED:
        return f"the model {model!r} is not on this machine; run: decision-ai models fetch --name {model}"
    return f"there is no model at {str(path)!r}; name a file, or see: decision-ai models fetch --list"


def _known_checksum(path: Path, sidecar: Sidecar | None) -> str | None:
    """The checksum of a file that has not been written since it was compared."""
    if sidecar is None:
        return None
    now = path.stat()
    if now.st_size != sidecar.size:
        raise DecisionAIError(
            f"{str(path)!r} has {now.st_size} bytes instead of {sidecar.size}; delete it and fetch it again"
        )
    return sidecar.sha256 if now.st_mtime_ns == sidecar.checked_mtime_ns else None


def _keep_check(path: Path, sidecar: Sidecar) -> None:
    written = path.stat().st_mtime_ns
    if written != sidecar.checked_mtime_ns:
        with suppress(OSError):  # a folder that cannot be written only costs another check
            write_sidecar(path, sidecar.model_copy(update={"checked_mtime_ns": written}))
