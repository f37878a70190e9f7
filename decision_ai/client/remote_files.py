"""What an ask only names, fetched over REST while the server may be away for a moment."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from decision_ai.client.backoff import Backoff
from decision_ai.client.loop_thread import call_in_thread
from decision_ai.client.preview import HeadProgram
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.responder import SessionFiles
from decision_ai.errors import ConnectionFailed

T = TypeVar("T")

_MOMENT_SECONDS = 1.0


def remote_files(requests: RequestHandler, chat_session_id: str, backoff: Backoff) -> SessionFiles:
    """The files of a session on a server."""

    async def data(data_id: str) -> str:
        return await _patiently(requests.opt_input_data, data_id, backoff)

    async def head() -> HeadProgram:
        return await _patiently(requests.program, chat_session_id, backoff)

    return SessionFiles(data=data, head=head)


async def _patiently(fetch: Callable[[str], T], id: str, backoff: Backoff) -> T:
    """Fetch, waiting for a server that is away as the socket does."""
    for wait in backoff.waits():
        try:
            return await _fetched(fetch, id)
        except ConnectionFailed:
            await asyncio.sleep(wait)
    return await _fetched(fetch, id)


async def _fetched(fetch: Callable[[str], T], id: str) -> T:
    """Fetch in a thread; cancelled, it lets an answer on its way in, so that no socket is left open."""
    call = asyncio.ensure_future(call_in_thread(fetch, id))
    try:
        return await asyncio.shield(call)
    except asyncio.CancelledError:
        await asyncio.wait([call], timeout=_MOMENT_SECONDS)
        call.cancel()
        raise
