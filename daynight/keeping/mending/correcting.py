"""Corrections: a mistake is corrected in the record itself, and nothing is deleted.

A correction is a back-up to before the first change, and then copies of the later events that were not undone, with
the edits applied. Notes and disputes are not copied: a back-up never undoes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace as changed

from daynight.events import GameBackedUp, GameJoined, OfTheRecord
from daynight.framework.edits import Edit, Recordable
from daynight.framework.folding.marks import in_force
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _
from daynight.framework.recorded import Recorded
from daynight.keeping.undoing import UNDO

Played = Recorded[Any, Any, Any]

AGAIN = "again"
"""The key in the `meta` of a copied event; its value is the number under which the event was first stored."""

MOST = 1_000
"""The most events that a correction may store."""

Understand = Callable[[Played, Recordable], Sequence[Any]]
"""Returns the events of an inserted item (an event, a JSON object or a text), read in the state at its place."""


class Lost(NamedTuple):
    """A later event that a correction makes impossible: its number, the event, and the reason."""

    number: int
    event: Any
    reason: str

    def document(self) -> dict[str, Any]:
        """Return the number and the type of the event, and the reason, as JSON."""
        return {"event": self.number, "type": tag_of(type(self.event)), "reason": self.reason}


class NotFollowingError(ImpossibleError):
    """The error for a correction that makes later events impossible; `lost` has all of them."""

    def __init__(self, lost: Sequence[Lost]) -> None:
        first = lost[0]
        sentence = _("event {event} does not follow any more: {reason}; change that too, or leave it out")
        super().__init__(sentence.format(event=first.number, reason=first.reason), path="$.edits")
        self.lost = tuple(lost)


class TooManyError(ImpossibleError):
    """The error for a correction that would store too many events."""


class Changes(NamedTuple):
    """The effect of edits, by event number: `after` has what is inserted behind an event, `instead` what replaces it.

    An empty replacement drops the event.
    """

    after: Mapping[int, Sequence[Recordable]]
    instead: Mapping[int, Sequence[Recordable]]

    @property
    def first(self) -> int:
        """The lowest event number that is replaced, or before which something is inserted."""
        return min([*self.instead, *(number + 1 for number in self.after)])


def changes(game: Played, edits: Sequence[Edit]) -> Changes:
    """Return the effect of these edits.

    Raises:
        PositionError, NotFoundError: where an edit names an event that the record does not have.
        ImpossibleError: where an edit is at an event that cannot be corrected, or an event is changed twice.
    """
    after: dict[int, list[Recordable]] = {}
    instead: dict[int, list[Recordable]] = {}
    joined = len(game) > 1 and isinstance(game.events[1], GameJoined)
    for edit in edits:
        at = game.number(edit.at)
        until = at if edit.last is None else game.number(edit.last)
        for number in range(at, until + 1):
            _check(game, number, least=1 + joined + (edit.kind != "insert"))
        if edit.kind == "insert":
            after.setdefault(at, []).extend(edit.events)
            continue
        for number in range(at, until + 1):
            if number in instead:
                raise ImpossibleError(_("event {event} is changed twice").format(event=number), path="$.edits")
            instead[number] = [*edit.events] if number == at else []
    return Changes(after, instead)


def _check(game: Played, number: int, *, least: int) -> None:
    event = game.events[number - 1]
    if number < least:
        sentence = _("event {event} is the beginning of the record, which is not corrected")
    elif not game.stands(number):
        sentence = _("event {event} was undone; correct one that stands")
    elif game.mechanic.restores(event) is not None:
        sentence = _("event {event} backs up, which is not corrected; undo it, or correct what it undid")
    elif isinstance(event, OfTheRecord):
        sentence = _("event {event} is a note or part of a dispute, which is not corrected")
    else:
        return
    raise ImpossibleError(sentence.format(event=number), path="$.edits")


def corrected(
    game: Played, change: Changes, by: str, meta: Mapping[str, Any], understand: Understand = Recorded.understood
) -> tuple[Any, ...]:
    """Return the events of a correction: the back-up, and copies of the later events, with the changes applied.

    `meta` is the `meta` of the back-up.

    Raises:
        RecordError, AskedError: where an inserted event cannot be read, or is impossible there.
        NotFollowingError: where a later event becomes impossible.
        TooManyError: where the correction has more than `MOST` events.
    """
    to = max(number for number in range(1, change.first) if game.stands(number))
    again = _Again(game, to, GameBackedUp(to=to, by=by, corrects=True, meta=dict(meta)), understand)
    again.put_in(change.after.get(to, ()), to)
    for number in range(to + 1, len(game) + 1):
        if number in change.instead:
            again.put_in(change.instead[number], number)
        elif game.stands(number):
            again.repeat(number)
        again.ends[number] = len(again.game)
        again.put_in(change.after.get(number, ()), number)
    return again.finished()


def uncorrected(game: Played, first: int, last: int, by: str, meta: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the events that undo the correction stored as events `first` to `last`; this is a correction too.

    They are a back-up to the same event, copies of the events that the correction undid, and copies of those stored
    since the correction.

    Raises:
        ImpossibleError: where the correction is undone already.
        NotFollowingError, TooManyError: as `corrected`.
    """
    correction = game.events[first - 1]
    if not game.stands(first):
        raise ImpossibleError(_("this correction was undone already"), path="$.undoes")
    before = game.what_if(first - 1, ())
    back_up = GameBackedUp(to=correction.to, by=by, corrects=True, note=UNDO, meta=dict(meta))
    again = _Again(game, correction.to, back_up, Recorded.understood)
    for number in range(correction.to + 1, first):
        if before.stands(number):
            again.repeat(number)
        again.ends[number] = len(again.game)
    for number in range(last + 1, len(game) + 1):
        if game.stands(number):
            again.repeat(number)
        again.ends[number] = len(again.game)
    return again.finished()


