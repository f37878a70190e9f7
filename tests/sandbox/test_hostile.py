"""Programs that attack: refused by the allow-list, and stopped by the process fences when the list is left
out.

In both cases the caller lives on and the next job works.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from attacks import ATTACKS, FORGED, FORGED_FINDINGS, MODEL, SPEAK, program

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.sandbox.runner import Runner
from decision_ai.sandbox.settings import SandboxPolicy
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import Findings, PlanCheck

pytestmark = [
    pytest.mark.core,
    pytest.mark.asyncio(loop_scope="module"),  # one zygote for all, as in real life
    pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's"),
]

BLOCKED = {
    name: source.replace(
        "        return v.x <= 4", "        raise RuntimeError('SUCCEEDED')\n        return v.x <= 4"
    )
    for name, source in ATTACKS.items()
}


def report(result: JobResult) -> FormulationErrorReport:
    """The report of a result whose program did not build."""
    assert isinstance(result.validation, FormulationValidationFailed), result.validation
    assert isinstance(result.validation.error, FormulationErrorReport)
    return result.validation.error


async def run(runner: Runner, source: str, *, seconds: float = 10.0, task: str = "solve") -> JobResult:
    """Run a program and then a good one, which must work."""
    job = Job(task=task, source=source, json_data="{}", build_seconds=seconds)  # type: ignore[arg-type]
    result = await runner.run(job, stop=asyncio.Event())
    good = Job(task="solve", source=program("pass"), json_data="{}")
    assert (await runner.run(good, stop=asyncio.Event())).solution_str == "4.0"
    return result


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def listed() -> AsyncIterator[Runner]:
    runner = Runner()
    yield runner
    await runner.aclose()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def unlisted() -> AsyncIterator[Runner]:
    runner = Runner(SandboxPolicy(memory_bytes=2 * 2**30), checked=False)
    yield runner
    await runner.aclose()


@pytest.fixture(params=["listed", "unlisted"])
def either(request: pytest.FixtureRequest, listed: Runner, unlisted: Runner) -> Runner:
    """With and without the allow-list."""
    return {"listed": listed, "unlisted": unlisted}[request.param]


async def test_all_layers_hold_here(unlisted: Runner) -> None:
    assert all((await unlisted.layers()).values())


async def test_the_list_refuses_every_attack(listed: Runner) -> None:
    for name, source in {**ATTACKS, "subclasses": program("().__class__.__base__.__subclasses__()")}.items():
        job = Job(task="build", source=source, json_data="{}")
        error = report(await listed.run(job, stop=asyncio.Event()))
        assert error.error_type == "not_allowed", name
        assert error.line is not None, name
        assert error.message, name


@pytest.mark.parametrize("name", BLOCKED)
async def test_the_fences_stop_every_attack(unlisted: Runner, name: str) -> None:
    error = report(await run(unlisted, BLOCKED[name]))

    assert "SUCCEEDED" not in error.message
    assert error.component in ("constraint", "program")


async def test_no_attack_left_a_file() -> None:
    assert not await asyncio.to_thread(Path("/tmp/evil").exists)


async def test_the_environment_is_empty(unlisted: Runner) -> None:
    source = program("if dict(os.environ): raise ValueError(sorted(os.environ))", "import os\n")
    assert (await run(unlisted, source)).validation == ValidationSucceeded()


async def test_subclasses_lead_nowhere(unlisted: Runner) -> None:
    attack = (
        "for c in ().__class__.__base__.__subclasses__():\n    if c.__name__ == 'Popen': c(['/bin/true'])"
    )
    result = await run(unlisted, program(attack + "\nraise ValueError('tried')", "import subprocess\n"))
    assert "PermissionError" in report(result).message


async def test_endless_loop(either: Runner) -> None:
    error = report(await run(either, program("while True: pass"), seconds=0.7))

    assert error.error_type == "time_limit"


async def test_loop_that_holds_the_interpreter(either: Runner) -> None:
    error = report(await run(either, program("x = 7 ** (7 ** 12)"), seconds=0.7))

    assert error.error_type in ("time_limit", "memory_limit")


async def test_fifty_gigabytes(either: Runner) -> None:
    error = report(await run(either, program("x = [0] * (50 * 2**27)")))

    assert error.error_type == "memory_limit"


async def test_memory_taken_while_the_program_loads(unlisted: Runner) -> None:
    error = report(await run(unlisted, "x = [0] * (50 * 2**27)\n" + MODEL))
    assert error.error_type == "memory_limit"


async def test_recursion(either: Runner) -> None:
    error = report(await run(either, program("def f(n): return f(n + 1)\nf(0)")))

    assert error.error_type == "exception"
    assert "itself" in error.message


async def test_source_nested_without_end(listed: Runner) -> None:
    for source in (
        "(" * 5000,
        "(" * 2**20,
        "x = a" + "+a" * 400_000,
        "x = " + "a[" * 90 + "]" * 90,
        "x = " + "-" * 200_000 + "1",
        "x = " + "[" * 90 + "]" * 90 + ".a" * 100_000,
    ):
        error = report(
            await listed.run(Job(task="build", source=source, json_data="{}"), stop=asyncio.Event())
        )
        assert error.error_type in ("syntax_error", "not_allowed", "too_large", "exception", "import")


async def test_output_goes_nowhere(either: Runner, capfd: pytest.CaptureFixture[str]) -> None:
    result = await run(either, program("for _ in range(2000): print('flood' * 1000)"))

    assert result.solution_str == "4.0"
    assert "flood" not in capfd.readouterr().out


async def test_flood_of_text_is_cut(listed: Runner) -> None:
    result = await run(listed, MODEL.replace("ATTACK", "pass").replace("str(v.x.value())", "'a' * 10**8"))
    assert result.solution_str is not None
    assert len(result.solution_str) <= 4 * 2**20 + 100


async def test_segmentation_fault(unlisted: Runner) -> None:
    error = report(await run(unlisted, program("ctypes.string_at(8)", "import ctypes\n")))

    assert error.error_type == "crashed"
    assert "signal 11" in error.message


@pytest.mark.parametrize("attack", ["os._exit(0)", "os._exit(3)", "os.abort()", "sys.exit(1)"])
async def test_program_that_ends_its_process(unlisted: Runner, attack: str) -> None:
    error = report(await run(unlisted, program(attack, "import os, sys\n")))
    assert error.error_type == "crashed"


@pytest.mark.parametrize(
    "attack",
    [
        # a frame of 4 GiB, one of an unknown kind, garbage, and a result that was never asked for
        r"os.write(fd, b'\xff\xff\xff\xff\x04')",
        r"os.write(fd, b'\x00\x00\x00\x00\x63')",
        r"os.write(fd, b'\x00\x00\x00\x02\x04{}')",
        r"os.write(fd, b'\x00\x00\x00\x02\x06{}')",
        r"""os.write(fd, b'\x00\x00\x00\x0e\x05{"seconds": 1}' * 100000)""",
    ],
)
async def test_program_that_speaks_to_the_parent(unlisted: Runner, attack: str) -> None:
    every = f"for fd in range(3, 64):\n    try: {attack}\n    except OSError: pass"
    error = report(await run(unlisted, program(every, "import os\n")))
    assert error.error_type == "crashed"


@pytest.mark.parametrize("name", FORGED)
async def test_forged_answer(unlisted: Runner, name: str) -> None:
    result = await run(unlisted, program(FORGED[name] + "\nos._exit(0)", SPEAK))

    if isinstance(result.validation, ValidationSucceeded):
        assert result.outcome is not None
        assert result.outcome.kind == "error"
        assert result.plan is None
        assert "protocol" in str(result.outcome.message)
    else:
        assert report(result).error_type == "crashed"
        assert "protocol" in report(result).message


@pytest.mark.parametrize("name", FORGED_FINDINGS)
async def test_forged_findings(unlisted: Runner, name: str) -> None:
    task, attack = FORGED_FINDINGS[name]
    result = await run(unlisted, program(attack + "\nos._exit(0)", SPEAK), task=task)

    assert report(result).error_type == "crashed"
    assert "protocol" in report(result).message
    assert result.findings == Findings()


async def test_a_check_outside_the_allow_list_is_not_run(listed: Runner, unlisted: Runner) -> None:
    code = "def evil(self, data, v):\n    import os\n    os._exit(1)\n"
    check = PlanCheck(name="evil", sentence="", code=code)
    job = Job(task="solve", source=program("pass"), json_data="{}", checks=[check])
    (told,) = (await listed.run(job, stop=asyncio.Event())).findings.checks

    assert told.holds is None
    assert "importing 'os' is not allowed" in told.message
    result = await unlisted.run(job, stop=asyncio.Event())  # the fences: it costs the check and the words
    assert result.plan is not None
    assert [check.holds for check in result.findings.checks] == [None]


async def test_text_the_wire_cannot_carry(listed: Runner) -> None:
    words = MODEL.replace("ATTACK", "pass").replace("str(v.x.value())", r"'a\0b\ud800c'")
    assert (await run(listed, words)).solution_str == "a\ufffdb?c"
    for source in (
        program(r"raise ValueError('a\0b\ud800')"),
        r"raise ValueError('a\0b\ud800')" + "\n" + MODEL,
    ):
        assert "a\ufffdb?" in report(await run(listed, source)).message


async def test_a_child_holds_nothing_of_its_parent(unlisted: Runner) -> None:
    attack = (
        "found = []\nfor fd in range(200):\n    try: found.append(os.fstat(fd).st_rdev)\n"
        "    except OSError: pass\nraise ValueError(found)"
    )
    null = (await asyncio.to_thread(Path(os.devnull).stat)).st_rdev
    assert str([null, null, null, 0]) in report(await run(unlisted, program(attack, "import os\n"))).message


async def test_fifty_jobs_leave_nothing_behind(unlisted: Runner) -> None:
    job = Job(task="build", source=program("os._exit(1)", "import os\n"), json_data="{}")
    await unlisted.run(job, stop=asyncio.Event())
    us = psutil.Process()
    zygotes = us.children()
    before = (us.num_fds(), us.num_threads(), sum(zygote.num_fds() for zygote in zygotes))
    for _ in range(10):
        await asyncio.gather(*(unlisted.run(job, stop=asyncio.Event()) for _ in range(5)))

    assert (us.num_fds(), us.num_threads(), sum(zygote.num_fds() for zygote in zygotes)) == before
    assert len(us.children(recursive=True)) == len(zygotes)


async def test_zygote_killed_under_running_jobs() -> None:
    before = psutil.Process().children()
    runner = Runner()
    await runner.layers()
    (zygote,) = set(psutil.Process().children()) - set(before)  # ids of processes may start anew at 1
    jobs = [Job(task="build", source=program("while True: pass"), json_data="{}") for _ in range(3)]
    running = asyncio.gather(*(runner.run(job, stop=asyncio.Event()) for job in jobs))
    await asyncio.sleep(0.3)
    zygote.send_signal(signal.SIGKILL)

    assert {report(result).error_type for result in await running} == {"memory_limit"}
    assert (await run(runner, program("pass"))).solution_str == "4.0"
    await runner.aclose()


async def test_words_that_never_come_cost_only_the_words(listed: Runner) -> None:
    source = MODEL.replace("ATTACK", "pass").replace("return str(v.x.value())", "while True: pass")
    result = await run(listed, source, seconds=1.0)

    assert result.outcome is not None
    assert result.outcome.objective == 4
    assert result.solution_str is not None
    assert "missing" in result.solution_str


async def test_killed_zygote_is_replaced() -> None:
    before = psutil.Process(os.getpid()).children()
    runner = Runner()
    await run(runner, program("pass"))
    (zygote,) = (child for child in psutil.Process(os.getpid()).children() if child not in before)
    zygote.send_signal(signal.SIGKILL)
    await asyncio.sleep(0.1)

    assert (await run(runner, program("pass"))).solution_str == "4.0"
    await runner.aclose()


async def test_no_process_outlives_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, os, sys\n"
        "from decision_ai.sandbox.runner import Runner\n"
        "from decision_ai.solving.executors.base import Job\n"
        "async def main():\n"
        "    runner = Runner()\n"
        "    await runner.layers()\n"
        "    job = Job(task='build', source='while True: pass', json_data='{}')\n"
        "    asyncio.ensure_future(runner.run(job, stop=asyncio.Event()))\n"
        "    await asyncio.sleep(0.5)\n"
        "    sys.stdout.write('up\\n'); sys.stdout.flush()\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        str(script),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert parent.stdout is not None
    assert await parent.stdout.readline() == b"up\n"
    family = psutil.Process(parent.pid).children(recursive=True)
    assert len(family) == 2
    parent.kill()
    await parent.communicate()

    _, alive = await asyncio.to_thread(psutil.wait_procs, family, 3)
    assert not alive
