"""The composition root: the only place that picks real parts, and the way to run them."""

import asyncio
import contextlib
import logging
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TypeAlias
from uuid import uuid4

import uvicorn
from fastapi import FastAPI

from decision_ai.__about__ import __version__
from decision_ai.errors import DecisionAIError
from decision_ai.sandbox.settings import SandboxPolicy
from decision_ai.solving.executors.base import Executor
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.wire.limits import FRAME_BYTES
from decision_ai_server.agent.bounds import Limits
from decision_ai_server.agent.loop import Agent
from decision_ai_server.agent.ports import Modeller
from decision_ai_server.agent.prompts import prompt
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.auth.keys import Keys
from decision_ai_server.modellers.offline import OfflineModeller
from decision_ai_server.sessions.hub import SessionHub
from decision_ai_server.sessions.ports import Meter
from decision_ai_server.sessions.runner import Parts as SessionParts
from decision_ai_server.settings import Settings
from decision_ai_server.storage.store import Store
from decision_ai_server.web import (
    chat,
    chat_sessions,
    exports,
    guard_rails,
    health,
    journal,
    metrics,
    opt_input_data,
    opt_models,
    problems,
    versions,
)
from decision_ai_server.web.guard import BodyLimit, BodyLimits, HostAndOriginGuard
from decision_ai_server.web.parts import AboutModeller, Parts

ExecutorFactory: TypeAlias = Callable[[Settings], AbstractAsyncContextManager[Executor]]
_LOG = logging.getLogger(__name__)
GRACEFUL_SECONDS = 5
"""How long a stopping server waits for open requests."""


