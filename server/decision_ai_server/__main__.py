"""`python -m decision_ai_server`: run the server from a terminal, or as the private server of clients.

Whoever starts it as a private server hands it `--ready-fd`, a file descriptor on which it says when it
accepts connections, and `--clients-lock`, the file its clients hold a lock on: it ends when none does.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
from pathlib import Path

from pydantic import ValidationError

from decision_ai.client.clients_lock import wait_until_no_clients
from decision_ai.errors import DecisionAIError
from decision_ai_server.app import serve
from decision_ai_server.settings import ANY_ADDRESS, Settings, setting_problem


def main(arguments: list[str] | None = None) -> int:
    """Run until told to stop; the exit status is 2 when the settings do not work."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        _run(options)
    except ValidationError as error:
        return _refuse(setting_problem(error))
    except DecisionAIError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:  # the server has ended in good order and passes the signal on
        return 130
    return 0


def _run(options: argparse.Namespace) -> None:
    given = {"host": options.host, "port": options.port}
    unkeyed = Settings(**{name: value for name, value in given.items() if value is not None})
    settings = unkeyed.with_key()
    if options.ready_fd is not None:
        # Ours alone: a sandbox process that inherits it would hold the other end's reader back for ever.
        os.set_inheritable(options.ready_fd, False)

    def on_ready(port: int) -> None:
        url = _url(settings.host, port)
        if options.ready_fd is not None:
            with os.fdopen(options.ready_fd, "w") as ready:
                ready.write(json.dumps({"url": url, "pid": os.getpid()}) + "\n")
            return
        _say(f"decision-ai answers at {url}; Ctrl-C ends it")
        if unkeyed.api_key is None and settings.api_key is not None:
            _say(f"DECISION_AI_API_KEY={settings.api_key.get_secret_value()}  (a new key, shown only now)")

    lock: Path | None = options.clients_lock
    until = None if lock is None else lambda: _wait_for_the_last_client(lock)
    serve(settings, on_ready=on_ready, until=until)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m decision_ai_server",
        description="Run the decision-ai server; everything else is set by DECISION_AI_SERVER_* variables.",
    )
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on, 0 = any free one (default 8765)")
    parser.add_argument(
        "--ready-fd",
        type=int,
        metavar="N",
        help='write {"url", "pid"} to this file descriptor once connections are accepted, and close it',
    )
    parser.add_argument(
        "--clients-lock", type=Path, metavar="PATH", help="end when no client holds a lock on this file"
    )
    return parser


def _wait_for_the_last_client(lock: Path) -> None:
    """Block until no client is left; the lock is then ours until the process ends."""
    asyncio.run(wait_until_no_clients(lock))


def _url(host: str, port: int) -> str:
    if host in ANY_ADDRESS:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _refuse(sentence: str) -> int:
    _say(f"decision-ai: {sentence}")
    return 2


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
