"""Every snippet of docs/modeling.md runs, in the order of the page, in one process as in one notebook."""

import ast
import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "modeling.md"
_BLOCK = re.compile(r"^(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)


def blocks() -> Iterator[tuple[str | None, int, str]]:
    """File name or None, first line on the page, and text of everything that runs or is a file."""
    page = PAGE.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(page):
        if found["file"] or found["kind"] == "python":
            yield found["file"], page.count("\n", 0, found.start("text")) + 1, found["text"]


def main() -> None:
    """Write the files and run the snippets in the present folder; a traceback names the line of the page."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for file, line, text in blocks():
        if file:
            Path(file).write_text(text, encoding="utf-8")
            continue
        code = compile("\n" * (line - 1) + text, PAGE.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = eval(code, namespace)
        if running is not None:
            asyncio.run(running)


@pytest.mark.timeout(150)
def test_the_snippets_run(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=140,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_snippet_that_runs_says_what_holds() -> None:
    silent = [line for file, line, text in blocks() if file is None and "assert" not in text]
    assert silent == []


if __name__ == "__main__":
    main()
