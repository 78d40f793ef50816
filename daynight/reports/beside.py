"""Branches beside the record they were branched from: where they part, what differs, what an audit says of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from daynight.audit import Verdict
from daynight.branches import digest as digest_of
from daynight.differences import Parting, games_apart, merged
from daynight.events.actions import GameStarted
from daynight.events.errors import AskedError
from daynight.events.wording import _
from daynight.game import Game
from daynight.origins import Origin, origin_of, own_name

__all__ = ["PLACES", "Beside", "BranchError", "beside"]

PLACES = 30
"""How many places that differ are told."""


class BranchError(AskedError):
    """The file is a record, but none that was branched from this one; exit code 2."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A branch beside its record.

    `parted` is the last event that both have; `fits` whether the branch's own account of those is that of this record.
    `more` is how many places that differ are not told.
    """

    name: str
    file: str
    parted: int
    fits: bool
    events: int
    verdict: Verdict
    disputes: int
    partings: tuple[Parting, ...]
    more: int

    def document(self) -> dict[str, Any]:
        """The branch as JSON."""
        return {
            "name": self.name,
            "file": self.file,
            "parted": self.parted,
            "fits": self.fits,
            "events": self.events,
            "verdict": self.verdict,
            "disputes": self.disputes,
            "differences": [parting.document() for parting in self.partings],
            "more": self.more,
        }


def beside(game: Game, branch: Game, file: str, digest: Callable[[int], str] | None = None) -> Beside:
    """A branch, read from a file, beside the record.

    `digest(n)` is that of the record's own first n lines, where they are spelled otherwise than ours.

    Raises:
        BranchError: where its first line does not say that it was branched from this game.
    """
    origin = _origin(game, branch, file)
    # It may have been made of the record's own lines, or of ours.
    digests = {digest_of(game.events[: origin.event])} | (set() if digest is None else {digest(origin.event)})
    apart = merged(games_apart(game, branch, by_step=False))
    audit = branch.audit()
    return Beside(
        name=origin.name,
        file=file,
        parted=origin.event,
        fits=origin.digest in digests and game.events[1 : origin.event] == branch.events[1 : origin.event],
        events=len(branch),
        verdict=audit.verdict,
        disputes=len(audit.disputes),
        partings=tuple(apart[:PLACES]),
        more=max(len(apart) - PLACES, 0),
    )


def _origin(game: Game, branch: Game, file: str) -> Origin:
    """What the first line says in `meta`; anybody may have written it."""
    origin = origin_of(branch.events[0])
    if origin is None:
        sentence = _(
            "{file}: its first line does not say what it was branched from; daynight what-if -o writes such files"
        )
        raise BranchError(sentence.format(file=file))
    first = game.events[0]
    assert isinstance(first, GameStarted)
    if origin.game not in (first.game, own_name(first)):
        sentence = _("{file}: it was branched from {other}, not from {game}")
        raise BranchError(sentence.format(file=file, other=repr(origin.game), game=repr(own_name(first))))
    if origin.event > len(game):
        sentence = _("{file}: it parts after event {event}; {game} has events 1 to {last}")
        raise BranchError(sentence.format(file=file, event=origin.event, game=repr(own_name(first)), last=len(game)))
    return origin
