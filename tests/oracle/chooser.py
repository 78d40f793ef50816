"""The source of a random walk's decisions: a seed, or Hypothesis."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Chooser(Protocol):
    """The type of a source of random decisions."""

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of these options."""


class SeededChooser:
    """Decisions from a seed."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return self.source.randint(low, high)

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of these options."""
        return self.source.choice(options)


class DrawnChooser:
    """Decisions drawn by Hypothesis, which shrink towards the smallest and the first."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return int(self.draw(st.integers(low, high)))

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of these options."""
        return options[self.number(0, len(options) - 1)]
