import os
from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models import cache
from decision_ai_server.models.cache import checked, file_sha256, place_of, read_sidecar
from decision_ai_server.models.fetching import Source, Target, keep
from tests.server.models.tiny import gguf

CONTENT = gguf()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    keep(Target(folder=folder, name="mine"), Source(chunks=iter([CONTENT]), origin="a test"))
    return folder


def test_a_fetched_model_is_found_by_its_name(folder: Path) -> None:
    model = checked(folder, "mine")
    assert (model.name, model.path) == ("mine", (folder / "mine.gguf").resolve())
    assert model.sha256 == file_sha256(folder / "mine.gguf")


def test_an_unchanged_file_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path) -> str:
        raise AssertionError(path)

    monkeypatch.setattr(cache, "file_sha256", read)
    checked(folder, "mine")
    os.utime(folder / "mine.gguf", ns=(1, 1))
    with pytest.raises(AssertionError):
        checked(folder, "mine")


def test_a_touched_file_is_read_once_and_remembered(folder: Path) -> None:
    os.utime(folder / "mine.gguf", ns=(1, 1))
    checked(folder, "mine")
    sidecar = read_sidecar(folder / "mine.gguf")
    assert sidecar is not None
    assert sidecar.checked_mtime_ns == 1


def test_a_changed_file_is_refused(folder: Path) -> None:
    (folder / "mine.gguf").write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(DecisionAIError, match="is not the model it should be: its sha256 is"):
        checked(folder, "mine")
    (folder / "mine.gguf").write_bytes(CONTENT + b"!")
    with pytest.raises(DecisionAIError, match=f"has {len(CONTENT) + 1} bytes instead of {len(CONTENT)}"):
        checked(folder, "mine")


def test_a_fetched_model_without_its_sidecar_is_refused(folder: Path) -> None:
    (folder / "mine.gguf.json").unlink()
    with pytest.raises(DecisionAIError, match=r"nothing says what .* must be; fetch the model again"):
        checked(folder, "mine")
    (folder / "mine.gguf.json").write_text("{")
    with pytest.raises(DecisionAIError, match="cannot be read; fetch the model again"):
        checked(folder, "mine")


def test_a_pinned_name_stands_for_one_file_only(folder: Path) -> None:
    for suffix in (".gguf", ".gguf.json"):
        (folder / f"mine{suffix}").rename(folder / f"smollm2-135m{suffix}")
    with pytest.raises(DecisionAIError, match="not b179c9523d0e"):
        checked(folder, "smollm2-135m")


def test_a_file_of_the_person_is_taken_with_the_checksum_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(CONTENT)
    right = file_sha256(path)
    assert checked(tmp_path, str(path)).sha256 == right
    assert checked(tmp_path, str(path), right).name == "own"
    with pytest.raises(DecisionAIError, match="is not the model it should be"):
        checked(tmp_path, str(path), "0" * 64)


def test_what_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="models fetch --name smollm2-135m"):
        checked(tmp_path, "smollm2-135m")
    with pytest.raises(DecisionAIError, match=r"there is no model at 'none\.gguf'; name a file"):
        checked(tmp_path, "./none.gguf")
    with pytest.raises(DecisionAIError, match=r"there is no model at .*other"):
        checked(tmp_path, "other")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", ".hidden", "a b", "x" * 101, "a\n"])
def test_a_name_is_not_a_way_out_of_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="cannot be the name of a model"):
        place_of(tmp_path, name)
