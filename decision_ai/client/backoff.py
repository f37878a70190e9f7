"""How long to wait before trying again: exponential, with jitter, for a bounded time. Pure."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """When to try again.

    Attributes:
        first: seconds before the second try, before jitter.
        longest: no wait is longer.
        patience: seconds from the first failure after which there is no further try.
        clock: seconds that only grow.
        chance: a number from 0 to 1; half of each wait depends on it, so that clients do not come in step.
    """

    first: float = 0.1
    longest: float = 5.0
    patience: float = 60.0
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random

    def waits(self) -> Iterator[float]:
        """Seconds to wait before each further try; ends when the patience does."""
        give_up, wait = self.clock() + self.patience, self.first
        while (left := give_up - self.clock()) > 0:
            yield min(wait * (0.5 + self.chance() / 2), left)
            wait = min(wait * 2, self.longest)
