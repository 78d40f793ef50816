"""Branches: a record with some of its events put in, left out or replaced, and the rest of it replayed.

A branch is a value; its parent stays as it is. Numbers are always those of the parent: an edit names the parent's
events, and an event of the rest that names a later number (backing up, an ability put on the stack) is renumbered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace as changed

from daynight.cards import Catalogue
from daynight.compare.edits import Edit
from daynight.compare.origins import own_name
from daynight.events.actions import GameStarted, TransformInstructed
from daynight.events.disputes import DisputeOpened, DisputeRuled, NoteAdded
from daynight.events.language import Recordable, strictly
from daynight.events.rulings import GameBackedUp
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import AskedError, ImpossibleError, NotFoundError, RecordError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _
from daynight.game import Game
from daynight.notation.phrases import understood


class EditError(AskedError):
    """Edits that make no sense together, or take away a record's first line; exit code 2."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An event of the parent that became impossible on the branch, and why."""

    number: int
    event: Event
    reason: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A record beside another one.

    `events` are all of the branch's; `origins` has for each the number of the parent's event that it is, None where the
    branch has it alone. It parts after the parent's event `parted`: up to there both are the same. `left_out` are the
    parent's events that became impossible; `stopped` is the first of them where they were not to be left out: the
    branch ends before it.
    """

    name: str
    parent: tuple[Event, ...]
    parent_name: str
    events: tuple[Event, ...]
    origins: tuple[int | None, ...]
    parted: int
    left_out: tuple[LeftOut, ...] = ()
    stopped: LeftOut | None = None
    catalogue: Catalogue | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def game(self) -> Game:
        """The branch as a game of its own: what is recorded into it is not in the branch."""
        return Game(catalogue=self.catalogue).extended(self.events)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The numbers of the parent's events that are not in the branch, as far as it goes."""
        there = frozenset(self.origins)
        end = len(self.parent) if self.stopped is None else self.stopped.number - 1
        return tuple(number for number in range(1, end + 1) if number not in there)

    def branch(self, *edits: Edit, name: str = "branch", leave_out: bool = False) -> Branch:
        """A branch of this branch; its numbers are this one's."""
        parent = Game(catalogue=self.catalogue).extended(self.record())
        return branched(parent, edits, name=name, parent_name=self.name, leave_out=leave_out)

    def record(self, parents_digest: str | None = None) -> tuple[Event, ...]:
        """The events as a record of its own, whose first line says in `meta` what it was branched from, and where.

        `parents_digest` is that of the parent's own lines up to there, where they are spelled otherwise than ours.
        """
        first, *others = self.events
        origin = {
            "game": own_name(_first_of(self.parent)),
            "event": self.parted,
            "digest": parents_digest or digest(self.parent[: self.parted]),
        }
        meta: dict[str, Any] = {**(first.meta or {}), "branched_from": origin, "branch": self.name}
        return (changed(first, meta=meta), *others)


def digest(events: Iterable[Event]) -> str:
    """SHA-256 over the lines of a record, each with its line feed: what `sha256sum` says of the file."""
    return hashlib.sha256(encode_lines(events)).hexdigest()


def branched(
    game: Game,
    edits: Sequence[Edit],
    *,
    name: str = "branch",
    parent_name: str | None = None,
    leave_out: bool = False,
) -> Branch:
    """The branch of a game that some edits make. An event of the rest that became impossible ends it, or is left out.

    >>> from daynight.compare.edits import insert
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "turn-began", "turn": 1, "active": ["Ana"]})
    >>> moment = game.record({"type": "spell-cast", "player": "Ana"})
    >>> branched(game, [insert(2, "bo casts Opt")]).origins
    (1, 2, None, 3)

    Raises:
        PositionError, NotFoundError: where an edit is at no event of the game.
        EditError: where edits meet, or nothing would be left to begin with, or the name is none.
        PhraseError, RecordError: where an event of an edit is not understood, or impossible there.
    """
    if not name or len(name) > NAME_LENGTH or forbidden_character(name) is not None:
        raise EditError(
            _("a branch's name has 1 to {most} characters, none of them a control character").format(most=NAME_LENGTH)
        )
    plan = _planned(game, edits)
    events = game.events
    first = min(plan, default=len(game) + 1)
    beginning = min(first - 1 if _takes_away(plan.get(first)) else first, len(game))
    made = _Making(game, events[:beginning])
    start = beginning + 1
    if not _takes_away(plan.get(first)) and first in plan:
        made.put_in(plan[first].after, first)
    stopped: LeftOut | None = None
    for number in range(start, len(events) + 1):
        changes = plan.get(number, _NONE)
        if changes.instead is None:
            lost = made.replayed(number, events[number - 1])
            if lost is not None and not leave_out:
                stopped = lost
                break
        else:
            made.put_in(changes.instead, number)
        made.ends.append(len(made.game))
        made.put_in(changes.after, number)
    return Branch(
        name=name,
        parent=events,
        parent_name=_first_of(events).game if parent_name is None else parent_name,
        events=made.game.events,
        origins=tuple(made.origins),
        parted=beginning,
        left_out=() if stopped is not None else tuple(made.lost),
        stopped=stopped,
        catalogue=game.catalogue,
    )


