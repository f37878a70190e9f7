"""Every error is a problem of RFC 9457."""

import httpx
import pytest
from fastapi import FastAPI

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
)
from decision_ai.errors import DataError, DecisionAIError, LimitExceeded, ProgramError, ProtocolError
from decision_ai_server.auth.keys import Unauthorized
from decision_ai_server.sessions.compatibility import DoesNotBuild
from decision_ai_server.storage.errors import DuplicateMessage, InUse, NotFound, StaleRevision
from decision_ai_server.web.parts import BadRequest
from decision_ai_server.web.problems import (
    FieldProblem,
    PreconditionRequired,
    problem_of,
)

REPORT = FormulationErrorReport(
    component="constraint", component_id="room", error_type="syntax", message="a bracket is missing", line=7
)


@pytest.mark.parametrize(
    ("error", "status", "detail"),
    [
        (BadRequest("what?"), 400, "what?"),
        (ProtocolError("not now"), 400, "not now"),
        (Unauthorized("who?"), 401, "who?"),
        (NotFound("version", "v9"), 404, "there is no version 'v9'"),
        (InUse("opt_model", "m", "s"), 409, "opt_model 'm' is used by chat session 's'; delete the session"),
        (DuplicateMessage("s", "m"), 409, "chat session 's' already has message 'm'"),
        (StaleRevision("s", 1, 2), 412, "chat session 's' is at revision 2, not 1; fetch it"),
        (LimitExceeded("prompt", 10, 11), 413, "prompt is 11, the limit is 10; send less at once"),
        (DataError("no JSON"), 422, "no JSON"),
        (ProgramError(REPORT), 422, "line 7: a bracket is missing"),
        (DoesNotBuild(FormulationValidationFailed(error=REPORT)), 422, "line 7: a bracket is missing"),
        (DoesNotBuild(FormulationValidationFailed(error="no")), 422, "no"),
        (
            DoesNotBuild(InputDataSchemaValidationFailed(input_data_class_name="Bag", error="no room")),
            422,
            "the data do not fit Bag: no room",
        ),
        (PreconditionRequired("which?"), 428, "which?"),
        (DecisionAIError("any other"), 400, "any other"),
    ],
)  # fmt: skip
def test_each_of_our_errors_has_its_status_and_its_sentence(
    error: DecisionAIError, status: int, detail: str
) -> None:
    problem = problem_of(error)
    assert problem.status == status
    assert problem.detail.startswith(detail)
    assert problem.type.startswith("urn:decision-ai:problem:")
    assert problem.title


def test_a_program_error_says_where_in_the_file() -> None:
    problem = problem_of(ProgramError(REPORT))
    assert problem.errors == [FieldProblem(where="constraint room, line 7", message="a bracket is missing")]
    assert problem.report == REPORT


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/nothing", 404), ("GET", "/docs", 404), ("PUT", "/v1/opt_models", 405)],
)
async def test_unknown_addresses_and_methods(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await client.request(method, path)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert path in response.json()["detail"]
    assert ("allow" in response.headers) is (status == 405)


async def test_an_invalid_body_names_each_field(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/opt_models", json={"sauce": "x"})
    assert response.status_code == 422
    assert {error["where"] for error in response.json()["errors"]} == {"body.source", "body.sauce"}


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b""])
async def test_a_body_that_is_not_json_is_a_problem(client: httpx.AsyncClient, body: bytes) -> None:
    response = await client.post("/v1/opt_models", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"


async def test_a_surprise_tells_nothing_of_the_inside(app: FastAPI, client: httpx.AsyncClient) -> None:
    async def broken() -> None:
        raise RuntimeError("secret inside")

    app.add_api_route("/broken", broken)
    response = await client.get("/broken")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert "secret" not in response.text
