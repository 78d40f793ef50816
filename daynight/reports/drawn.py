"""The pictures of a report, each drawn twice: for a wide window and for a narrow one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from daynight.audit.findings import Audit
from daynight.game import Game
from daynight.pictures import board_svg, timeline_svg
from daynight.projections.turns import Turn

BOARDS = 10
"""At how many disputed events the battlefield is drawn."""

_NARROW = 360
_PART = 720
"""How wide a picture is, in pixels, inside a part of a section."""


class Drawn(NamedTuple):
    """A picture as two SVG documents, of which a page shows the one that fits the window."""

    wide: str
    narrow: str


def timeline(game: Game, at: int | None, edition: str, audit: Audit, parts: Sequence[Turn]) -> Drawn:
    """The course of a game, with the event `at` marked."""
    drawn = partial(timeline_svg, game, at=at, edition=edition, audit=audit, parts=parts)
    return Drawn(drawn(prefix="course"), drawn(prefix="course-narrow", width=_NARROW))


def board(game: Game, event: int, edition: str, *, prefix: str = "board", width: int = 960) -> Drawn:
    """The battlefield after an event."""
    return Drawn(
        board_svg(game, event, edition=edition, prefix=prefix, width=width),
        board_svg(game, event, edition=edition, prefix=f"{prefix}-narrow", width=_NARROW),
    )


def boards(game: Game, events: Iterable[int], edition: str) -> dict[int, Drawn]:
    """The battlefields after the first `BOARDS` of these events after which there is a permanent on it."""
    found: dict[int, Drawn] = {}
    for event in events:
        if len(found) == BOARDS:
            break
        if event not in found and len(game.at(event).battlefield):
            found[event] = board(game, event, edition, prefix=f"board-{event}", width=_PART)
    return found
