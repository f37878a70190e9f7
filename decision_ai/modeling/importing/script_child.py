"""Runs one PuLP script, with the rights of whoever runs it, and writes down the model it builds.

`python -P -m decision_ai.modeling.importing.script_child RESULT SCRIPT [PROBLEM]`: the script runs as
`__main__` with its own folder first on the path, an empty input and its output on standard error. RESULT
becomes a JSON file: `{"picture": ...}` or `{"error": ...}`.
"""

import ast
import contextlib
import json
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from decision_ai.modeling.importing.pulp_algebra import REFUSED, NotRead
from decision_ai.modeling.importing.recorder import SUBMODULES, ProblemChoice, Recorder, Solved


def main(arguments: list[str]) -> None:
    """Read one script."""
    result, script, *wanted = arguments
    os.dup2(2, 1)  # whatever writes to standard output, also a program that the script starts
    try:
        found = read(script, wanted[0] if wanted else None)
    except KeyboardInterrupt:  # the parent is told too, and speaks for both
        sys.exit(130)
    Path(result).write_text(json.dumps(found), encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # whatever the script put there
            stream.flush()
    os._exit(0)  # threads of the script would go on


def read(script: str, wanted: str | None) -> dict[str, Any]:
    """The picture of the problem in a script, or what is wrong, as JSON values.

    Replaces `__main__` and `pulp` in this process.
    """
    recorder = Recorder(wanted)
    main_module = ModuleType("__main__")
    vars(main_module).update(__file__=script, __builtins__=__builtins__)
    pulp = recorder.module()
    sys.modules["__main__"] = main_module
    sys.modules.update({"pulp": pulp, **{f"pulp.{name}": pulp for name in SUBMODULES}})
    sys.argv = [script]
    sys.path.insert(0, str(Path(script).resolve().parent))
    try:
        text = Path(script).read_bytes()
        exec(compile(text, script, "exec"), vars(main_module))
    except Solved:
        pass
    except (Exception, SystemExit, NotRead) as error:
        # What went on after a swallowed stop does not count any more.
        wrong = _wrong(error, script)
        if recorder.picture is None and wrong is not None:
            return {"error": wrong}
    if recorder.picture is None and REFUSED:
        return {"error": _wrong(REFUSED[0], script)}
    try:
        picture = recorder.finish(vars(main_module))
    except ProblemChoice as error:
        return {"error": str(error)}
    return {"picture": {**picture, "docstring": _docstring(text)}}


def _wrong(error: BaseException, script: str) -> str | None:
    """One sentence on what a script was stopped by; None if it just ended."""
    if isinstance(error, SystemExit):
        return f"it ends itself before a solve: {error.code}" if error.code not in (None, 0) else None
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == script else None
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == script]
    line = line or (lines[-1] if lines else None)
    where = "" if line is None else f"line {line}: "
    if isinstance(error, NotRead | ProblemChoice):
        return f"{where}{error}"
    if isinstance(error, ImportError) and error.name == "pulp":
        return (
            f"{where}{str(error).partition(' (')[0]}, which is not known while a script is read for its model"
        )
    return f"{where}{type(error).__name__}: {str(error) or 'no message'}"


def _docstring(text: bytes) -> str:
    return ast.get_docstring(ast.parse(text)) or ""


if __name__ == "__main__":
    main(sys.argv[1:])
