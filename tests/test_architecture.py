"""The laws of docs/architecture.md, read off the syntax trees: who imports what, and how long things may be.

Complexity is ruff's business (C901, max-complexity in pyproject.toml).
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.core

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("decision_ai", "server/decision_ai_server")
    for path in (ROOT / folder).rglob("*.py")
)
MODULES = {
    path.removeprefix("server/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for path in SOURCES
}
TESTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))
OTHERS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.py"))

OWNERS = {
    # A model file is what a user writes: it imports pulp like any other.
    "pulp": ("decision_ai/solving/problem.py", "decision_ai/solving/guards.py", "decision_ai/examples/"),
    "highspy": ("decision_ai/solving/highs.py",),
    "websockets": ("decision_ai/client/transport.py",),
    "httpx": ("decision_ai/client/request_handler.py", "server/decision_ai_server/models/"),
    "sqlalchemy": ("server/decision_ai_server/storage/",),
    **dict.fromkeys(
        ("fastapi", "starlette", "uvicorn"),
        (
            "server/decision_ai_server/web/",
            "server/decision_ai_server/auth/",
            "server/decision_ai_server/app.py",
        ),
    ),
    **dict.fromkeys(("rich", "typer"), ("decision_ai/cli", "decision_ai/terminal/")),
    "pyseccomp": ("decision_ai/sandbox/",),
    **dict.fromkeys(("openpyxl", "narwhals"), ("decision_ai/tabular/",)),
    **dict.fromkeys(("pandas", "polars"), ()),
    "pint": ("decision_ai/modeling/units.py",),
    **dict.fromkeys(("anywidget", "ipywidgets", "IPython", "matplotlib"), ("decision_ai/notebook/",)),
    "openai": ("server/decision_ai_server/model_client/sdk.py",),
    "xllamacpp": ("server/decision_ai_server/models/",),
    "gguf": (),
    "prometheus_client": ("server/decision_ai_server/web/metrics.py",),
    "pydantic_settings": ("decision_ai/client/settings.py", "server/decision_ai_server/settings.py"),
}
"""Foreign library → the only files and folders that import it."""

FLOOR = (
    "decision_ai/errors.py",
    "decision_ai/client/schemas/",
    "decision_ai/wire/",
    "decision_ai/solving/findings.py",
    "decision_ai/solving/outcome.py",
    "decision_ai/solving/parameters.py",
)
FLOOR_MODULES = tuple(place.removesuffix(".py").strip("/").replace("/", ".") for place in FLOOR)
IO_OF_THE_STANDARD_LIBRARY = {
    *("asyncio", "concurrent", "http", "multiprocessing", "os", "pathlib", "selectors", "shutil", "signal"),
    *("socket", "socketserver", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "urllib"),
}

AGENT_MAY_IMPORT = (
    *FLOOR_MODULES,
    "decision_ai.explaining",
    "decision_ai.modeling",
    "decision_ai.solving.executors.base",
    "decision_ai_server.agent",
    "decision_ai_server.model_client.decisions",
)


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


@cache
def imports(path: str) -> tuple[str, ...]:
    """The modules a file imports, wherever in it; `from a import b` is `a.b` where that is a module."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name if name in MODULES else str(node.module) for name in inner]
    return tuple(found)


def within(module: str, places: tuple[str, ...]) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("path", [path for path in SOURCES if path.startswith("decision_ai/")])
def test_the_client_package_never_imports_the_server(path: str) -> None:
    assert not [module for module in imports(path) if within(module, ("decision_ai_server",))]


@pytest.mark.parametrize("path", [path for path in SOURCES if path.startswith(FLOOR)])
def test_the_floor_imports_itself_pydantic_and_a_standard_library_without_io(path: str) -> None:
    for module in imports(path):
        top = module.split(".", maxsplit=1)[0]
        if top == "decision_ai":
            assert within(module, FLOOR_MODULES), module
        else:
            assert top in {"pydantic", "pydantic_core"} or top in sys.stdlib_module_names, module
            assert top not in IO_OF_THE_STANDARD_LIBRARY, module


@pytest.mark.parametrize(
    "module",
    [
        "decision_ai",
        "decision_ai.client.schemas.chat_messages.container",
        "decision_ai.client.schemas.chat_session",
        "decision_ai.wire.codec",
        "decision_ai.wire.conversation",
    ],
)
def test_importing_the_floor_loads_no_foreign_library_but_pydantic(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.split(".", maxsplit=1)[0] for name in run.stdout.split()}
    assert not loaded & {*OWNERS, "numpy", "uvloop", "decision_ai_server"}


@pytest.mark.parametrize("path", [path for path in SOURCES if "_server/agent/" in path])
def test_the_agent_knows_ports_only(path: str) -> None:
    for module in imports(path):
        top = module.split(".", maxsplit=1)[0]
        if top in {"decision_ai", "decision_ai_server"}:
            assert within(module, AGENT_MAY_IMPORT), module
        else:
            assert top == "pydantic" or top in sys.stdlib_module_names, module


@pytest.mark.parametrize("library", OWNERS)
def test_a_foreign_library_has_one_owner(library: str) -> None:
    strangers = [
        path
        for path in SOURCES
        if not path.startswith(OWNERS[library])
        and any(within(module, (library,)) for module in imports(path))
    ]
    assert strangers == [], f"only {' and '.join(OWNERS[library])} may import {library}"


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {
        path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in SOURCES + TESTS + OTHERS
    }
    assert {path: length for path, length in lengths.items() if length > 400} == {}


def functions(path: str) -> Iterator[tuple[str, int]]:
    """Name and length of every function, decorators included, its docstring not."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            docstring = node.body[0] if ast.get_docstring(node) is not None else None
            about = docstring.end_lineno - docstring.lineno + 1 if docstring else 0  # type: ignore[operator]
            yield f"{path}:{start} {node.name}", node.end_lineno - start + 1 - about  # type: ignore[operator]


def test_no_function_is_longer_than_60_lines() -> None:
    long = [name for path in SOURCES + TESTS + OTHERS for name, length in functions(path) if length > 60]
    assert long == []


def test_every_test_of_the_core_packages_is_marked_as_core() -> None:
    core = ("tests/client/schemas/", "tests/wire/", "tests/golden/", "tests/modeling/", "tests/solving/")
    files = [path for path in TESTS if path.startswith(core) and Path(path).name.startswith("test_")]
    assert files
    mark = "\npytestmark = pytest.mark.core\n"
    assert [path for path in files if mark not in (ROOT / path).read_text(encoding="utf-8")] == []
