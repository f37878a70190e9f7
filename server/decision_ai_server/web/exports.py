"""A version of a session's model as a file of another form."""

import asyncio
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import Response

from decision_ai.modeling.exporting.exports import (
    MEDIA_TYPES,
    Exportable,
    ExportFormat,
    exported,
    suffix_of,
)
from decision_ai_server.sessions.compatibility import DoesNotBuild
from decision_ai_server.web.parts import CallerDep, Parts, PartsDep
from decision_ai_server.web.session_views import running_program, version_of

router = APIRouter(prefix="/v1/chat_sessions", tags=["chat_sessions"])


@router.get("/{chat_session_id}/export", response_class=Response)
async def export(
    chat_session_id: str,
    format: ExportFormat,
    parts: PartsDep,
    _caller: CallerDep,
    version: str | None = None,
) -> Response:
    """The model as it runs, in a format: the present version, or the one of a branch, number or id.

    A workbook holds a plan, and LP and MPS of a model with soft constraints need the solves of their levels;
    both take up to a minute.
    """
    model = await _exportable(parts, chat_session_id, version)
    content = await exported(model, format, parts.executor)
    if not isinstance(content, bytes):
        raise DoesNotBuild(content)
    name = quote(f"{model.program.model_class}{suffix_of(format)}")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=MEDIA_TYPES[format], headers=headers)


async def _exportable(parts: Parts, session_id: str, version: str | None) -> Exportable:
    found = await version_of(parts, session_id, version)
    data = await parts.store.get_data(found.data_id)
    return Exportable(await asyncio.to_thread(running_program, found), data.json_data)
