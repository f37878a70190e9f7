"""The parent's side of the sandbox: runs jobs in workers and turns every ending into a result."""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from dataclasses import asdict

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
)
from decision_ai.sandbox import framing
from decision_ai.sandbox.framing import Frame, Kind
from decision_ai.sandbox.settings import SandboxPolicy, Settings
from decision_ai.sandbox.workers import ForkingWorkers, FreshWorkers, Worker, Workers
from decision_ai.solving.answers import Built, Found, Refused, Solved, Text, assemble
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress

_STOP_SECONDS = 0.7
"""How long a child may take to end by itself after a stop."""
_LAST_WORDS_SECONDS = 0.2
"""How much longer when its plan is there and only the plan's text is missing."""
_GRACE_SECONDS = 3.0
_MOST_FRAMES_A_SECOND = 50
_SIGKILL, _SIGXCPU = 9, 24
_NUL, _REPLACED = rb"\u0000", rb"\ufffd"

OnProgress = Callable[[SolveProgress], None]


class Runner:
    """Runs jobs in fenced children; survives whatever a program does."""

    def __init__(
        self,
        policy: SandboxPolicy | None = None,
        *,
        checked: bool = True,
        forking: bool = sys.platform == "linux",
    ) -> None:
        """Start nothing yet.

        Args:
            policy: what programs may use.
            checked: False leaves the allow-list out; for tests of the fences only.
            forking: False starts a fresh interpreter per job.
        """
        settings = Settings(**asdict(policy or SandboxPolicy()), checked=checked)
        self._workers: Workers = ForkingWorkers(settings) if forking else FreshWorkers(settings)
        self._closing = asyncio.Event()
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def layers(self) -> dict[str, bool]:
        """Layer of protection → whether it holds on this system."""
        return await self._workers.layers()

    async def run(self, job: Job, *, on_progress: OnProgress | None = None, stop: asyncio.Event) -> JobResult:
        """Run one job to its end.

        Raises:
            SandboxBroken: if no worker can be started.
        """
        self._running += 1
        self._idle.clear()
        try:
            if self._closing.is_set() or stop.is_set():
                return _failed("interrupted", "the job was stopped before it began")
            worker = await self._workers.start()
            try:
                return await _Conversation(worker, job, on_progress, (stop, self._closing)).result()
            finally:
                await _end(worker)
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def aclose(self) -> None:
        """Interrupt what runs, then end all processes."""
        self._closing.set()
        await self._idle.wait()
        await self._workers.aclose()


async def _end(worker: Worker) -> None:
    worker.kill()
    worker.writer.close()
    with contextlib.suppress(OSError):
        await worker.writer.wait_closed()
    await worker.exit_code()


class _Violation(Exception):
    """A child said something no worker of ours says; the program has taken it over."""


