import asyncio
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from comparing import assert_same, built
from under_pulp import OLD

from decision_ai.errors import DecisionAIError
from decision_ai.modeling.importing.foreign import ForeignModel
from decision_ai.modeling.importing.importer import import_model
from decision_ai.modeling.importing.program_writer import program_of
from decision_ai.modeling.importing.pulp_script import read_script
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.executors.local import LocalExecutor

pytestmark = pytest.mark.core

SCRIPTS = Path(__file__).parents[2] / "data" / "scripts"
NAMES = sorted(path.name for path in SCRIPTS.glob("*.py"))
MODELS = [name for name in NAMES if name != "two_problems.py"]
_ILLEGAL = str.maketrans("-+[] ->/", "________")


@pytest.mark.parametrize("name", MODELS)
def test_a_script_gives_the_rows_of_pulp_and_its_optimum(name: str, tmp_path: Path) -> None:
    model = read_script(SCRIPTS / name)
    imported = program_of(model)
    assert_same(model, built(imported))
    if not OLD and name != "modern_v4.py":
        pytest.skip("a script for PuLP 2 or 3")

    result = tmp_path / "real.json"
    command = [sys.executable, Path(__file__).with_name("under_pulp.py"), SCRIPTS / name, result]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    real = json.loads(result.read_text())

    assert (model.sense, model.offset) == (real["sense"], real["offset"])
    assert _columns(model) == {c[0]: tuple(c[1:]) for c in real["columns"]}
    names = [column[0] for column in real["columns"]]
    assert _rows(model) == sorted(
        (lower, upper, sorted((names[at], value) for at, value in terms))
        for _name, lower, upper, terms in real["rows"]
    )

    solved = asyncio.run(_solved(imported.source, imported.json_data))
    assert solved.outcome is not None
    assert solved.outcome.objective is not None
    assert math.isclose(solved.outcome.objective, real["optimum"], abs_tol=1e-6)


@pytest.mark.parametrize(
    ("name", "variables", "constraints"),
    [
        ("blending_v2.py", {"Ingr"}, {"PercentagesSum", "ProteinRequirement", "FatRequirement"}),
        ("transport_csv.py", {"ship"}, {"supply", "demand"}),
        ("assignment_tuples.py", {"assign"}, {"one_task", "done", "line_25"}),
        (
            "lot_sizing_loops.py",
            {"make", "stock", "setup"},
            {"line_21", "line_23", "line_24", "capacity", "line_28"},
        ),
        ("class_based.py", {"start", "extra"}, {"cover", "reserve"}),
    ],
)
def test_families_are_what_the_script_says(name: str, variables: set[str], constraints: set[str]) -> None:
    program = Program.parse(import_model(SCRIPTS / name).source)
    assert set(program.variables) == variables
    assert set(program.constraints) == constraints


def test_the_docstring_of_the_script_and_the_line_of_its_solve_are_kept() -> None:
    model = read_script(SCRIPTS / "blending_v2.py")
    assert model.docstring == "Cat food at least cost, as people wrote for PuLP 2."
    assert "line 20" in model.notes[0]


def test_only_what_was_built_before_the_first_solve_counts() -> None:
    assert [row.name for row in read_script(SCRIPTS / "swallows_exceptions.py").rows] == ["need"]
    assert [row.name for row in read_script(SCRIPTS / "solves_twice.py").rows] == ["_C1", "second"]


