"""Names of no card that are nearly one of the catalogue: taken as they are, and told to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from daynight.events.grammar import commas
from daynight.events.wording import _

__all__ = ["doubt", "doubt_sentence", "doubting"]

_heard: ContextVar[dict[str, tuple[str, ...]] | None] = ContextVar("daynight.cards.doubts", default=None)


@contextmanager
def doubting() -> Iterator[dict[str, tuple[str, ...]]]:
    """Collect, in this context, each name that enters as an unknown card, and the names it is nearly.

    >>> from daynight.game import Game
    >>> with doubting() as doubts:
    ...     game = Game.start("g1", ["Ana"])
    ...     moment = game.record({"type": "permanents-entered", "permanents": [
    ...         {"id": "c", "card": "Brutal Cathare", "controller": "Ana"}]})
    >>> doubts
    {'Brutal Cathare': ('Brutal Cathar',)}
    """
    heard: dict[str, tuple[str, ...]] = {}
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def doubt(name: str, near: Callable[[str], tuple[str, ...]]) -> None:
    """An unknown card entered by its name alone; `near` finds the names that it is nearly."""
    heard = _heard.get()
    if heard is not None and name not in heard and len(heard) < _MANY and (found := near(name)):
        heard[name] = found


def doubt_sentence(name: str, near: tuple[str, ...]) -> str:
    """What is said of such a name."""
    sentence = _(
        "no card {name} in the catalogue, so it has no ability that matters to day and night; did you mean {near}?"
    )
    return sentence.format(name=repr(name), near=commas(near))


_MANY = 100
"""How many names are collected."""
