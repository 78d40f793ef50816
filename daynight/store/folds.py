"""A game folded for the library: its state, its audit, and how much of what stands there was."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.audit.audit import Auditor
from daynight.audit.findings import Audit
from daynight.events import Changed, Consequence, DisputeRuled, Event, GameBackedUp, SpellCast, TurnBegan
from daynight.framework.language.errors import RecordError
from daynight.framework.language.happening import tag_of
from daynight.framework.recorded import never_stood
from daynight.referee.state import State
from daynight.store.database.recorder import GamesRecorder
from daynight.store.errors import DamagedError
from daynight.store.moments.past import Past
from daynight.store.records import StoredRecord


class Fold:
    """A game so far: its state, its audit, and how much of what stands there was."""

    def __init__(self) -> None:
        self.state = State(remember=False)
        self.turns = self.spells = self.changes = 0
        self._auditor = Auditor()
        self._audit = Audit()

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self.state.event

    def forward(self, game: str, events: Sequence[Event], number: int) -> None:
        """Take in events that stand, and follow event `number`.

        Raises:
            DamagedError: where they cannot have happened.
        """
        consequences: list[Consequence] = []
        try:
            self._audit = self._auditor.forward(self.state, events, number, consequences)
        except RecordError as error:
            # It was held against the rules before it was stored.
            raise DamagedError(f"{error.path}: {error.sentence}", game=game, event=error.line) from None
        kinds = [type(event) for event in events]
        self.turns += kinds.count(TurnBegan)
        self.spells += kinds.count(SpellCast)
        self.changes += [type(consequence) for consequence in consequences].count(Changed)

    def hear(self, recorder: GamesRecorder, game: str) -> None:
        """Audit all of the game again if it has rulings in disputes; for who passed over stretches that were undone.

        Backing up undoes no ruling in a dispute, so those in such a stretch count too.

        Raises:
            DamagedError: where what is stored is no such game.
        """
        ruled = recorder.select(
            "SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version <= ? AND topic = ? LIMIT 1",
            game,
            self.number,
            tag_of(DisputeRuled),
        )
        if ruled:
            try:
                self._audit = self._auditor.record(StoredRecord(recorder, game, self.number))
            except RecordError as error:
                raise DamagedError(f"{error.path}: {error.sentence}", game=game, event=error.line) from None

    def row(self, game: str) -> tuple[str | int, ...]:
        """The game's row in the library."""
        audit, state = self._audit, self.state
        possible = ",".join([designation.value for designation in state.possible])
        return (
            game, state.event, self.turns, self.spells, self.changes, possible, audit.verdict, len(audit.disputes),
            int(state.over),
        )  # fmt: skip


def cold(recorder: GamesRecorder, game: str, number: int) -> Fold:
    """The fold of a stored game after event `number`, from its beginning, and past what was undone.

    Raises:
        DamagedError: where what is stored is no such game.
    """
    found = recorder.select(
        "SELECT originator_version FROM stored_events WHERE originator_id = ? AND originator_version <= ?"
        " AND topic = ? ORDER BY originator_version",
        game,
        number,
        tag_of(GameBackedUp),
    )
    fold, past = Fold(), Past(recorder, game)
    backed_up = [one for (at,) in found for events in past.events(at - 1, at) for one in back_ups(game, events, at)]
    _start, stretches = standing(backed_up, 0, number)
    for after, until in stretches:
        for events in past.events(after, until):
            fold.forward(game, events, after if fold.number < after else fold.number)
    if backed_up:
        fold.hear(recorder, game)
    return fold


def back_ups(game: str, events: Sequence[Event], first: int) -> list[tuple[int, int]]:
    """The events that back the game up, each with the one it backs up to; `first` is the number of the first event.

    Raises:
        DamagedError: where one backs up to what is no earlier event.
    """
    found = [(number, event.to) for number, event in enumerate(events, first) if type(event) is GameBackedUp]
    for number, to in found:
        if not 1 <= to < number:
            refusal = never_stood(to, number)
            raise DamagedError(f"{refusal.path}: {refusal.sentence}", game=game, event=number)
    return found


def standing(back_ups: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, list[tuple[int, int]]]:
    """What of the events after `start` to `end` still stands at `end`.

    Answers the event that it follows, which is an earlier one than `start` where the game is backed up so far, and
    the stretches: from after one number to another, in order.

    >>> standing([(10, 4), (13, 11)], 0, 15)
    (0, [(0, 4), (9, 11), (12, 15)])
    >>> standing([(10, 4)], 6, 12)
    (4, [(9, 12)])
    """
    found: list[tuple[int, int]] = []
    for number, to in reversed(back_ups):
        if number > end:
            continue
        found.append((number - 1, end))
        end = to
        if end <= start:
            break
    else:
        found.append((start, end))
    return min(start, end), found[::-1]
