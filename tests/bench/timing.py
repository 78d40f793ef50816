"""Timing: the least processor time of several pieces of work, measured in turn."""

import time
from collections.abc import Callable

__all__ = ["best"]

ROUNDS = 9


def best(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return the least processor time of each piece of work, in seconds; every round runs all of them in turn."""
    least = [float("inf")] * len(works)
    for _round in range(rounds):
        for place, work in enumerate(works):
            began = time.process_time()
            work()
            least[place] = min(least[place], time.process_time() - began)
    return least
