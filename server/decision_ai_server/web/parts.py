"""What the routes are handed: the parts of the application, and who calls."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from decision_ai.errors import DecisionAIError
from decision_ai.solving.executors.base import Executor
from decision_ai_server.auth.keys import Caller, Keys
from decision_ai_server.settings import Settings
from decision_ai_server.storage.store import Store
from decision_ai_server.web.ports import Sessions


@dataclass(frozen=True, kw_only=True)
class AboutModeller:
    """Who writes changes on this server.

    Attributes:
        kind: `offline`, `llm`, or `custom` = made by a factory of the operator.
        model: name of the language model.
    """

    kind: Literal["offline", "llm", "custom"]
    model: str | None = None


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a running application, picked in `app.py`.

    Attributes:
        settings: what is set.
        store: everything that lasts.
        executor: builds programs in the sandbox.
        sessions: the live sessions.
        keys: who may call.
        modeller: who writes changes.
        now: the time in milliseconds since 1970.
        new_id: a fresh id.
    """

    settings: Settings
    store: Store
    executor: Executor
    sessions: Sessions
    keys: Keys
    modeller: AboutModeller
    now: Callable[[], int]
    new_id: Callable[[], str]


def _parts(connection: HTTPConnection) -> Parts:
    parts: Parts = connection.app.state.parts
    return parts


PartsDep = Annotated[Parts, Depends(_parts)]


def _caller(connection: HTTPConnection, parts: PartsDep) -> Caller:
    return parts.keys.caller(connection.headers.get("authorization"))


CallerDep = Annotated[Caller, Depends(_caller)]
"""Who sends a request or a WebSocket handshake; a wrong key is a 401 before the route runs."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class BadRequest(DecisionAIError):
    """A request that cannot be understood."""


async def well_formed(request: Request) -> None:
    """Refuse a JSON body with half of a character, which can be neither stored nor sent.

    Raises:
        BadRequest: if there is one.
    """
    body = await request.body()
    if _SURROGATE.search(body):
        try:
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadRequest("the body has a lone surrogate; send valid Unicode") from None
