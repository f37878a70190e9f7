"""A scripted endpoint in a process of its own, so that it can be killed in the middle of a reply."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decision_ai_server.testing.openai_server.replies import Script


@dataclass(frozen=True)
class ScriptedProcess:
    """A running endpoint.

    Attributes:
        base_url: its address up to `/v1`.
        pid: its process.
    """

    base_url: str
    pid: int
    _process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """Kill it as a power cut does; a second time does nothing."""
        self._process.kill()
        self._process.wait()


@contextmanager
def scripted_process(script: Script, *, port: int = 0) -> Iterator[ScriptedProcess]:
    """Run a scripted endpoint in a process of its own until the block ends.

    Args:
        script: what it plays.
        port: 0 = any free one; the same again for one that comes back after it was killed.

    Raises:
        RuntimeError: if it does not start; its own words are on stderr.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.json"
        file.write_text(script.model_dump_json(), encoding="utf-8")
        command = [sys.executable, "-m", __package__, str(file), "--port", str(port)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            try:
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError("the scripted endpoint did not start: see what it wrote to stderr")
                yield ScriptedProcess(**json.loads(line), _process=process)
            finally:
                process.kill()
