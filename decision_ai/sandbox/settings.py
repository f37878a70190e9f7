"""What a sandbox allows: said by whoever owns an executor, passed on to its workers."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SandboxPolicy:
    """What programs may use."""

    memory_bytes: int = 4 * 2**30
    """Address space of one child."""
    extra_imports: Sequence[str] = ()
    """Modules allowed besides those of the allow-list, with all their public names."""
    strict: bool = False
    """True runs nothing where a layer of protection is missing."""


@dataclass(frozen=True, kw_only=True)
class Settings(SandboxPolicy):
    """What a runner tells its workers."""

    checked: bool = True
    """False leaves the allow-list out, so that tests can attack the fences behind it."""
