from collections.abc import Iterator
from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models import fetching
from decision_ai_server.models.cache import read_sidecar
from decision_ai_server.models.fetching import NotTheModel, Source, Target, alone_in, keep
from tests.server.models.tiny import gguf

CONTENT = gguf()


def source(*chunks: bytes, size: int | None = None) -> Source:
    return Source(chunks=iter(chunks), origin="a test", size=size)


def test_a_model_comes_with_what_is_known_about_it(tmp_path: Path) -> None:
    place = keep(Target(folder=tmp_path, name="m"), source(CONTENT[:9], CONTENT[9:], size=len(CONTENT)))
    assert place.read_bytes() == CONTENT
    sidecar = read_sidecar(place)
    assert sidecar is not None
    assert (sidecar.size, sidecar.source, sidecar.licence) == (len(CONTENT), "a test", "not stated")
    assert sidecar.checked_mtime_ns == place.stat().st_mtime_ns


def broken_off() -> Iterator[bytes]:
    yield CONTENT[:9]
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("given", "target", "error"),
    [
        (source(CONTENT), {"name": "m", "sha256": "0" * 64}, NotTheModel),
        (source(CONTENT), {"name": "smollm2-135m"}, NotTheModel),
        (source(CONTENT, size=3), {"name": "m"}, NotTheModel),
        (source(b"no model"), {"name": "m"}, DecisionAIError),
        (source(CONTENT), {"name": "../m"}, DecisionAIError),
        (source(CONTENT, size=10**18), {"name": "m"}, DecisionAIError),
        (Source(chunks=broken_off(), origin=""), {"name": "m"}, KeyboardInterrupt),
    ],
)
def test_nothing_is_left_of_what_is_refused_or_broken_off(
    given: Source, target: dict[str, str], error: type[BaseException], tmp_path: Path
) -> None:
    with pytest.raises(error):
        keep(Target(folder=tmp_path, **target), given)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_model_leaves_the_old_one_alone(tmp_path: Path) -> None:
    place = keep(Target(folder=tmp_path, name="m"), source(CONTENT))
    with pytest.raises(NotTheModel):
        keep(Target(folder=tmp_path, name="m", sha256="0" * 64), source(gguf(tail=b"other")))
    assert place.read_bytes() == CONTENT
    assert read_sidecar(place) is not None


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DecisionAIError, match=r"MB free and this needs .* DECISION_AI_CACHE_DIR"):
        fetching.need_room(tmp_path, 10**18)

    def full() -> Iterator[bytes]:
        raise OSError(28, "No space left on device")
        yield b""

    with pytest.raises(DecisionAIError, match=r"cannot be copied to .*No space left on device"):
        keep(Target(folder=tmp_path, name="m"), Source(chunks=full(), origin=""))
    assert list(tmp_path.iterdir()) == []


def test_one_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "models"
    with (
        alone_in(folder),
        pytest.raises(DecisionAIError, match="another process is fetching"),
        alone_in(folder),
    ):
        pass
    with alone_in(folder):
        pass


def test_a_folder_that_cannot_be_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(DecisionAIError, match=r"cannot be used: .*DECISION_AI_CACHE_DIR"),
        alone_in(tmp_path / "file"),
    ):
        pass
