"""Every error of our routes as RFC 9457 problem details."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketState

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
)
from decision_ai.errors import DataError, DecisionAIError, LimitExceeded, ProgramError, ProtocolError
from decision_ai.sandbox.workers import SandboxBroken
from decision_ai_server.agent.kept_checks import UnknownCheck
from decision_ai_server.agent.moving import (
    BadBranchName,
    BranchTaken,
    NothingToRedo,
    NothingToReset,
    NothingToUndo,
    UnknownVersion,
)
from decision_ai_server.auth.keys import Unauthorized
from decision_ai_server.sessions.compatibility import DoesNotBuild
from decision_ai_server.storage.errors import (
    DuplicateMessage,
    InUse,
    NotFound,
    StaleRevision,
    StoreFailed,
)
from decision_ai_server.web.parts import BadRequest

_TYPE = "urn:decision-ai:problem:"


class FieldProblem(BaseModel):
    """What is wrong at one place of the request, or of the file in it."""

    where: str
    message: str


class Problem(BaseModel):
    """The body of an error response."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] | None = None
    report: FormulationErrorReport | None = None


class PreconditionRequired(DecisionAIError):
    """A write that must say which revision it was worked out on."""


_KINDS: dict[type[DecisionAIError], tuple[int, str, str]] = {
    BadRequest: (400, "bad-request", "The request cannot be understood"),
    ProtocolError: (400, "protocol", "This is not allowed here"),
    Unauthorized: (401, "unauthorized", "A key is needed"),
    NotFound: (404, "not-found", "There is no such thing"),
    InUse: (409, "in-use", "It is in use"),
    DuplicateMessage: (409, "duplicate-message", "The message is there already"),
    NothingToUndo: (409, "nothing-to-undo", "There is nothing to undo"),
    NothingToRedo: (409, "nothing-to-redo", "There is nothing to redo"),
    NothingToReset: (409, "nothing-to-reset", "There is nothing to reset"),
    BranchTaken: (409, "branch-taken", "There is a branch of that name"),
    BadBranchName: (422, "branch-name", "This cannot be the name of a branch"),
    UnknownVersion: (404, "unknown-version", "There is no such version"),
    UnknownCheck: (404, "unknown-check", "There is no such check"),
    StaleRevision: (412, "stale-revision", "The session was changed in between"),
    LimitExceeded: (413, "too-large", "It is too large"),
    DataError: (422, "data", "What was sent cannot be used"),
    ProgramError: (422, "program", "The model file cannot be read or changed"),
    DoesNotBuild: (422, "does-not-build", "The model does not build"),
    PreconditionRequired: (428, "precondition-required", "The revision is missing"),
    StoreFailed: (503, "store", "Nothing can be stored at present"),
    SandboxBroken: (503, "sandbox", "Models cannot be built at present"),
    DecisionAIError: (400, "refused", "The request was refused"),
}


def problem_of(error: DecisionAIError) -> Problem:
    """The problem that one of our errors is, the most specific kind that fits."""
    kind = next(kind for kind in type(error).__mro__ if kind in _KINDS)
    status, slug, title = _KINDS[kind]
    report = _report(error)
    errors = None if report is None else [FieldProblem(where=_place(report), message=report.message)]
    if isinstance(error, DoesNotBuild) and isinstance(error.validation, InputDataSchemaValidationFailed):
        failed = error.validation
        errors = [FieldProblem(where=failed.input_data_class_name, message=failed.error)]
    return Problem(
        type=_TYPE + slug, title=title, status=status, detail=str(error), errors=errors, report=report
    )


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """The problem as a response, with what its status asks for."""
    challenge = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    return Response(
        problem.model_dump_json(exclude_none=True),
        status_code=problem.status,
        headers={**(headers or {}), **challenge},
        media_type="application/problem+json",
    )


def simple_problem(status: int, slug: str, title: str, detail: str) -> Response:
    """A response for what is refused before any route is reached."""
    return problem_response(Problem(type=_TYPE + slug, title=title, status=status, detail=detail))


def install(app: FastAPI) -> None:
    """Let every error of the application end as a problem."""
    handler: Any = _on_our_error  # Starlette's type knows handlers of requests or of WebSockets, not of both
    app.add_exception_handler(DecisionAIError, handler)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(Exception, _on_surprise)


async def _on_our_error(connection: HTTPConnection, error: Exception) -> Response | None:
    response = problem_response(problem_of(error)) if isinstance(error, DecisionAIError) else None
    if response is None or not isinstance(connection, WebSocket):
        return response
    if connection.application_state is WebSocketState.CONNECTING:
        await connection.send_denial_response(response)
    else:
        await connection.close(1011)
    return None


async def _on_invalid_request(_connection: HTTPConnection, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    errors = [FieldProblem(where=_path(item["loc"]), message=_said(item)) for item in found]
    detail = "; ".join(f"{item.where}: {item.message}" for item in errors[:3])
    title = "The request does not have the right form"
    return problem_response(
        Problem(type=_TYPE + "invalid-request", title=title, status=422, detail=detail, errors=errors)
    )


async def _on_http_error(connection: HTTPConnection, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    path, method = connection.url.path, connection.scope.get("method")
    match error.status_code:
        case 404:
            detail = f"{path} is not an address of this server; /openapi.json lists them"
        case 405:
            detail = f"{path} does not take {method}; the header Allow says what it takes"
        case _:
            detail = error.detail
    problem = Problem(
        type=f"{_TYPE}http-{error.status_code}",
        title=HTTPStatus(error.status_code).phrase,
        status=error.status_code,
        detail=detail,
    )
    return problem_response(problem, dict(error.headers or {}))


async def _on_surprise(_connection: HTTPConnection, _error: Exception) -> Response:
    return simple_problem(
        500, "surprise", "The server failed", "something unexpected went wrong; the server's log says what"
    )


def _report(error: DecisionAIError) -> FormulationErrorReport | None:
    if isinstance(error, ProgramError):
        return error.report
    if isinstance(error, DoesNotBuild) and isinstance(error.validation, FormulationValidationFailed):
        return error.validation.error if isinstance(error.validation.error, FormulationErrorReport) else None
    return None


def _place(report: FormulationErrorReport) -> str:
    part = report.component if report.component_id is None else f"{report.component} {report.component_id}"
    return part if report.line is None else f"{part}, line {report.line}"


def _said(item: Mapping[str, Any]) -> str:
    """What is wrong with one field, in our words where the library's own need its terms."""
    match item["type"]:
        case "json_invalid":
            return f"this is no JSON: {item.get('ctx', {}).get('error', 'it cannot be read')}"
        case "extra_forbidden":
            return "there is no such field here; check its spelling or leave it out"
        case "model_attributes_type" | "dict_type":
            return "give a JSON object"
        case "missing":
            return "this is missing"
    return str(item["msg"])


def _path(location: Iterable[Any]) -> str:
    return ".".join(str(step) for step in location)
