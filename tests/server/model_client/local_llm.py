"""llama.cpp's server over the random model, in a process of its own so that it can be killed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from random_gguf import CONTEXT


@dataclass(frozen=True)
class LocalLlm:
    """A running server of the random model.

    Attributes:
        base_url: its address up to `/v1`.
        model: what it calls the model.
    """

    base_url: str
    model: str
    process: subprocess.Popen[str]

    def kill(self) -> None:
        """Kill it as a power cut does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(file: Path) -> Iterator[LocalLlm]:
    """Serve a GGUF file on a free port until the block ends; it has loaded when the block begins."""
    options = ["--model", str(file), "--threads", "1", "--context", str(CONTEXT), "--json"]
    command = [sys.executable, "-m", "decision_ai_server.models", "serve-local", *options]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            ready = json.loads(process.stdout.readline())
            yield LocalLlm(ready["base_url"], ready["model"], process)
        finally:
            process.kill()
