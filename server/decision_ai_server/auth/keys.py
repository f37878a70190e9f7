"""Bearer keys: kept as a hash, compared in constant time. Pure; `web/parts.py` puts it before the routes."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from decision_ai.errors import DecisionAIError


class Unauthorized(DecisionAIError):
    """The caller sent no key, or a wrong one."""


@dataclass(frozen=True)
class Caller:
    """Who calls, once the key has been checked."""

    name: str


OWNER = Caller(name="owner")


class Keys:
    """The keys this server accepts; today the one of its owner."""

    def __init__(self, key: str) -> None:
        self._hash = _hashed(key)

    def caller(self, authorization: str | None) -> Caller:
        """Who sends this `Authorization` header.

        Raises:
            Unauthorized: without a right key; the text never holds what was sent.
        """
        if authorization is None:
            raise Unauthorized("send the server's key in the header 'Authorization: Bearer <key>'")
        scheme, _, key = authorization.partition(" ")
        right = hmac.compare_digest(_hashed(key.strip()), self._hash)
        if scheme.lower() != "bearer" or not right:
            raise Unauthorized("this is not the server's key; check DECISION_AI_API_KEY")
        return OWNER


def new_key() -> str:
    """A random key, for a server that was started without one."""
    return secrets.token_urlsafe(32)


def _hashed(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
