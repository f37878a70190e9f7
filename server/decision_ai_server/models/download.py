"""A model from an address: encrypted on the way, or from this machine, and always with its checksum."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.fetching import CHUNK, Source, Target, keep, megabytes
from decision_ai_server.settings import is_loopback

_MOST_BYTES = 64 * 2**30
_MOST_REDIRECTS = 5
_SILENCE_SECONDS = 60.0
_TOLD_EVERY = 50_000_000


def download(target: Target, address: str, tell: Callable[[str], None]) -> Path:
    """Download a GGUF file into the cache.

    Args:
        target: where to; must say the checksum.
        address: https, or http on this machine.
        tell: called with a line of progress now and then.

    Raises:
        DecisionAIError: if the address may not be used, does not answer, or has another file.
    """
    if target.sha256 is None:
        raise DecisionAIError("a model from an address needs its checksum: --sha256 HEX")
    _refuse_unsafe(address)
    local = is_loopback(urlsplit(address).hostname or "")
    try:
        with httpx.Client(timeout=_SILENCE_SECONDS, trust_env=not local) as http:
            return keep(target, _followed(http, address, tell))
    except httpx.HTTPError as error:
        raise DecisionAIError(
            f"{_public(address)} cannot be downloaded: {str(error) or type(error).__name__}; nothing was kept"
        ) from error


def _followed(http: httpx.Client, address: str, tell: Callable[[str], None]) -> Source:
    """The file behind an address and its redirects."""
    for _ in range(_MOST_REDIRECTS + 1):
        response = http.send(
            http.build_request("GET", address, headers={"Accept-Encoding": "identity"}), stream=True
        )
        if not response.has_redirect_location:
            return _source(response, tell)
        response.close()
        address = urljoin(address, response.headers["location"])
        if urlsplit(address).scheme != "https":
            raise DecisionAIError(f"it leads on to {_public(address)}, which is not https; nothing was kept")
        _refuse_unsafe(address)
    raise DecisionAIError(f"the address leads on more than {_MOST_REDIRECTS} times; nothing was kept")


def _source(response: httpx.Response, tell: Callable[[str], None]) -> Source:
    origin = _public(str(response.url))
    if response.status_code != httpx.codes.OK:
        response.close()
        raise DecisionAIError(f"{origin} answers with status {response.status_code}; nothing was kept")
    length = response.headers.get("content-length", "")
    size = int(length) if length.isdecimal() else None
    if size is not None and size > _MOST_BYTES:
        response.close()
        raise _too_large(origin)
    return Source(chunks=_chunks(response, origin, size, tell), origin=origin, size=size)


def _chunks(
    response: httpx.Response, origin: str, size: int | None, tell: Callable[[str], None]
) -> Iterator[bytes]:
    read = told = 0
    try:
        for chunk in response.iter_raw(CHUNK):
            read += len(chunk)
            if read > (size or _MOST_BYTES):
                raise _too_large(origin)
            if read - told >= _TOLD_EVERY:
                told = read
                tell(megabytes(read) + ("" if size is None else f" of {megabytes(size)}"))
            yield chunk
    finally:
        response.close()


def _too_large(origin: str) -> DecisionAIError:
    return DecisionAIError(f"{origin} sends more than it may; nothing was kept")


def _refuse_unsafe(address: str) -> None:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise DecisionAIError("this is not an address; write it like https://host/model.gguf") from error
    if "@" in parts.netloc:
        raise DecisionAIError("the address has a user or password in it; leave them out")
    if not parts.hostname or not (
        parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
    ):
        raise DecisionAIError(f"{_public(address)} is not https, and not http on this machine")


def _public(address: str) -> str:
    """An address without what may be a secret."""
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