def first_number(number: int, event: Any) -> int:
    """Return the number under which an event was stored first: its own, unless it is a copy of an earlier one."""
    found = (event.meta or {}).get(AGAIN)
    return found if type(found) is int and 0 < found < number else number


class _Again:
    """Builds the events of a correction: `game` is a copy of the record to which they are appended."""

    def __init__(self, game: Played, to: int, back_up: Any, understand: Understand) -> None:
        self.parent = game
        self.to = to
        self.understand = understand
        self.game = game.what_if(len(game), ())
        self.ends: dict[int, int] = {}
        self.lost: list[Lost] = []
        self._copies: dict[int, int] = {}
        self._rules = [*in_force(game.events)] if game.mechanic.check is not None else []
        self._today = game.mechanic.version if game.mechanic.check is not None else None
        self.game.placed(back_up, self._today)
        self.ends[to] = len(self.game)

    def repeat(self, number: int) -> None:
        """Append a copy of event `number`, with `AGAIN` in its `meta`, without the mechanic's checks.

        It has passed those of its time. Notes, disputes and back-ups are left out. `lost` gets an impossible event.
        """
        event = self.parent.events[number - 1]
        if isinstance(event, OfTheRecord) or self.parent.mechanic.restores(event) is not None:
            return
        again = first_number(number, event)
        copy = changed(self._renumbered(event), meta={**(event.meta or {}), AGAIN: again})
        try:
            self._place(copy, self._rules[number - 1] if self._rules else None, check=False)
        except TooManyError:
            raise
        except RecordError as error:
            self.lost.append(Lost(number, event, error.sentence))
        else:
            self._copies[again] = len(self.game)

    def put_in(self, said: Sequence[Recordable], number: int) -> None:
        """Append the events of `said`, which replace event `number` or are inserted after it.

        Raises:
            ImpossibleError: where such an event is impossible there; the sentence names event `number`.
        """
        for one in said:
            for event in self.understand(self.game, one):
                try:
                    self._place(self._renumbered(self.game.mechanic.fill(event)), self._today, check=True)
                except TooManyError:
                    raise
                except RecordError as error:
                    sentence = _("{sentence} (an event put in at event {event})")
                    text = sentence.format(sentence=error.sentence, event=number)
                    raise ImpossibleError(text, path=error.path) from None

    def finished(self) -> tuple[Any, ...]:
        """Return the events of the correction.

        Raises:
            NotFollowingError: where a copied event is impossible.
        """
        if self.lost:
            raise NotFollowingError(self.lost)
        return tuple(self.game.events[len(self.parent) :])

    def _place(self, event: Any, rules: Any, *, check: bool) -> None:
        if len(self.game) - len(self.parent) >= MOST:
            raise TooManyError(_("a correction may store {most} events; correct something later").format(most=MOST))
        self.game.placed(event, rules, check=check)

    def _renumbered(self, event: Any) -> Any:
        """Return the event with new numbers in its fields that name events: they name the copies of these."""
        fields = () if isinstance(event, GameBackedUp) else self.parent.mechanic.names.get(type(event), ())
        numbers = {name: getattr(event, name) for name in fields}
        found = {name: self._here(number) for name, number in numbers.items() if number is not None}
        return changed(event, **found) if found else event

    def _here(self, number: int) -> int:
        if number <= self.to or number > len(self.parent):
            return number
        again = first_number(number, self.parent.events[number - 1])
        earlier = [end for place, end in self.ends.items() if place <= number]
        return self._copies.get(again) or max(earlier)