@dataclass(slots=True)
class _Changes:
    """What is put in after an event, and what instead of it; None: it stays."""

    after: list[Recordable] = field(default_factory=list)
    instead: list[Recordable] | None = None


_NONE = _Changes()


def _takes_away(changes: _Changes | None) -> bool:
    return changes is not None and changes.instead is not None


def _planned(game: Game, edits: Sequence[Edit]) -> dict[int, _Changes]:
    plan: dict[int, _Changes] = {}
    for edit in edits:
        at = game.number(edit.at)
        if edit.kind == "insert":
            plan.setdefault(at, _Changes()).after += edit.events
            continue
        last = at if edit.last is None else game.number(edit.last)
        if last < at:
            raise EditError(_("event {last} is before event {at}").format(last=last, at=at))
        if at == 1 and edit.kind == "drop":
            raise EditError(_("without event 1 there is no game; replace it instead"))
        for number in range(at, last + 1):
            changes = plan.setdefault(number, _Changes())
            if changes.instead is not None and edit.kind == "drop":
                raise EditError(_("event {event} is dropped or replaced twice").format(event=number))
            changes.instead = [*(changes.instead or ()), *edit.events]
    return plan


class _Making:
    """A branch on its way through the record."""

    def __init__(self, parent: Game, same: Sequence[Event]) -> None:
        self.parent = parent
        self.game = parent.what_if(len(same), ())
        self.origins: list[int | None] = list(range(1, len(same) + 1))
        self.ends = list(range(len(same) + 1))
        self.lost: list[LeftOut] = []

    def replayed(self, number: int, event: Event) -> LeftOut | None:
        """Take in an event of the parent; what is impossible is answered, and is not taken in."""
        try:
            self.game.take(self._renumbered(self._said(event, number)))
        except RecordError as error:
            lost = LeftOut(number, event, error.sentence)
            self.lost.append(lost)
            return lost
        self.origins.append(number)
        return None

    def put_in(self, events: Sequence[Recordable], number: int) -> None:
        """Take in events that the branch alone has."""
        for said in events:
            if isinstance(said, str):
                found = understood(said, self.game.state)
            else:
                found = (strictly(said),)
            for event in found:
                try:
                    self.game.take(self._renumbered(self.game.catalogue.fill(event)))
                except RecordError as error:
                    sentence = _("{sentence} (an event put in at event {event})")
                    text = sentence.format(sentence=error.sentence, event=number)
                    raise ImpossibleError(text, path=error.path) from None
                self.origins.append(None)

    def _said(self, event: Event, number: int) -> Event:
        """What is about the event before it stays about that one, where another comes between on the branch."""
        if (
            isinstance(event, (DisputeOpened, NoteAdded))
            and event.about is None
            and self._here(number - 1) != len(self.game)
        ):
            return changed(event, about=number - 1)
        return event

    def _renumbered(self, event: Event) -> Event:
        """The event with the parent's numbers in it as the branch has them."""
        if isinstance(event, GameBackedUp):
            return changed(event, to=self._here(event.to))
        if isinstance(event, TransformInstructed) and event.own_since is not None:
            return changed(event, own_since=self._here(event.own_since))
        if isinstance(event, (DisputeOpened, NoteAdded)) and event.about is not None:
            return changed(event, about=self._here(event.about))
        if isinstance(event, DisputeRuled) and event.to is not None:
            return changed(event, to=self._here(event.to))
        return event

    def _here(self, number: int) -> int:
        """The branch's event that stands where the parent has this one, or the one before where there is none."""
        if not 1 <= number < len(self.ends):
            raise ImpossibleError(_("event {event} is not an earlier one").format(event=number))
        return self.ends[number]


def _first_of(events: Sequence[Event]) -> GameStarted:
    if not events or not isinstance(events[0], GameStarted):
        raise NotFoundError(_("an empty game has no branches"))
    return events[0]
