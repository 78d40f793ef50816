"""The pictures of a report, each drawn twice: for a wide window and for a narrow one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, repr=False)
class Drawings:
    """What is drawn of a game, in the language spoken then; `event` is the moment looked at, `marked` where asked for.

    `about` are events after which the battlefield may be drawn.
    """

    game: Game
    audit: Audit
    parts: Sequence[Turn]
    edition: str
    event: int
    marked: bool
    about: tuple[int, ...]

    def timeline(self) -> Drawn:
        """The course of the game."""
        at = self.event if self.marked else None
        drawn = partial(timeline_svg, self.game, at=at, edition=self.edition, audit=self.audit, parts=self.parts)
        return Drawn(drawn(prefix="course"), drawn(prefix="course-narrow", width=_NARROW))

    def board(self) -> Drawn:
        """The battlefield at the moment looked at."""
        return self._board(self.event, "board", 960)

    def boards(self) -> dict[int, Drawn]:
        """The battlefields after the first `BOARDS` of the events `about`, where there is a permanent on it."""
        found: dict[int, Drawn] = {}
        for event in self.about:
            if len(found) == BOARDS:
                break
            if event not in found and len(self.game.at(event).battlefield):
                found[event] = self._board(event, f"board-{event}", _PART)
        return found

    def _board(self, event: int, prefix: str, width: int) -> Drawn:
        return Drawn(
            board_svg(self.game, event, edition=self.edition, prefix=prefix, width=width),
            board_svg(self.game, event, edition=self.edition, prefix=f"{prefix}-narrow", width=_NARROW),
        )
