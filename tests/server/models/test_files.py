from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import checked, file_sha256
from decision_ai_server.models.fetching import NotTheModel, Target
from decision_ai_server.models.files import copy_in, link_in
from tests.server.models.tiny import gguf

CONTENT = gguf()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "outside.gguf"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def test_a_copy_does_not_need_the_file_any_more(file: Path, folder: Path) -> None:
    copy_in(Target(folder=folder, name="m", sha256=file_sha256(file)), file)
    file.unlink()
    assert checked(folder, "m").sha256


def test_a_link_takes_no_room_and_notices_a_change(file: Path, folder: Path) -> None:
    place = link_in(Target(folder=folder, name="m"), file)
    assert place.is_symlink()
    assert checked(folder, "m").path == file
    file.write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(DecisionAIError, match="is not the model it should be"):
        checked(folder, "m")


@pytest.mark.parametrize("bring", [copy_in, link_in])
def test_another_file_than_the_one_asked_for_is_refused(bring, file: Path, folder: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotTheModel, match="must be 000"):
        bring(Target(folder=folder, name="m", sha256="0" * 64), file)
    with pytest.raises(DecisionAIError, match=r"there is no file .*none\.gguf"):
        bring(Target(folder=folder, name="m"), file.with_name("none.gguf"))
    file.write_bytes(b"no model")
    with pytest.raises(DecisionAIError, match="is not a GGUF file"):
        bring(Target(folder=folder, name="m"), file)
    assert list(folder.iterdir()) == []
