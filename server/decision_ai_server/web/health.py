"""Whether the server runs; needs no key."""

from fastapi import APIRouter
from pydantic import BaseModel

from decision_ai.__about__ import __version__

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The answer of a server that runs."""

    status: str
    version: str


@router.get("/healthz")
async def health() -> Health:
    """Whether the server runs, and its version."""
    return Health(status="ok", version=__version__)
