"""The card numbers that Arena used by a date, and which of these cards have to do with day and night."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import Struct

from daynight.importers.arena.numbers import ARENA

_BOTH = " // "


class _Data(Struct, frozen=True, forbid_unknown_fields=True):
    """The file `cards.json`. `cards`: by the name of a card, the numbers of its front and of its back.

    `known`: lengths of runs of card numbers from 0 on: unknown, known, unknown, ...
    """

    as_of: str
    cards: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
    known: tuple[int, ...]


class KnownCards:
    """The card numbers that Arena used by the date `as_of`, without those of tokens and abilities.

    `names`: the names of the cards of day and night, by the numbers of their fronts and backs. A known number without a
    name belongs to a card that has nothing to do with day and night.

    >>> cards = known_cards()
    >>> 67224 in cards, 78517 in cards, 999_999 in cards
    (True, True, False)
    >>> cards.names[78517], cards.names.get(67224)
    ('Tavern Smasher', None)
    """

    def __init__(self, data: _Data) -> None:
        self.as_of = data.as_of
        self.names: dict[int, str] = {}
        for both, sides in data.cards.items():
            for name, numbers in zip(both.split(_BOTH), sides, strict=False):
                self.names |= dict.fromkeys(numbers, name)
        self._ends = tuple(accumulate(data.known))

    def __contains__(self, number: int) -> bool:
        return number >= 0 and bisect_right(self._ends, number) % 2 == 1


@cache
def known_cards() -> KnownCards:
    """Return the `KnownCards` that come with the package; the file is read at the first call only."""
    data = files("daynight.importers.arena").joinpath("cards.json").read_bytes()
    return KnownCards(msgspec.json.decode(data, type=_Data))


def doubtful(numbers: Iterable[int]) -> dict[str, Any] | None:
    """Return the `meta` that lists these unknown card numbers of an event (0: a known card); None if all are 0."""
    unknown = sorted(set(numbers) - {0})
    return {ARENA: {"unknown": unknown}} if unknown else None
