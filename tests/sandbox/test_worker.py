"""A worker spoken to directly, over its standard streams."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from decision_ai.sandbox import framing
from decision_ai.sandbox.framing import Kind
from decision_ai.solving.answers import Built, Refused
from decision_ai.solving.executors.base import Job

pytestmark = pytest.mark.core

PROGRAM = """
from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous


class D(InputData):
    pass


class V(Variables):
    x: Var = continuous(upper=5)


class M(OptModel[D, V]):
    @constraint()
    def cap(self, data, v):
        return v.x <= 4
"""


def speak(*, strict: bool, before: str = "") -> list[tuple[int, bytes]]:
    """Give a fresh worker one build job; returns its frames."""
    settings = {"memory_bytes": 2**32, "extra_imports": [], "strict": strict, "checked": True}
    script = (
        f"import sys; sys.path.append({str(Path(__file__).parents[2])!r})\n"
        "from decision_ai.sandbox import fences, worker\n"
        f"{before}\n"
        f"worker.main(['single', {json.dumps(settings)!r}])\n"
    )
    body = Job(task="build", source=PROGRAM, json_data="{}").model_dump_json().encode()
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framing.head(Kind.JOB, body) + body)
        process.stdin.flush()
        out = process.stdout.read()
    frames = []
    while out:
        size, kind = framing.read_head(out[: framing.HEAD_SIZE])
        frames.append((kind, out[framing.HEAD_SIZE : framing.HEAD_SIZE + size]))
        out = out[framing.HEAD_SIZE + size :]
    return frames


def test_one_job_one_answer_and_nothing_else_on_standard_output() -> None:
    ((kind, body),) = speak(strict=False)

    assert kind == Kind.BUILT
    assert Built.model_validate_json(body).description.columns == 1


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")
def test_strict_runs_nothing_where_a_layer_is_missing() -> None:
    ((kind, body),) = speak(strict=True, before="fences.seccomp = None")

    assert kind == Kind.REFUSED
    assert "seccomp" in body.decode()
    assert "sandbox_incomplete" in body.decode()
    assert Refused.model_validate_json(body)


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")
def test_not_strict_runs_without_it() -> None:
    ((kind, _),) = speak(strict=False, before="fences.seccomp = None")
    assert kind == Kind.BUILT
