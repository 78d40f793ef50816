"""What can go wrong with a store, as a branch of the one tree of errors.

```
DaynightError
└── StoreError             exit code 5
    ├── DamagedError       what is stored is not what daynight stored: changed, forged, cut off, or not a store
    ├── ConflictError      somebody else was there first: another version than expected, a command id used before
    └── UnavailableError   the database does not answer now: locked, full, unreachable; nothing was acknowledged
SettingsError              the place of a store cannot be spelled like that; exit code 2
```
"""

from __future__ import annotations

from msgspec import Struct

from daynight.framework.language.errors import DaynightError, tame


class Fault(Struct, frozen=True):
    """The first thing that verifying finds wrong: at event `event`, or None where it is no one event's."""

    event: int | None
    sentence: str


class StoreError(DaynightError):
    """A store is damaged, in conflict or not available; `sentence` says what, where, and what to try.

    `game` and `event` say where, as far as it is known.
    """

    def __init__(self, sentence: str, *, game: str | None = None, event: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = tame(sentence)
        self.game = game
        self.event = event

    def located(self, *, game: str | None = None, event: int | None = None) -> StoreError:
        """Add where it happened; a place that is already known stays."""
        if self.game is None:
            self.game = game
        if self.event is None:
            self.event = event
        return self

    def __str__(self) -> str:
        place = [part for part in (self.game and tame(self.game), self.event and str(self.event)) if part]
        return f"{':'.join(place)}: {self.sentence}" if place else self.sentence


class DamagedError(StoreError):
    """What is stored is not what was stored there, or was never stored by daynight."""


class ConflictError(StoreError):
    """The game has another last event than the caller expected, or the command id is taken."""


class UnavailableError(StoreError):
    """The database cannot be used now; what was not acknowledged may be sent again with the same command id."""


class SettingsError(DaynightError):
    """The place of a store, or a setting in it, is not one there is."""
