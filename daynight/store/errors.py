"""The errors of a store, as a branch of the tree of errors.

```
DaynightError
└── StoreError             exit code 5
    ├── DamagedError       what is stored is not what daynight stored: changed, forged, cut off, or not a store
    │   └── NotSignedError a key refuses to sign: the game is not the one that it has signed, or lacks events of it
    ├── NotAcceptedError   somebody else undid, overruled or closed something, and the key has not accepted it
    ├── NotReadableError   the record is intact, but the current code cannot read it; exit code 3
    │   ├── StoppedError   the current step refuses an event that older rules accepted
    │   ├── UntrustedError an archive has such an event, and the caller did not say that its rules are trusted
    │   └── LanguageError  a default, a field or a type changed under the same tag
    ├── ConflictError      the game has another last event than expected, or the command id was used before
    └── UnavailableError   the database does not answer now: locked, full, unreachable; nothing was acknowledged
SettingsError              the place of a store, or a setting in it, is invalid; exit code 2
```
"""

from __future__ import annotations

from msgspec import Struct

from daynight.framework.language.errors import DaynightError, MechanicError, RecordError, TagError, UpcastError, tame
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.machine.program import program


class Fault(Struct, frozen=True):
    """The first fault found by verify: at event `event`, or None if it concerns no single event."""

    event: int | None
    sentence: str


class Stop(Struct, frozen=True):
    """Where this code must stop in an intact record: at event `event`.

    `rules`: the older version of the rules that accepted this event, which the current step refuses; "" if that version
    is unknown. None if this code cannot read the event at all.
    """

    event: int
    sentence: str
    rules: str | None = None


class StoreError(DaynightError):
    """A store is damaged, in conflict or not available; `sentence` says what, where, and what to try.

    `game` and `event` are the place, as far as known.
    """

    def __init__(self, sentence: str, *, game: str | None = None, event: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = tame(sentence)
        self.game = game
        self.event = event

    def located(self, *, game: str | None = None, event: int | None = None) -> StoreError:
        """Set `game` and `event` where they are not known yet, and return this error."""
        if self.game is None:
            self.game = game
        if self.event is None:
            self.event = event
        return self

    def __str__(self) -> str:
        place = [part for part in (self.game and tame(self.game), self.event and str(self.event)) if part]
        return f"{':'.join(place)}: {self.sentence}" if place else self.sentence


class DamagedError(StoreError):
    """The stored data is not what was stored there, or was never stored by daynight."""


def altered(game: str, event: int) -> DamagedError:
    """Return the error for a stored line that does not match the chain."""
    sentence = _("event {event} is not what was stored; {program} verify says more")
    return DamagedError(sentence.format(event=event, program=program()), game=game, event=event)


class NotSignedError(DamagedError):
    """A key does not sign this game: events that it has signed are missing, or it is another game of that name."""


class Act(Struct, frozen=True):
    """An event that undoes, overrules or closes something: its number, its tag, and the code of the game after it."""

    event: int
    type: str
    code: str


class NotAcceptedError(StoreError):
    """Acts (events that undo, overrule or close something) were stored without this key.

    The key signs nothing more in this game until its owner accepts these `acts`.
    """

    def __init__(self, sentence: str, acts: tuple[Act, ...], *, game: str | None = None) -> None:
        super().__init__(sentence, game=game)
        self.acts = acts


class NotReadableError(StoreError):
    """A record is intact, but this code cannot read it from an event on: a tag is unknown, or the mechanic fails."""

    def __init__(self, reason: str, *, game: str | None = None, event: int | None = None) -> None:
        super().__init__("", game=game, event=event)
        self.reason = tame(reason)
        self.sentence = self._said()

    def located(self, *, game: str | None = None, event: int | None = None) -> StoreError:
        """Set `game` and `event` where they are not known yet, and return this error."""
        super().located(game=game, event=event)
        self.sentence = self._said()
        return self

    def _said(self) -> str:
        if self.event is None:
            return _("unreadable by this code: {reason}").format(reason=self.reason)
        return _("unreadable by this code from event {event}: {reason}").format(event=self.event, reason=self.reason)


class LanguageError(NotReadableError):
    """The current language reads lines differently from their meaning when they were stored."""

    def _said(self) -> str:
        return self.reason


class StoppedError(NotReadableError):
    """The current step refuses a stored event that older rules accepted: version `rules`, "" if it is unknown."""

    def __init__(self, reason: str, rules: str, *, game: str | None = None, event: int | None = None) -> None:
        self.rules = rules
        super().__init__(reason, game=game, event=event)

    def _said(self) -> str:
        given = {"event": self.event, "rules": self.rules, "reason": self.reason}
        if self.rules:
            return _("stops at event {event} under rules {rules}: {reason}").format(**given)
        return _(
            "stops at event {event} under rules that are not known: {reason}; if an older version allowed it, let step"
            " follow it, and refuse it in check"
        ).format(**given)


class UntrustedError(NotReadableError):
    """An archive has an event that the current rules refuse, and its older rules were not declared trusted."""

    def _said(self) -> str:
        sentence = _("{reason}; trust its rules (--trust-rules) to take it all the same")
        return sentence.format(reason=self.reason)


def not_as_stored(error: RecordError, *, game: str | None = None, event: int | None = None) -> StoreError:
    """Return NotReadableError if a tag is unknown, or an upcaster or the mechanic fails; else DamagedError."""
    if isinstance(error, TagError):
        return unknown_tag(error.tag, game=game, event=event)
    if isinstance(error, UpcastError):
        return NotReadableError(f"{error.path}: {error.sentence}", game=game, event=event)
    if isinstance(error, MechanicError):
        return NotReadableError(error.sentence, game=game, event=event)
    return DamagedError(f"{error.path}: {error.sentence}", game=game, event=event)


def unknown_tag(tag: object, *, game: str | None = None, event: int | None = None) -> NotReadableError:
    """Return the error for a stored event with an unknown tag, which another version of the mechanic may know."""
    sentence = _("unknown tag {tag}: other code of this mechanic wrote it; use that code, or give the tag an upcaster")
    return NotReadableError(sentence.format(tag=repr(tag)[:NAME_LENGTH]), game=game, event=event)


class ConflictError(StoreError):
    """The game has another last event than the caller expected, or the command id is taken."""


class UnavailableError(StoreError):
    """The database cannot be used now; retry an unacknowledged append with the same command id."""


def of_another_process() -> UnavailableError:
    """Return the error for a store used in a forked process, while the parent process had something open in it."""
    return UnavailableError(
        _("another process opened this store, and this one is a fork of it: open the store again here, Store.open(...)")
    )


class SettingsError(DaynightError):
    """The place of a store, or a setting in it, is invalid."""
