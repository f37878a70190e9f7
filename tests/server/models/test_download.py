"""Over real HTTP on loopback."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.models import download as module
from decision_ai_server.models.cache import read_sidecar
from decision_ai_server.models.download import download
from decision_ai_server.models.fetching import NotTheModel, Target
from tests.server.models.tiny import gguf

CONTENT = gguf(tail=b"weights" * 1000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Files(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/model.gguf":
            self.answer(200, CONTENT, {"Content-Length": str(len(CONTENT))})
        elif path == "/cut.gguf":
            self.answer(200, CONTENT[:50], {"Content-Length": str(len(CONTENT))})
        elif path == "/endless.gguf":
            self.answer(200, CONTENT, {})
        elif path == "/moved.gguf":
            self.answer(302, b"", {"Location": "/model.gguf", "Content-Length": "0"})
        else:
            self.answer(404, b"no", {"Content-Length": "2"})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def get(folder: Path, address: str, sha256: str | None = SHA256) -> tuple[Path, list[str]]:
    told: list[str] = []
    return download(Target(folder=folder, name="m", sha256=sha256), address, told.append), told


def test_a_download_is_checked_and_recorded_without_its_query(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TOLD_EVERY", 1000)
    place, told = get(tmp_path, f"{url}/model.gguf?token=secret")
    assert place.read_bytes() == CONTENT
    assert told
    sidecar = read_sidecar(place)
    assert sidecar is not None
    assert (sidecar.source, sidecar.size) == (f"{url}/model.gguf", len(CONTENT))


def test_the_size_need_not_be_known_before(url: str, tmp_path: Path) -> None:
    assert get(tmp_path, f"{url}/endless.gguf")[0].read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/none.gguf", "answers with status 404"),
        ("/cut.gguf", "cannot be downloaded: .*nothing was kept"),
        ("/moved.gguf", "leads on to http://.*, which is not https"),
    ],
)
def test_what_cannot_be_had_leaves_nothing(path: str, why: str, url: str, tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match=why):
        get(tmp_path, url + path)
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(NotTheModel, match="must be 000"):
        get(tmp_path, f"{url}/model.gguf", "0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_more_than_is_allowed_is_not_read(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 100)
    for path in ("/model.gguf", "/endless.gguf"):
        with pytest.raises(DecisionAIError, match="sends more than it may"):
            get(tmp_path, url + path)


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with serving() as address:
        pass
    with pytest.raises(DecisionAIError, match="cannot be downloaded"):
        get(tmp_path, f"{address}/model.gguf")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://models.example/m.gguf", "is not https, and not http on this machine"),
        ("ftp://models.example/m.gguf", "is not https"),
        ("https:///m.gguf", "is not https"),
        ("https://me:secret@models.example/m.gguf", "user or password"),
        ("https://models.example:port/m.gguf", "is not an address"),
    ],
)
def test_an_address_that_may_not_be_used_is_told_without_secrets(
    address: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(DecisionAIError, match=why) as caught:
        get(tmp_path, address)
    assert "secret" not in str(caught.value)


def test_there_is_no_download_without_a_checksum(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="needs its checksum: --sha256"):
        get(tmp_path, "https://models.example/m.gguf", None)
