"""The process a hostile program runs in.

A zygote has everything imported and forks one child per job, which takes 10 ms instead of half a second. The
zygote never runs a program, has one thread and no solver object; a child never serves a second job. Where
there is no fork, `main` runs one job in a fresh interpreter. Nothing here is told by the environment: it
is emptied before a program runs.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import threading
from typing import Any

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.sandbox import fences, framing, policy
from decision_ai.sandbox.framing import Kind
from decision_ai.sandbox.settings import Settings
from decision_ai.solving import jobs
from decision_ai.solving.answers import Answer, Built, Found, Refused, Solved, Text
from decision_ai.solving.executors.base import Job
from decision_ai.solving.outcome import SolveProgress

_NO_FORK = 71
_PRELOAD = ("decision_ai", "decision_ai.solving.staged", "zoneinfo", "json.decoder", "numpy.linalg")
"""Imported before a program runs, so that no import has to read files behind the fences."""


def main(arguments: list[str]) -> None:
    """Entry point: `zygote FD SETTINGS` or `single SETTINGS`."""
    settings = Settings(**json.loads(arguments[-1]))
    for module in (*_PRELOAD, *settings.extra_imports):
        importlib.import_module(module)
    os.environ.clear()  # noqa: TID251 - emptied, not read
    if arguments[0] == "zygote":
        _quiet()
        _Zygote(int(arguments[1]), settings).serve()
    else:
        came, went = os.dup(0), os.dup(1)
        _quiet()
        _run_one(came, went, settings)


def _quiet() -> None:
    """Standard streams go nowhere: HiGHS prints a banner to descriptor 1, and programs may print anything."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if null > 2:
        os.close(null)


class _Zygote:
    """Forks a child per job and reports how it ended. Commands are small JSON datagrams.

    Down: {"run": n} with the child's end of the job's channel, {"kill": n}. Up: {"ready": layers},
    {"ended": n, "code": c}. The end of the control channel means that the parent is gone, however it went.
    """

    def __init__(self, control_fd: int, settings: Settings) -> None:
        self._control = socket.socket(fileno=control_fd)
        self._settings = settings
        self._children: dict[int, int] = {}
        """Process id → job number."""
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def serve(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the parent's business
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        gc.freeze()  # keeps the pages of imported modules shared with the children
        self._send({"ready": self._probe()})
        while True:
            readable, _, _ = select.select([self._control.fileno(), self._wake_read], [], [])
            if self._wake_read in readable:
                self._reap()
            if self._control.fileno() in readable and not self._command():
                break
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)

    def _command(self) -> bool:
        data, fds, _, _ = socket.recv_fds(self._control, 4096, 1)
        if not data:
            return False
        command = json.loads(data)
        if "run" in command:
            self._fork(int(command["run"]), fds[0])
        else:
            for pid, number in self._children.items():
                if number == command["kill"]:
                    os.kill(pid, signal.SIGKILL)
        return True

    def _fork(self, number: int, channel: int) -> None:
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError:  # the machine is full; the children that run are not to pay for it
            os.close(channel)
            self._send({"ended": number, "code": _NO_FORK})
            return
        if pid:
            os.close(channel)
            self._children[pid] = number
            return
        try:
            self._leave()
            fences.die_with_parent(parent)
            _run_one(channel, channel, self._settings)
        finally:
            os._exit(70)

    def _leave(self) -> None:
        """In a child: give up everything of the zygote's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self._control.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake_read, 4096):
                pass
        for pid in list(self._children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._send({"ended": self._children.pop(pid), "code": os.waitstatus_to_exitcode(status)})

    def _send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # the parent is gone; the next read says so
            self._control.send(json.dumps(message).encode())

    def _probe(self) -> dict[str, bool]:
        """Which layers hold, tried in a child that then ends."""
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            held = fences.apply(memory_bytes=self._settings.memory_bytes, cpu_seconds=60)
            os.write(write, json.dumps(held).encode())
            os._exit(0)
        os.close(write)
        answer = os.read(read, 4096)
        os.close(read)
        os.waitpid(pid, 0)
        return {"process": True, **(json.loads(answer) if answer else dict.fromkeys(fences.LAYERS, False))}


def _run_one(came: int, went: int, settings: Settings) -> None:
    """Serve one job, then end the process, whatever is still running in it."""
    frame = framing.read(came)
    if frame is None:
        os._exit(0)
    job = Job.model_validate_json(frame.body)
    held = fences.apply(memory_bytes=settings.memory_bytes, cpu_seconds=_cpu_seconds(job))
    stop = threading.Event()
    threading.Thread(target=_listen, args=(came, stop), daemon=True).start()
    writing = threading.Lock()

    def emit(answer: Answer) -> None:
        kind, body = _KINDS[type(answer)], answer.model_dump_json().encode()
        if len(body) > _MOST.get(kind, sys.maxsize):
            kind, body = Kind.REFUSED, _TOO_LARGE.model_dump_json().encode()
        with writing:
            framing.write(went, kind, body)

    missing = [layer for layer, holds in held.items() if not holds]
    if settings.strict and missing:
        text = f"this system lacks {', '.join(missing)} and the sandbox is strict; nothing was run"
        emit(_refused("sandbox_incomplete", text))
    else:
        _serve(job, settings, emit, stop)
    os._exit(0)


_KINDS = {
    Refused: Kind.REFUSED,
    Built: Kind.BUILT,
    SolveProgress: Kind.PROGRESS,
    Solved: Kind.SOLVED,
    Found: Kind.FINDINGS,
    Text: Kind.TEXT,
}
_MOST = {Kind.BUILT: framing.MOST_BYTES[Kind.BUILT], Kind.FINDINGS: framing.MOST_EXPORTED_BYTES}
"""What a model may outgrow."""


def _cpu_seconds(job: Job) -> int | None:
    """A belt for a child that lost its parent; the parent's clock is tighter."""
    limit = job.parameters.time_limit
    return None if limit is None else int(2 * job.build_seconds + (limit + 10) * (job.parameters.threads + 1))


def _listen(came: int, stop: threading.Event) -> None:
    frame = framing.read(came)
    if frame is None:
        os._exit(0)  # nobody waits for the result any more
    stop.set()
    while os.read(came, 4096):
        pass
    os._exit(0)


def _serve(job: Job, settings: Settings, emit: jobs.Emit, stop: threading.Event) -> None:
    barred: dict[str, str] = {}
    try:
        if settings.checked:
            report = policy.check(job.source, extra_imports=settings.extra_imports)
            if report is not None:
                emit(jobs.refused(report))
                return
            barred = _barred(job, settings)
        jobs.run_job(job, emit, stop, barred)
    except MemoryError:
        gc.collect()
        emit(_refused("memory_limit", "the program needs more memory than it may use"))
    except BaseException as error:  # SystemExit and the like are the program's doing too
        emit(_refused("crashed", f"the program ended its process with {type(error).__name__:.80}"))


def _barred(job: Job, settings: Settings) -> dict[str, str]:
    """Code of a check → why it may not run."""
    reports = {
        check.code: policy.check_method(check.code, job.source, extra_imports=settings.extra_imports)
        for check in job.checks
    }
    return {code: report.message for code, report in reports.items() if report is not None}


def _refused(error_type: str, message: str) -> Refused:
    return jobs.refused(FormulationErrorReport(component="program", error_type=error_type, message=message))


_TOO_LARGE = _refused("too_large", "the model has too many variables and rows to be told apart")


if __name__ == "__main__":
    main(sys.argv[1:])
