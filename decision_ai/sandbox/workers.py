"""How children come to life: forked from a zygote where there is fork, else a fresh interpreter per job."""

import asyncio
import contextlib
import json
import socket
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from decision_ai.errors import DecisionAIError
from decision_ai.sandbox.settings import Settings

_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60.0
_KILLED = -9


class SandboxBroken(DecisionAIError):
    """No worker can be started; the text says why. A fault of the installation, not of a program."""


class _ZygoteGone(SandboxBroken):
    """The zygote ended since it was last heard of."""


class Worker(Protocol):
    """One child that runs one job."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def kill(self) -> None:
        """End it at once; harmless if it has ended."""
        ...

    async def exit_code(self) -> int:
        """Wait for its end; negative = the signal that ended it."""
        ...


class Workers(Protocol):
    """Starts children."""

    async def start(self) -> Worker:
        """Start one child.

        Raises:
            SandboxBroken: if none can be started.
        """
        ...

    async def layers(self) -> dict[str, bool]:
        """Layer of protection → whether it holds on this system."""
        ...

    async def aclose(self) -> None:
        """End everything."""
        ...


@dataclass(kw_only=True, eq=False)
class _Forked:
    number: int
    zygote: "_Zygote"
    ended: asyncio.Future[int]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def kill(self) -> None:
        if not self.ended.done():
            self.zygote.kill(self.number)

    async def exit_code(self) -> int:
        return await asyncio.shield(self.ended)


class ForkingWorkers:
    """Children forked from a zygote that is started at the first job and again if it dies."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._zygote: _Zygote | None = None
        self._starting = asyncio.Lock()
        self._jobs = 0

    async def start(self) -> Worker:
        """Fork one child."""
        try:
            try:
                return await self._fork()
            except _ZygoteGone:
                return await self._fork()
        except OSError as error:
            raise SandboxBroken(f"no process for the model can be started: {error.strerror}") from error

    async def _fork(self) -> Worker:
        zygote = await self._alive()
        ours, theirs = socket.socketpair()
        self._jobs += 1
        number = self._jobs
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(ours.close)
            ended = zygote.run(number, theirs)
            undo.pop_all()
        ours.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        return _Forked(number=number, zygote=zygote, ended=ended, reader=reader, writer=writer)

    async def layers(self) -> dict[str, bool]:
        """What the zygote found when it started."""
        return (await self._alive()).layers

    async def aclose(self) -> None:
        """End the zygote and with it all children."""
        if self._zygote is not None:
            await self._zygote.aclose()
            self._zygote = None

    async def _alive(self) -> "_Zygote":
        async with self._starting:
            if self._zygote is not None and self._zygote.dead:
                await self._zygote.aclose()
                self._zygote = None
            if self._zygote is None:
                self._zygote = await _Zygote.start(self._settings)
            return self._zygote


class _Zygote:
    """The parent's end of a zygote."""

    def __init__(self, process: asyncio.subprocess.Process, control: socket.socket) -> None:
        self._process, self._control = process, control
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[dict[str, bool]] = self._loop.create_future()
        self._ended: dict[int, asyncio.Future[int]] = {}
        self.layers: dict[str, bool] = {}
        self.dead = False
        control.setblocking(False)
        self._loop.add_reader(control.fileno(), self._hear)

    @classmethod
    async def start(cls, settings: Settings) -> "_Zygote":
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(ours.close)
            process = await asyncio.create_subprocess_exec(
                *_command("zygote", str(theirs.fileno()), settings=settings),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env=_ENVIRONMENT,
                start_new_session=True,  # Ctrl-C in a terminal reaches the parent only
                cwd="/",
            )
            undo.pop_all()
        zygote = cls(process, ours)
        try:
            async with asyncio.timeout(_START_SECONDS):
                zygote.layers = await zygote._ready
        except (SandboxBroken, TimeoutError) as error:
            raise SandboxBroken(f"the sandbox process does not start: {await zygote.aclose()}") from error
        except asyncio.CancelledError:
            await zygote.aclose()
            raise
        return zygote

    def run(self, number: int, channel: socket.socket) -> asyncio.Future[int]:
        """Fork a child on a channel."""
        try:
            socket.send_fds(self._control, [json.dumps({"run": number}).encode()], [channel.fileno()])
        except OSError as error:
            self._lost()
            raise _ZygoteGone("the sandbox process ended; try again") from error
        self._ended[number] = self._loop.create_future()
        return self._ended[number]

    def kill(self, number: int) -> None:
        """Kill a child; a zygote that is gone is noticed by `_hear`."""
        with contextlib.suppress(OSError):
            self._control.send(json.dumps({"kill": number}).encode())

    async def aclose(self) -> str:
        """End it; returns the last line it wrote to standard error."""
        self._lost()
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        # communicate() also closes the pipe's transport, which wait() leaves to the garbage collector.
        _, errors = await self._process.communicate()
        return errors.decode(errors="replace").strip().rpartition("\n")[2]

    def _hear(self) -> None:
        try:
            data = self._control.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        message = json.loads(data)
        if "ready" in message:
            if not self._ready.done():
                self._ready.set_result(message["ready"])
        else:
            ended = self._ended.pop(message["ended"], None)
            if ended is not None and not ended.done():
                ended.set_result(message["code"])

    def _lost(self) -> None:
        """The zygote is gone, and its children with it."""
        if self.dead:
            return
        self.dead = True
        self._loop.remove_reader(self._control.fileno())
        self._control.close()
        for ended in self._ended.values():
            if not ended.done():
                ended.set_result(_KILLED)
        if not self._ready.done():
            self._ready.set_exception(SandboxBroken("the sandbox process ended while it started"))
            self._ready.exception()  # seen here, should nobody wait any more


@dataclass(kw_only=True, eq=False)
class _Fresh:
    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def kill(self) -> None:
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def exit_code(self) -> int:
        return await self.process.wait()


class FreshWorkers:
    """A new interpreter for every job: half a second slower, and all there is without fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def start(self) -> Worker:
        """Start one interpreter."""
        process = await asyncio.create_subprocess_exec(
            *_command("single", settings=self._settings),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            # Windows cannot start Python without its SystemRoot; the child empties its environment itself.
            env=None if sys.platform == "win32" else _ENVIRONMENT,
        )
        if process.stdin is None or process.stdout is None:
            raise SandboxBroken("the sandbox process has no pipes")
        return _Fresh(process=process, reader=process.stdout, writer=process.stdin)

    async def layers(self) -> dict[str, bool]:
        """Only what needs no kernel support is claimed."""
        return {"process": True, "limits": sys.platform != "win32"}

    async def aclose(self) -> None:
        """Nothing to end: every child ends with its job."""


_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _command(*arguments: str, settings: Settings) -> list[str]:
    # -P keeps the working folder off the import path; our own root comes last, for a checkout not installed.
    bootstrap = (
        f"import sys; sys.path.append({str(_ROOT)!r}); "
        "from decision_ai.sandbox.worker import main; main(sys.argv[1:])"
    )
    return [sys.executable, "-P", "-c", bootstrap, *arguments, json.dumps(asdict(settings))]
