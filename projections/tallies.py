"""Spell tallies: how many spells each player cast in a turn, as far as the record shows.

A doubt here is a number of further casts that the record leaves uncertain (`spells-uncertain`).
"""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct
from msgspec.structs import replace

from daynight.referee.worlds.chains import Chain, unchained
from daynight.referee.worlds.possibilities import ANY, FINDINGS

TWO = 2
"""Two casts or more: the highest count that the rules distinguish."""

DOUBT = ""
"""Marks an uncertain number of casts, in the place where a cast has its card. No card has an empty name."""


EVERY_TURN: Container[int] = range(2**53)
"""The value of `Tallies.keep` that keeps all turns: every number that a turn may have."""


class Tally(Struct, gc=False):
    """One turn: its active players, the event at which it began, and what each player cast in it.

    `spells` counts the recorded casts of each player; `most` is the highest count of an active player, 2 meaning two or
    more. `doubts` has for players the fewest and the most (None: no bound) further casts. `evidence` has the events of
    the active players' casts and doubts, which the next check looks at; `others` has for those of all other players the
    event, the player, and the card or DOUBT. `unknown`: this turn was before a record that starts in the middle of a
    game, so any number of spells may have been cast in it.
    """

    turn: int
    active: tuple[str, ...]
    began: int
    spells: dict[str, int] = {}
    doubts: dict[str, tuple[int, int | None]] | None = None
    most: int = 0
    evidence: Chain[int] = None
    others: Chain[tuple[int, str, str | None]] = None
    unknown: bool = False
    earlier: Tally | None = None
    back: Tally | None = None
    depth: int = 0

    def range(self, player: str) -> tuple[int, int | None]:
        """Return the fewest and the most spells that this player may have cast in the turn; None: no upper bound."""
        if self.unknown:
            return 0, None
        sure = self.spells.get(player, 0)
        least, most = (self.doubts or {}).get(player, (0, 0))
        return sure + least, None if most is None else sure + most

    def looked_at(self) -> tuple[int, ...]:
        """Return the events that a check looks at: the turn's beginning, and its active players' casts and doubts."""
        return (self.began, *unchained(self.evidence))

    def uncounted(self) -> tuple[tuple[int, str, str | None], ...]:
        """Return the casts of players who were not active: event number, player and card, oldest first."""
        if self.others is None:
            return ()
        return tuple([cast for cast in unchained(self.others) if cast[2] != DOUBT])

    def told_of(self, player: str) -> tuple[int, ...]:
        """Return the events that say how many spells a player cast: the turn's beginning, casts and doubts."""
        if player in self.active:
            return self.looked_at()
        return (self.began, *[number for number, other, _card in unchained(self.others) if other == player])

    def casts(self) -> int:
        """Return what a check of this turn may find, as a sum of the bits NONE_CAST, ONE_CAST and TWO_CAST."""
        if self.unknown:
            return ANY
        if self.doubts is None:
            return FINDINGS[self.most]
        fewest = greatest = 0
        for player in self.active:
            least, most = self.range(player)
            fewest = max(fewest, least)
            greatest = TWO if most is None else max(greatest, most)
        return sum(FINDINGS[min(fewest, TWO) : min(greatest, TWO) + 1])

    def copy(self) -> Tally:
        """Return an independent copy."""
        doubts = None if self.doubts is None else self.doubts.copy()
        return replace(self, spells=self.spells.copy(), doubts=doubts)

    def follow(self, earlier: Tally | None) -> None:
        """Link to the turn before, and to one further back, so that any turn is found in few steps."""
        self.earlier = earlier
        if earlier is None:
            return
        self.depth = earlier.depth + 1
        back = earlier.back
        if back is None:
            self.back = earlier
            return
        # Skips double in length: two skips of the same length are joined.
        beyond = back if back.back is None else back.back
        self.back = beyond if earlier.depth - back.depth == back.depth - beyond.depth else earlier

    def find(self, turn: int) -> Tally | None:
        """Return the latest turn with number `turn`, this one or an earlier linked one; None if there is none."""
        at: Tally | None = self
        while at is not None and at.turn > turn:
            at = at.back if at.back is not None and at.back.turn >= turn else at.earlier
        return at if at is not None and at.turn == turn else None


class Tallies:
    """The present turn, the one before it, and those earlier ones whose numbers `keep` contains.

    `current` is None before the first turn, `previous` before the second; if the record starts in the middle of the
    game, `previous` is a turn that is `unknown`. `forgot`: there were earlier turns that are not stored here.
    """

    __slots__ = ("_kept", "current", "forgot", "keep", "previous")

    def __init__(self, keep: Container[int] = EVERY_TURN) -> None:
        self.current: Tally | None = None
        self.previous: Tally | None = None
        self.keep = keep
        self.forgot = False
        self._kept: Tally | None = None

    @classmethod
    def restored(cls, current: Tally | None, previous: Tally | None) -> Tallies:
        """Make tallies of the present turn and the one before; `find` returns None for earlier turns."""
        tallies = cls()
        tallies.current, tallies.previous, tallies.forgot = current, previous, True
        tallies._kept = None if previous is None or previous.unknown else previous
        return tallies

    def begin(self, turn: int, active: tuple[str, ...], event: int) -> None:
        """Begin a turn: the present turn becomes `previous`, and is kept for `find` if `keep` has its number."""
        current = self.current
        if current is not None:
            if self.keep is EVERY_TURN or current.turn in self.keep:
                current.follow(self._kept)
                self._kept = current
            self.previous = current
        self.current = Tally(turn, active, event)

    def doubt(self, player: str, at_least: int, at_most: int | None, event: int) -> None:
        """Note that a player cast an uncertain number of further spells this turn."""
        tally = self.current
        assert tally is not None
        if tally.doubts is None:
            tally.doubts = {}
        least, most = tally.doubts.get(player, (0, 0))
        tally.doubts[player] = (least + at_least, None if most is None or at_most is None else most + at_most)
        if player in tally.active:
            tally.evidence = (event, tally.evidence)
        else:
            tally.others = ((event, player, DOUBT), tally.others)

    def find(self, turn: int) -> Tally | None:
        """Return the latest turn with number `turn`; None if there was none, or it was not kept."""
        if self.current is not None and self.current.turn == turn:
            return self.current
        return None if self._kept is None else self._kept.find(turn)

    def copy(self) -> Tallies:
        """Return an independent copy. Turns that are over are shared, because they no longer change."""
        other = Tallies(self.keep)
        other.current = None if self.current is None else self.current.copy()
        other.previous, other.forgot = self.previous, self.forgot
        other._kept = self._kept
        return other
