"""The `decision-ai` command."""

import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from decision_ai.__about__ import __version__
from decision_ai.cli_models import models_app
from decision_ai.errors import ConnectionFailed, DecisionAIError, ServerRefused
from decision_ai.modeling.exporting.exports import ExportFormat
from decision_ai.solving.parameters import SolveParameters

_BAD_REQUESTS = {400, 404, 413, 422}
_MODEL_HELP = "The model file; or a PuLP script, an LP or an MPS file, which need no --data."
_DATA_HELP = "The input data: JSON, CSV, an Excel workbook (.xlsx) or a folder of CSV files."

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
sessions_app = typer.Typer(invoke_without_command=True)
app.add_typer(sessions_app, name="sessions")
app.add_typer(models_app, name="models")

ServerUrl = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Address of a server, with its key in DECISION_AI_API_KEY; without it, DECISION_AI_URL or a "
        "private server on this machine.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop a solve after this time."),
]


def main() -> None:
    """Run the command; the entry point."""
    app(prog_name="decision-ai")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"decision-ai {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version.")
    ] = False,
) -> None:
    """Chat about an optimization model: diffs you approve, solves by HiGHS.

    Try:

        decision-ai chat model.py --data data.json

        decision-ai solve model.py --data data.json --time-limit 60
    """


@app.command()
def chat(  # noqa: PLR0913 - typer wants an argument for every option
    model: Annotated[
        Path | None, typer.Argument(metavar="MODEL.py", help=_MODEL_HELP, show_default=False)
    ] = None,
    data: Annotated[Path | None, typer.Option("--data", metavar="DATA", help=_DATA_HELP)] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Go on with this session.")
    ] = None,
    newest: Annotated[
        bool, typer.Option("--continue", help="Go on with the newest session, of MODEL.py if it is given.")
    ] = False,
    url: ServerUrl = None,
    time_limit: TimeLimit = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Approve every change without asking.")] = False,
    unattended: Annotated[
        bool,
        typer.Option("--non-interactive", help="Nobody is there: a question of the assistant ends its turn."),
    ] = False,
) -> None:
    r"""Chat about a model in this terminal.

    Sentences may also come from a pipe, one a line.

    Exit status: 0 the chat is over, 1 an error, 2 bad input, 5 with --non-interactive, when a turn ended with
    "Blocked:" because somebody was missed who answers a question.

    Try:

        decision-ai chat model.py --data data.json

        decision-ai chat my_pulp_script.py

        printf 'pick at most 4 items\ny\nsolve\n' | decision-ai chat model.py --data data.json
    """
    with _told():
        from decision_ai.terminal.screen import Screen
        from decision_ai.terminal.sessions import Wanted, chat as run

        wanted = Wanted(model=model, data=data, session_id=session, newest=newest)
        parameters = SolveParameters(time_limit=time_limit)
        choices = {"approve_all": yes, "interactive": not unattended}
        raise typer.Exit(run(Screen(), wanted, url, parameters=parameters, **choices))


@app.command()
def solve(
    model: Annotated[Path, typer.Argument(metavar="MODEL.py", help=_MODEL_HELP)],
    data: Annotated[Path | None, typer.Option("--data", metavar="DATA", help=_DATA_HELP)] = None,
    time_limit: TimeLimit = None,
    gap: Annotated[
        float | None, typer.Option("--gap", min=0, help="Stop at this relative gap, such as 0.01.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of the solver.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the solver.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Write outcome and values as JSON.")] = False,
) -> None:
    """Solve a model on this machine; Ctrl-C stops with the best plan so far.

    Exit status: 0 a plan, 1 an error, 2 bad input, 3 infeasible or unbounded, 4 no plan in time.

    Try:

        decision-ai solve model.py --data data.json

        decision-ai solve model.py --data data.json --time-limit 60 --gap 0.01 --json

        decision-ai solve plant.mps
    """
    with _told():
        from decision_ai.terminal.screen import Screen
        from decision_ai.terminal.solving import solve as run

        gaps = {} if gap is None else {"relative_gap": gap}
        parameters = SolveParameters(time_limit=time_limit, threads=threads, seed=seed, **gaps)
        raise typer.Exit(run(Screen(), model, data, parameters, as_json=as_json))


@app.command()
def run(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A session's id.")],
    data: Annotated[Path, typer.Option("--data", metavar="DATA", help=_DATA_HELP)],
    version: Annotated[
        str | None, typer.Option("--version", help="A branch, number or id of the session's versions.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PLAN", help="Write the plan: .xlsx, .json or a folder.")
    ] = None,
    allow_incompatible: Annotated[
        bool, typer.Option("--allow-incompatible", help="Leave out the parts that do not build on the data.")
    ] = False,
    time_limit: TimeLimit = None,
    url: ServerUrl = None,
) -> None:
    """Run an approved version of a session on other data, on this machine; the session does not change.

    Exit status: 0 a plan, 1 an error, 2 bad input or parts that do not build on it, 3 infeasible or
    unbounded, 4 no plan in time.

    Try:

        decision-ai run SESSION --data next_week.xlsx --out plan.xlsx
    """
    with _told():
        from decision_ai.terminal.running import RunChoices, run as run_version
        from decision_ai.terminal.screen import Screen

        choices = RunChoices(
            data=data, version=version, out=out, allow_incompatible=allow_incompatible, url=url
        )
        raise typer.Exit(run_version(Screen(), session, choices, SolveParameters(time_limit=time_limit)))