class _Conversation:
    """One job on one worker."""

    def __init__(
        self, worker: Worker, job: Job, on_progress: OnProgress | None, stops: tuple[asyncio.Event, ...]
    ) -> None:
        self._worker, self._job, self._on_progress, self._stops = worker, job, on_progress, stops
        self._clock = asyncio.timeout(job.build_seconds)
        self._stopped = False
        self._refused: Refused | None = None
        self._built: Built | None = None
        self._solved: Solved | None = None
        self._found: Found | None = None
        self._text: Text | None = None
        self._began = asyncio.get_running_loop().time()
        self._frames = 0
        self._label_bytes = 0
        """Bytes of the job and of the description: no name in a finding comes from anywhere else."""

    async def result(self) -> JobResult:
        """Read frames until the result, the end of the child or of its time."""
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(self._watch())
            try:
                return await self._read()
            finally:
                watching.cancel()

    async def _read(self) -> JobResult:
        try:
            async with self._clock:
                job = self._job.model_dump_json().encode()
                self._label_bytes = len(job)
                await self._send(Kind.JOB, job)
                while not self._complete():
                    self._hear(await self._frame())
        except TimeoutError:
            return self._overdue()
        except (asyncio.IncompleteReadError, ConnectionError):
            return self._crashed(await self._code())
        except (_Violation, ValueError) as violation:
            text = f"the program broke the protocol of the sandbox: {violation}"
            return self._ended("crashed", text[:500])
        return self._told()

    async def _watch(self) -> None:
        """Pass a stop on and set the clock to the child's last moment."""
        waits = [asyncio.ensure_future(stop.wait()) for stop in self._stops]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self._stopped = True
        self._set_clock(_STOP_SECONDS)
        await self._send(Kind.STOP, b"")

    async def _send(self, kind: Kind, body: bytes) -> None:
        with contextlib.suppress(ConnectionError):  # the reading side tells how the child ended
            self._worker.writer.write(framing.head(kind, body) + body)
            await self._worker.writer.drain()

    async def _frame(self) -> Frame:
        size, kind = framing.read_head(await self._worker.reader.readexactly(framing.HEAD_SIZE))
        if size > self._most(kind):
            raise _Violation(f"a frame of kind {kind} and {size:,} bytes")
        self._frames += 1
        elapsed = asyncio.get_running_loop().time() - self._began
        if self._frames > _MOST_FRAMES_A_SECOND * (1 + elapsed):
            raise _Violation("too many frames")
        body = await self._worker.reader.readexactly(size)
        if kind in (Kind.REFUSED, Kind.TEXT, Kind.FINDINGS):
            body = body.replace(_NUL, _REPLACED)  # the wire carries no NUL
        return Frame(Kind(kind), body)

    def _most(self, kind: int) -> int:
        """Bytes the body of a frame may have; less than any for a kind that is not due."""
        if self._built is not None:
            columns, rows = self._built.description.columns, self._built.description.rows
            if kind == Kind.SOLVED:
                return framing.most_solved_bytes(columns, rows)
            if kind == Kind.FINDINGS and self._job.task == "price":
                return framing.most_priced_bytes(columns, rows, self._label_bytes)
            if kind == Kind.FINDINGS and self._job.task == "export":
                return framing.MOST_EXPORTED_BYTES
        return framing.MOST_BYTES.get(kind, -1)  # type: ignore[call-overload, no-any-return]

    def _hear(self, frame: Frame) -> None:
        solving = self._job.task == "solve"
        match frame.kind:
            case Kind.REFUSED if self._built is None or not solving:
                self._refused = Refused.model_validate_json(frame.body)
            case Kind.BUILT if self._built is None:
                self._hear_built(frame.body)
            case Kind.PROGRESS:
                progress = SolveProgress.model_validate_json(frame.body)
                if self._on_progress is not None:
                    self._on_progress(progress)
            case Kind.SOLVED if self._built is not None and self._solved is None and solving:
                self._solved = Solved.model_validate_json(frame.body)
                self._set_clock(_LAST_WORDS_SECONDS if self._stopped else self._job.build_seconds)
            case Kind.FINDINGS if self._found is None and self._finds():
                self._found = Found.model_validate_json(frame.body)
            case Kind.TEXT if self._solved is not None:
                self._text = Text.model_validate_json(frame.body)
            case _:
                raise _Violation(f"an unexpected frame of kind {frame.kind.name}")

    def _hear_built(self, body: bytes) -> None:
        self._built = Built.model_validate_json(body)
        self._label_bytes += len(body)
        if self._job.task == "solve":
            limit = self._job.parameters.time_limit
            self._set_clock(None if limit is None else limit + _GRACE_SECONDS)

    def _finds(self) -> bool:
        """Whether this is the moment at which the job's task tells findings."""
        match self._job.task:
            case "compatibility":
                return self._built is None
            case "price" | "export":
                return self._built is not None
            case _:
                return self._solved is not None

    def _complete(self) -> bool:
        """Whether nothing more is to come; the child's end is not waited for, as it frees a large model."""
        if self._refused is not None or self._text is not None:
            return True
        if self._job.task != "solve":
            return (self._built if self._job.task == "build" else self._found) is not None
        return self._solved is not None and self._solved.point is None

    def _told(self) -> JobResult:
        if self._refused is not None:
            return JobResult(validation=self._refused.validation)
        return self._assembled(self._text)

    def _assembled(self, text: Text | None) -> JobResult:
        try:
            return assemble(self._job, built=self._built, solved=self._solved, found=self._found, text=text)
        except ValueError as error:
            self._solved, self._found = None, None
            return self._ended("crashed", f"the program broke the protocol of the sandbox: {error}")

    def _set_clock(self, seconds: float | None) -> None:
        if self._stopped and seconds is None:
            return
        now = asyncio.get_running_loop().time()
        self._clock.reschedule(None if seconds is None else now + seconds)

    def _overdue(self) -> JobResult:
        if self._stopped:
            return self._ended("interrupted", "the job was stopped")
        seconds = self._job.build_seconds
        return self._ended("time_limit", f"the program needs more than the {seconds:g} s it has to build")

    async def _code(self) -> int:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                return await self._worker.exit_code()
        return 0

    def _crashed(self, code: int) -> JobResult:
        if self._stopped:
            return self._ended("interrupted", "the job was stopped")
        if code == -_SIGXCPU:
            return self._ended("time_limit", "the program used up its processor time")
        if code == -_SIGKILL:
            return self._ended("memory_limit", "the system ended the program, most likely for its memory")
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return self._ended("crashed", f"the program ended its process ({how})")

    def _ended(self, error_type: str, message: str) -> JobResult:
        """The result of a job whose child is no more, from what it had told before."""
        if self._built is None or self._job.task != "solve":
            return _failed(error_type, message)
        if self._solved is None:
            kinds = {
                "interrupted": OutcomeKind.INTERRUPTED_WITHOUT_PLAN,
                "time_limit": OutcomeKind.LIMIT_WITHOUT_PLAN,
            }
            elapsed = asyncio.get_running_loop().time() - self._began
            kind = kinds.get(error_type, OutcomeKind.ERROR)
            self._solved = Solved(outcome=Outcome(kind=kind, seconds=elapsed, message=message))
        return self._assembled(Text(text=f"(the text of the plan is missing: {message})"))


def _failed(error_type: str, message: str) -> JobResult:
    report = FormulationErrorReport(component="program", error_type=error_type, message=message)
    return JobResult(validation=FormulationValidationFailed(error=report))
