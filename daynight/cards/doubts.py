"""Collect names that no card has and that are nearly a card's. Nothing is refused or corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _


class _Listener:
    """What was heard: the `doubts` among the names, and all the names `asked` about, each looked up once."""

    def __init__(self) -> None:
        self.doubts: dict[str, tuple[str, ...]] = {}
        self.asked: set[str] = set()


_listening: ContextVar[_Listener | None] = ContextVar("daynight.cards.doubts", default=None)


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
    listener = _Listener()
    token = _listening.set(listener)
    try:
        yield listener.doubts
    finally:
        _listening.reset(token)


def doubt(name: str, near: Callable[[str], tuple[str, ...]]) -> None:
    """An unknown card entered by its name alone; `near` finds the names that it is nearly."""
    listener = _listening.get()
    if listener is None or name in listener.asked or len(listener.asked) == _MANY:
        return
    listener.asked.add(name)
    if found := near(name):
        listener.doubts[name] = found


def doubt_sentence(name: str, near: tuple[str, ...]) -> str:
    """The sentence about such a name."""
    sentence = _(
        "no card {name} in the catalogue, so it has no ability that matters to day and night; did you mean {near}?"
    )
    return sentence.format(name=repr(name), near=commas(near))


_MANY = 1000
"""How many different names are looked up."""