@app.command()
def check(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A session's id.")],
    plan: Annotated[
        Path, typer.Option("--plan", metavar="PLAN", help="The plan: .xlsx, .csv, .json or a folder of CSV.")
    ],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA", help="Other data to price the plan on.")
    ] = None,
    url: ServerUrl = None,
) -> None:
    """Say what a plan of your own is worth and what it breaks, without solving.

    Exit status: 0 the plan is feasible and breaks no check you keep, 1 an error, 2 bad input, 3 something is
    broken.

    Try:

        decision-ai check SESSION --plan plan.xlsx
    """
    with _told():
        from decision_ai.terminal.checking import CheckChoices, check as run_check
        from decision_ai.terminal.screen import Screen

        raise typer.Exit(run_check(Screen(), session, CheckChoices(plan=plan, data=data, url=url)))


@app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A PuLP script (.py), or .lp .mps .lp.gz .mps.gz")
    ],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="MODEL.py", help="The model file to write.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA.json", help="The data file to write.")
    ] = None,
    problem: Annotated[
        str | None,
        typer.Option("--problem", metavar="NAME", help="Which problem, where a script has several."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", "--force", help="Replace files that are there.")
    ] = False,
    script_seconds: Annotated[
        float, typer.Option("--script-seconds", min=0, help="Stop a script after this time; 0 = never.")
    ] = 300.0,
) -> None:
    """Make a model file and its data out of a PuLP script, an LP or an MPS file.

    A script is run, with your rights and up to its first solve; import only what you would run.

    Try:

        decision-ai import my_pulp_script.py

        decision-ai import plant.mps -o plant_model.py --data plant.json
    """
    with _told():
        from decision_ai.terminal.importing import Places, import_file
        from decision_ai.terminal.screen import Screen

        places = Places(model=out, data=data, overwrite=overwrite)
        import_file(Screen(), file, places, problem=problem, seconds=script_seconds or None)


@app.command()
def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="A session's id; a model file; a PuLP script, LP or MPS file (no --data)."
        ),
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help=".py .json .lp .mps .tex .md or .xlsx")],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DATA.json", help="The input data of a model file.")
    ] = None,
    format: Annotated[
        ExportFormat | None, typer.Option("--format", help="The format, where the suffix does not say it.")
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="A branch, number or id of the session's versions.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
    url: ServerUrl = None,
) -> None:
    """Write a model in another form: for solvers, for papers, for people.

    LP and MPS files get a sidecar FILE.names.json that leads back to the model's names.

    Try:

        decision-ai export SESSION model.tex

        decision-ai export model.py model.lp --data data.json
    """
    with _told():
        from decision_ai.terminal.exporting import Choices, Target, export as run
        from decision_ai.terminal.screen import Screen

        target = Target(path=file, format=format, overwrite=overwrite)
        run(Screen(), source, target, Choices(data=data, version=version, url=url))


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on (default 127.0.0.1).")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to listen on, 0 = any free one (default 8765)."),
    ] = None,
) -> None:
    """Run a server for this machine or others; prints its address and, if none is set, a new key.

    Everything else is set by DECISION_AI_SERVER_* variables, and the language model by DECISION_AI_LLM_*.

    Try:

        DECISION_AI_SERVER_API_KEY=secret decision-ai serve --port 8765
    """
    given = {"--host": host, "--port": port}
    sys.argv[1:] = [text for name, value in given.items() if value is not None for text in (name, str(value))]
    # By name: what a notebook imports knows nothing of the server.
    runpy.run_module("decision_ai_server", run_name="__main__", alter_sys=True)


@sessions_app.callback()
def sessions(context: typer.Context, url: ServerUrl = None) -> None:
    """List the sessions, newest first, or delete some.

    Try:

        decision-ai sessions

        decision-ai sessions delete ID
    """
    if context.invoked_subcommand is not None:
        context.obj = url
        return
    with _told():
        from decision_ai.terminal.screen import Screen
        from decision_ai.terminal.sessions import list_sessions

        list_sessions(Screen(), url)


@sessions_app.command("delete")
def delete_sessions(
    context: typer.Context, session_ids: Annotated[list[str], typer.Argument(metavar="ID...")]
) -> None:
    """Delete sessions with everything that was said in them."""
    with _told():
        from decision_ai.terminal.screen import Screen
        from decision_ai.terminal.sessions import delete_sessions as run

        run(Screen(), context.obj, session_ids)


@contextmanager
def _told() -> Iterator[None]:
    """Tell what goes wrong in one sentence on standard error, and end with the exit status for it."""
    try:
        yield
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise _failed(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", 2) from None
    except DecisionAIError as error:
        theirs = isinstance(error, ConnectionFailed) or (
            isinstance(error, ServerRefused) and error.status not in _BAD_REQUESTS
        )
        raise _failed(str(error), 1 if theirs else 2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _failed(sentence: str, code: int) -> typer.Exit:
    from decision_ai.terminal.wording import visible

    typer.echo(f"decision-ai: {visible(sentence)}", err=True)
    return typer.Exit(code)


if __name__ == "__main__":
    main()
