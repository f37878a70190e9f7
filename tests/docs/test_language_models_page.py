"""docs/language-models.md: its snippets run against a scripted endpoint, its table is the settings'."""

import ast
import asyncio
import inspect
import re
import runpy
from pathlib import Path

from fastapi.routing import APIRoute
from typer.main import get_group

from decision_ai.cli_models import models_app
from decision_ai.terminal.sessions import BLOCKED
from decision_ai_server.settings import LocalModelSettings
from decision_ai_server.testing import Reply, ScriptedOpenAIServer
from decision_ai_server.web import health, journal, metrics

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "language-models.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


async def test_the_snippets_run() -> None:
    assert len(SNIPPETS) == 2
    assert all("assert" in snippet for snippet in SNIPPETS)
    async with ScriptedOpenAIServer([Reply.tool_call("read_file", {"path": "notes.txt"})]) as server:
        names: dict[str, object] = {"base_url": server.base_url}
        for snippet in SNIPPETS:
            code = compile(snippet, "language-models.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            # The blocking client waits in a thread, so that the endpoint of this loop can answer it.
            if code.co_flags & inspect.CO_COROUTINE:
                await eval(code, names)
            else:
                await asyncio.to_thread(exec, code, names)


def test_the_generated_parts_are_what_would_be_generated_now() -> None:
    assert "<!-- generated: settings/llm -->" in PAGE
    assert runpy.run_path(str(DOCS / "generate.py"))["generated"](PAGE) == PAGE, "run `make docs`"


def test_what_people_type_is_on_the_page() -> None:
    commands = [f"decision-ai models {name}" for name in get_group(models_app).commands]
    assert len(commands) == 3
    settings = [f"DECISION_AI_{name.upper()}" for name in LocalModelSettings.model_fields]
    paths = [
        path.replace("{chat_session_id}", "{id}")
        for router in (health.router, journal.router, metrics.router)
        for path in (route.path for route in router.routes if isinstance(route, APIRoute))
    ]
    assert len(paths) == 3
    typed = [*commands, *settings, *paths, "/sent", "/usage", "--non-interactive", f"status {BLOCKED}"]
    assert [text for text in typed if text not in " ".join(PAGE.split())] == []
