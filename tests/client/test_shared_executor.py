import subprocess
import sys

from decision_ai.client.loop_thread import run_blocking
from decision_ai.client.shared_executor import shared_executor
from decision_ai.solving.executors.base import Executor

SCRIPT = """
from decision_ai.client.loop_thread import run_blocking
from decision_ai.client.shared_executor import shared_executor
from decision_ai.solving.executors.base import Job

async def run():
    async with shared_executor() as executor:
        result = await executor.run(Job(task="build", source="x = 1", json_data="{}"))
        print(result.validation.kind)

run_blocking(run())
run_blocking(run())
"""


async def opened() -> Executor:
    async with shared_executor() as executor:
        return executor


def test_every_call_gets_the_same_one() -> None:
    assert run_blocking(opened()) is run_blocking(opened())


def test_a_script_ends_although_it_was_used() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, timeout=15, check=True
    )
    assert ran.stdout.split() == ["formulation_validation_failed"] * 2
    assert ran.stderr == ""