def test_one_of_several_problems_is_named_by_its_name_or_its_variable() -> None:
    path = SCRIPTS / "two_problems.py"
    assert read_script(path, "second").sense == "maximize"
    assert read_script(path, "first").name == "first plan"
    assert read_script(path, "first plan").name == "first plan"
    with pytest.raises(
        DecisionAIError, match="makes 2 problems and solves none: 'first plan', 'second'; name"
    ):
        read_script(path)
    with pytest.raises(DecisionAIError, match="no problem 'third'; there are: 'first plan', 'second'"):
        read_script(path, "third")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import pulp\nx = 1 +\n", "line 2: SyntaxError"),
        ("import pulp\n\n1 / 0\n", "line 3: ZeroDivisionError: division by zero"),
        (
            "import pulp\nx = pulp.LpVariable('x')\ny = x * x\n",
            "line 3: TypeError: a product of two variables",
        ),
        ("import pulp\nx = pulp.LpVariable('x')\ny = x ** 2\n", "line 3: TypeError: a power"),
        (
            "import pulp\nx = pulp.LpVariable('x')\nc = x > 2\n",
            "line 3: TypeError: a linear model has no strict",
        ),
        ("from pulp import Nothing\n", "line 1: cannot import name 'Nothing' from 'pulp'"),
        ("import pulp\npulp.nothing()\n", "line 2: AttributeError: pulp.nothing is not known"),
        (
            "import pulp\np = pulp.LpProblem()\np.nothing()\n",
            "line 3: AttributeError: LpProblem.nothing is not",
        ),
        (
            "import pulp\ntry:\n    pulp.LpProblem.fromMPS('a')\nexcept Exception:\n    pass\n",
            "line 3: a script",
        ),
        (
            "import pulp\np = pulp.LpProblem()\ntry:\n    p.add_sos_group()\nexcept:\n    pass\np.solve()\n",
            "line 4: special ordered sets are not read",
        ),
        (
            "import pulp\np = pulp.LpProblem()\ntry:\n    p.add_sos_group()\nexcept: pass\n"
            "try:\n    p.solve()\nexcept: pass\n",
            "line 4: special ordered sets are not read",
        ),
        ("import pulp\n", "makes no LpProblem when it is run; call the function"),
        ("import pulp, sys\nsys.exit('which data?')\n", "it ends itself before a solve: which data?"),
        ("import pulp, os\nos._exit(3)\n", "ended its process (exit status 3) before a solve"),
        (
            "import pulp\np = pulp.LpProblem('p')\np += p.add_variable('x', 3, 2) >= 0\n",
            "the lower bound 3 of column 'x' is above its upper bound 2",
        ),
        ("import pulp\nx = 2\ninput('size? ')\n", "line 3: EOFError"),
    ],
)
def test_what_stops_a_script_is_told_with_its_line(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(text)
    with pytest.raises(DecisionAIError, match=re.escape(sentence)) as raised:
        read_script(path)
    assert str(raised.value).startswith(repr(str(path)))
    assert "\n" not in str(raised.value)


def test_a_script_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import time\ntime.sleep(60)\n")
    before = time.monotonic()
    with pytest.raises(DecisionAIError, match=r"was stopped after 0\.5 s, before its first solve"):
        read_script(path, seconds=0.5)
    assert time.monotonic() - before < 10


def test_an_interrupt_ends_the_script_too(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "import time, pathlib, os\npathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(60)\n"
    )
    code = f"from decision_ai import import_model; import_model({str(path)!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    pid = tmp_path / "pid"
    while not pid.exists() or not pid.read_text():
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as from a keyboard: to both
    _, told = process.communicate(timeout=15)
    assert told.count("Traceback") == 1
    assert "KeyboardInterrupt" in told
    assert not Path(f"/proc/{pid.read_text()}").exists()


def test_a_script_runs_in_its_own_surroundings(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def rows(p, x):\n    p += x >= 1\n    p += x <= 5\n")
    (tmp_path / "script.py").write_text(
        "import pulp, helper, sys, os\n"
        "assert __name__ == '__main__' and __file__.endswith('script.py')\n"
        "assert sys.argv[1:] == [] and sys.path[0] == os.path.dirname(os.path.abspath(__file__))\n"
        "print('noise', file=sys.stdout)\nos.write(1, b'more noise')\n"
        "p = pulp.LpProblem('it')\nx = pulp.LpVariable('x')\np += x\nhelper.rows(p, x)\n"
        "p.solve()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", "import decision_ai as d; print(len(d.import_model('script.py').source) > 0)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "True\n"
    assert "noise" in run.stderr
    assert "more noise" in run.stderr


def test_threads_that_a_script_leaves_hold_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "import pulp, threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
        "p = pulp.LpProblem('p')\np += p.add_variable('x', 1)\np.solve()\n"
    )
    before = time.monotonic()
    assert len(read_script(path).columns) == 1
    assert time.monotonic() - before < 10


async def _solved(source: str, json_data: str) -> JobResult:
    async with LocalExecutor() as executor:
        composed = Program.parse(source).composed()
        return await executor.run(Job(task="solve", source=composed, json_data=json_data))


def _columns(model: ForeignModel) -> dict[str, tuple[Any, ...]]:
    return {
        column.name.translate(_ILLEGAL): (column.lower, column.upper, column.integral, column.cost)
        for column in model.columns
    }


def _rows(model: ForeignModel) -> list[Any]:
    names = [column.name.translate(_ILLEGAL) for column in model.columns]
    return sorted(
        (row.lower, row.upper, sorted((names[at], value) for at, value in row.terms)) for row in model.rows
    )
