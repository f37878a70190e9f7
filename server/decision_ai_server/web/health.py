"""Whether the server runs; needs no key."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from decision_ai.__about__ import __version__
from decision_ai_server.web.parts import PartsDep

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The answer of a server that runs."""

    status: str
    version: str
    modeller: Literal["offline", "llm", "custom"]
    """Who writes changes."""
    model: str | None
    """Name of the language model, where there is one."""


@router.get("/healthz")
async def health(parts: PartsDep) -> Health:
    """Whether the server runs, its version, and who writes changes."""
    about = parts.modeller
    return Health(status="ok", version=__version__, modeller=about.kind, model=about.model)
