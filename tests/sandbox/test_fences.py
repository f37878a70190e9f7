"""Each layer is applied by itself and told by what the kernel said."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from decision_ai.sandbox import fences

pytestmark = [pytest.mark.core, pytest.mark.skipif(sys.platform != "linux", reason="Linux only")]


def apply(before: str = "", after: str = "") -> dict[str, bool]:
    """Put the fences up in a process of its own."""
    script = (
        "import json, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from decision_ai.sandbox import fences\n"
        f"{before}\n"
        "held = fences.apply(memory_bytes=2**32, cpu_seconds=9)\n"
        f"{after}\n"
        "print(json.dumps(held))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    held: dict[str, bool] = json.loads(done.stdout)
    return held


def test_all_layers_are_told() -> None:
    assert apply() == dict.fromkeys(fences.LAYERS, True)


def test_a_missing_layer_is_not_claimed() -> None:
    assert apply(before="fences.seccomp = None")["seccomp"] is False


def test_a_refused_system_call_is_not_claimed() -> None:
    held = apply(before="fences._CREATE_RULESET = 10**6")

    assert held["landlock"] is False
    assert held["seccomp"] is True


def test_libraries_stay_readable_and_nothing_else() -> None:
    after = (
        "import colorsys\n"
        "for path in ('/etc/passwd', '/proc/self/environ', '/proc/1/status'):\n"
        "    try: open(path).read()\n"
        "    except PermissionError: continue\n"
        "    raise SystemExit(path)"
    )
    apply(after=after)


def test_threads_still_start() -> None:
    apply(after="import threading; t = threading.Thread(target=print); t.start(); t.join()")
