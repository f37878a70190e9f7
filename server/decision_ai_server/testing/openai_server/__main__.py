"""`python -m decision_ai_server.testing.openai_server SCRIPT.json`: a scripted endpoint in its own process.

It prints one JSON line, {"base_url", "pid"}, once it answers, and runs until it is ended.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path

from decision_ai_server.testing.openai_server.replies import Script
from decision_ai_server.testing.openai_server.server import ScriptedOpenAIServer


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m decision_ai_server.testing.openai_server")
    parser.add_argument("script", type=Path, metavar="SCRIPT.json", help='{"replies": [...], "peer": {...}}')
    parser.add_argument("--port", type=int, default=0, help="port to listen on, 0 = any free one")
    options = parser.parse_args(arguments)
    script = Script.model_validate_json(options.script.read_bytes())
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(script, options.port))
    return 0


async def _serve(script: Script, port: int) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    async with ScriptedOpenAIServer(script.replies, script.peer, port=port) as server:
        sys.stdout.write(json.dumps({"base_url": server.base_url, "pid": os.getpid()}) + "\n")
        sys.stdout.flush()
        await ended.wait()


if __name__ == "__main__":
    sys.exit(main())