def create_app(
    settings: Settings,
    *,
    open_executor: ExecutorFactory | None = None,
) -> FastAPI:
    """The application; its parts live as long as its lifespan.

    Args:
        settings: what is set; must hold a key (`Settings.with_key` makes one).
        open_executor: what builds and solves; None = child processes of this machine.

    Raises:
        DecisionAIError: if the key is missing or the modeller cannot be found.
    """
    if settings.api_key is None:
        raise DecisionAIError("the server needs a key: set DECISION_AI_SERVER_API_KEY or use with_key()")
    keys, chosen = Keys(settings.api_key.get_secret_value()), _chosen_modeller(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(Store.open(settings.database_url))
            executor = await stack.enter_async_context((open_executor or _local_executor)(settings))
            modeller = await stack.enter_async_context(chosen.opened())
            agent = _agent(modeller, settings)
            meter = metrics.Metrics(agent.toolbox)
            sessions = await stack.enter_async_context(_session_hub(store, agent, executor, meter))
            app.state.parts = Parts(
                settings=settings,
                store=store,
                executor=executor,
                sessions=sessions,
                keys=keys,
                modeller=chosen.about,
                now=_now,
                new_id=_new_id,
            )
            app.state.metrics = meter
            app.state.hub = sessions  # the WebSocket route needs all of it, the REST routes only the port
            yield

    app = FastAPI(title="decision-ai", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    sessions_routes = (chat_sessions, versions, exports, guard_rails, journal, chat)
    for routes in (health, metrics, opt_models, opt_input_data, *sessions_routes):
        app.include_router(routes.router)
    problems.install(app)
    app.add_middleware(
        BodyLimits,
        default=BodyLimit("request body (bytes)", FRAME_BYTES),
        by_path={
            opt_input_data.router.prefix: BodyLimit("input data (bytes)", settings.rest_data_bytes),
        },
    )
    app.add_middleware(HostAndOriginGuard, hosts=settings.hosts, origins=settings.origins)
    return app


def serve(
    settings: Settings,
    *,
    listener: socket.socket | None = None,
    on_ready: Callable[[int], None] | None = None,
    until: Callable[[], None] | None = None,
) -> None:
    """Run the server until SIGINT or SIGTERM.

    Args:
        settings: what is set; must hold a key.
        listener: a bound socket to serve on; None = bind `settings.host` and `settings.port`.
        on_ready: called with the port once requests are answered.
        until: a function that blocks, run in a thread; the server also stops when it returns.

    Raises:
        DecisionAIError: if the settings do not work on this machine.
    """
    _raise_file_limit()
    with contextlib.closing(listener or _bound(settings.host, settings.port)) as bound:
        config = uvicorn.Config(
            create_app(settings),
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=FRAME_BYTES,
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=GRACEFUL_SECONDS,
        )
        server = _Server(config, on_ready)
        if until is not None:
            threading.Thread(target=server.stop_after, args=(until,), daemon=True).start()
        server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """Tells the port once it answers."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[int], None] | None) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self._on_ready is not None and sockets and self.started:
            self._on_ready(sockets[0].getsockname()[1])

    def stop_after(self, until: Callable[[], None]) -> None:
        """Stop once `until` returns; the running loop looks ten times a second."""
        try:
            until()
        finally:
            self.should_exit = True


def _agent(modeller: Modeller, settings: Settings) -> Agent:
    llm = settings.llm
    return Agent(
        modeller=modeller,
        toolbox=standard_toolbox(),
        system_prompt=prompt("system"),
        new_id=_new_id,
        clock=time.monotonic,
        limits=Limits(calls=llm.turn_calls, seconds=llm.turn_seconds, tokens=llm.turn_tokens),
    )


def _session_hub(store: Store, agent: Agent, executor: Executor, meter: Meter) -> SessionHub:
    return SessionHub(
        SessionParts(store=store, agent=agent, executor=executor, now=_now, new_id=_new_id, meter=meter)
    )


@asynccontextmanager
async def _local_executor(settings: Settings) -> AsyncIterator[Executor]:
    policy = SandboxPolicy(
        memory_bytes=settings.sandbox_memory_bytes,
        extra_imports=settings.sandbox_extra_imports,
        strict=settings.sandbox_strict,
    )
    async with LocalExecutor(policy, jobs=settings.executor_workers) as executor:
        warming = asyncio.ensure_future(_warm_up(executor))
        try:
            yield executor
        finally:
            warming.cancel()
            await asyncio.wait([warming])


async def _warm_up(executor: LocalExecutor) -> None:
    """Import everything once, beside the first requests, and log what the sandbox lacks here."""
    try:
        missing = [layer for layer, holds in (await executor.layers()).items() if not holds]
    except DecisionAIError as error:
        _LOG.error("%s", error)
    else:
        if missing:
            _LOG.warning("the sandbox lacks %s on this system", ", ".join(missing))


@dataclass(frozen=True)
class _Chosen:
    """The modeller of this server, open as long as it serves, and what may be told about it."""

    opened: Callable[[], AbstractAsyncContextManager[Modeller]]
    about: AboutModeller


def _chosen_modeller(settings: Settings) -> _Chosen:
    name = settings.modeller
    if name == "auto":
        name = "llm" if settings.llm.is_set else "offline"
    if name == "llm":
        from decision_ai_server.modellers.configured import llm_modeller, refuse_unusable

        refuse_unusable(settings.llm)
        model = settings.llm.harness_config().model
        return _Chosen(partial(llm_modeller, settings.llm), AboutModeller(kind="llm", model=model))
    if name == "offline":
        return _Chosen(partial(_as_it_is, OfflineModeller()), AboutModeller(kind="offline"))
    return _Chosen(partial(_as_it_is, _made_by(name)), AboutModeller(kind="custom"))


@asynccontextmanager
async def _as_it_is(modeller: Modeller) -> AsyncIterator[Modeller]:
    """A modeller that holds nothing."""
    yield modeller


def _made_by(name: str) -> Modeller:
    module, _, factory = name.partition(":")
    try:
        made: Modeller = getattr(import_module(module), factory)()
    except (ImportError, AttributeError, ValueError) as error:
        raise DecisionAIError(
            f"the setting modeller is {name!r}, which cannot be loaded: {error}; "
            "write 'auto', 'llm', 'offline' or 'package.module:factory'"
        ) from error
    return made


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise DecisionAIError(f"cannot listen on {host}, port {port}: {error.strerror}") from error


def _raise_file_limit() -> None:
    """A socket is a file: the usual soft limit of 1024 is fewer connections than one process can serve."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses an infinite one
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _new_id() -> str:
    return str(uuid4())
