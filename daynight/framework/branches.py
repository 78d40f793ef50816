"""Branches: a record with some events inserted, dropped or replaced, and its other events replayed.

A branch is a value; its parent stays as it is. Edits use the event numbers of the parent. A later event that names an
event number (backing up, for example) is renumbered on the branch.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec.structs import replace as changed

from daynight.framework.edits import Edit, Recordable
from daynight.framework.folding.marks import check_unmarked, in_force, known
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import AskedError, ImpossibleError, NotFoundError, RecordError
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import is_name
from daynight.framework.language.reader import blocks
from daynight.framework.language.source import Source
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.framework.recorded import Recorded

R = TypeVar("R", bound="Recorded[Any, Any, Any]")

_DIGEST = re.compile(r"[0-9a-f]{64}")


class EditError(AskedError):
    """Edits contradict one another, an edit drops event 1, or the name of a branch is not valid; exit code 2."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An event of the parent that is impossible on the branch, and the reason."""

    number: int
    event: Any
    reason: str


@dataclass(frozen=True)
class Branch(Generic[R]):
    """A record made by edits from another record, its parent.

    `parent` has all events of the parent, `events` all events of the branch. `origins` has for each event of the branch
    the number of the same event in the parent; None for an event of an edit. The first `parted` events of both are the
    same. `left_out` are the parent's events that became impossible and were skipped. `stopped` is the first impossible
    event if the caller did not allow skipping: the branch ends before it. `by_today` are the numbers, on the branch, of
    events of edits that the current rules checked, because the record's rules at that place are unknown. `of` is the
    parent as a record.
    """

    name: str
    parent: tuple[Any, ...]
    parent_name: str
    events: tuple[Any, ...]
    origins: tuple[int | None, ...]
    parted: int
    left_out: tuple[LeftOut, ...]
    stopped: LeftOut | None
    by_today: tuple[int, ...]
    of: R = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def game(self) -> R:
        """The branch as a new record; events that you append to this record do not change the branch."""
        return self.of.what_if(0, ()).extended(self.events)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The numbers of the parent's events that are missing in the branch, up to the branch's end."""
        there = frozenset(self.origins)
        end = len(self.parent) if self.stopped is None else self.stopped.number - 1
        return tuple(number for number in range(1, end + 1) if number not in there)

    def branch(self, *edits: Edit, name: str = "branch", leave_out: bool = False) -> Branch[R]:
        """Return a branch of this branch. Its edits use the event numbers of this branch."""
        parent = self.of.what_if(0, ()).extended(self.record())
        return branched(parent, edits, name=name, parent_name=self.name, leave_out=leave_out)

    def record(self, parents_digest: str | None = None) -> tuple[Any, ...]:
        """Return the events of the branch; `meta` of the first says which record it was branched from, and where.

        `parents_digest` is the SHA-256 of the parent's first `parted` lines as they are in its file. Without it, the
        lines that daynight writes for these events are hashed.
        """
        first, *others = self.events
        origin = {
            "game": self.of.mechanic.title(self.parent[0]),
            "event": self.parted,
            "digest": parents_digest or digest(self.parent[: self.parted]),
        }
        meta: dict[str, Any] = {**(first.meta or {}), "branched_from": origin, "branch": self.name}
        return (changed(first, meta=meta), *others)


def digest(events: Iterable[Any]) -> str:
    """Return the SHA-256 of the lines that daynight writes for these events, as `sha256sum` prints it for the file."""
    return hashlib.sha256(encode_lines(events)).hexdigest()


def branched(
    game: R, edits: Sequence[Edit], *, name: str = "branch", parent_name: str | None = None, leave_out: bool = False
) -> Branch[R]:
    """Make a branch of a record by edits. It ends before the first later event that became impossible.

    With `leave_out`, such events are skipped instead.

    Raises:
        PositionError, NotFoundError: where an edit is at no event of the record, or the record is empty.
        EditError: where edits contradict one another, the first event would be dropped, or `name` is not valid.
        AskedError, RecordError: where an event of an edit cannot be read, or is impossible there.
    """
    if not is_name(name):
        sentence = _("a branch's name has 1 to {most} characters, none of them a control character")
        raise EditError(sentence.format(most=NAME_LENGTH))
    plan = _planned(game, edits)
    if not len(game):
        raise NotFoundError(_("an empty record has no branches"))
    first = min(plan, default=len(game) + 1)
    there = plan.get(first, _NONE)
    beginning = min(first if there.instead is None else first - 1, len(game))
    made = _Making(game, beginning)
    if there.instead is None:
        made.put_in(there.after, first)
    stopped: LeftOut | None = None
    for number in range(beginning + 1, len(game) + 1):
        changes = plan.get(number, _NONE)
        if changes.instead is not None:
            made.put_in(changes.instead, number)
        elif (lost := made.replayed(number, game.events[number - 1])) is not None and not leave_out:
            stopped = lost
            break
        made.ends.append(len(made.game))
        made.put_in(changes.after, number)
    return Branch(
        name=name,
        parent=game.events,
        of=game,
        parent_name=game.title if parent_name is None else parent_name,
        events=made.game.events,
        origins=tuple(made.origins),
        parted=beginning,
        left_out=() if stopped is not None else tuple(made.lost),
        stopped=stopped,
        by_today=tuple(made.by_today),
    )


@dataclass(slots=True)
class _Changes:
    """Edits at one event: the events `after` it, and those `instead` of it (None: it stays; empty: it is dropped)."""

    after: list[Recordable] = field(default_factory=list)
    instead: list[Recordable] | None = None


_NONE = _Changes()


def _planned(game: Recorded[Any, Any, Any], edits: Sequence[Edit]) -> dict[int, _Changes]:
    plan: dict[int, _Changes] = {}
    for edit in edits:
        if edit.kind == "insert":
            continue
        at = game.number(edit.at)
        last = at if edit.last is None else game.number(edit.last)
        if last < at:
            raise EditError(_("event {last} is before event {at}").format(last=last, at=at))
        if at == 1 and edit.kind == "drop":
            raise EditError(_("without event 1 there is no record; replace it instead"))
        for number in range(at, last + 1):
            changes = plan.setdefault(number, _Changes())
            if changes.instead is not None and edit.kind == "drop":
                raise EditError(_("event {event} is dropped or replaced twice").format(event=number))
            changes.instead = [*(changes.instead or ()), *edit.events]
    for edit in edits:
        if edit.kind == "insert":
            plan.setdefault(_until(game, game.number(edit.at), plan), _Changes()).after += edit.events
    return plan


def _until(game: Recorded[Any, Any, Any], at: int, plan: Mapping[int, _Changes]) -> int:
    """Return the number of the parent's event after which the events of an insert at event `at` are really placed.

    A later back-up to event `at` would undo events inserted before it. So they are placed after the last such back-up
    (a back-up to one of these back-ups counts too). The answer is `at` if there is none, or if a back-up to an earlier
    event undoes event `at`. A back-up that the `plan` drops or replaces is ignored.
    """
    until = at
    for number in range(at + 1, len(game) + 1):
        restores = game.mechanic.restores(game.events[number - 1])
        if restores is None or plan.get(number, _NONE).instead is not None:
            continue
        if restores < at:
            return at
        if restores <= until:
            until = number
    return until


class _Making(Generic[R]):
    """Builds the record of a branch, `game`, which begins with the first `same` events of the parent."""

    def __init__(self, parent: R, same: int) -> None:
        self.game = parent.what_if(same, ())
        self.origins: list[int | None] = list(range(1, same + 1))
        self.ends = list(range(same + 1))
        self.lost: list[LeftOut] = []
        # Of each event of the parent: which version of the rules accepted it.
        self.rules = [*in_force(parent.events)] if parent.mechanic.check is not None else []
        self.by_today: list[int] = []

    def replayed(self, number: int, event: Any) -> LeftOut | None:
        """Record the parent's event `number` and return None; if it is impossible on the branch, return a `LeftOut`."""
        rules = self.rules[number - 1] if self.rules else None
        try:
            # It was accepted by rules that are not known here: they are believed.
            check = rules is not None and rules in known(self.game.mechanic)
            self.game.placed(self._renumbered(self._explicit(event, number)), rules, check=check)
        except RecordError as error:
            lost = LeftOut(number, event, error.sentence)
            self.lost.append(lost)
            return lost
        self.origins.append(number)
        return None

    def put_in(self, events: Sequence[Recordable], number: int) -> None:
        """Record the events of an edit, after or instead of the parent's event `number`.

        Raises:
            ImpossibleError: where one of them cannot happen there.
        """
        there = self.rules[number - 1 : number] if self.rules else ()
        by_today = bool(self.rules) and (not there or there[0] not in known(self.game.mechanic))
        for said in events:
            for event in self.game.understood(said):
                check_unmarked(event)
                try:
                    self.game.placed(self._renumbered(self.game.mechanic.fill(event)), next(iter(there), None))
                except RecordError as error:
                    sentence = _("{sentence} (an event put in at event {event})")
                    if by_today and isinstance(error, ImpossibleError):
                        sentence = _(
                            "{sentence} (an event put in at event {event}, checked by the rules of today, for those of"
                            " its place are not known)"
                        )
                    text = sentence.format(sentence=error.sentence, event=number)
                    raise ImpossibleError(text, path=error.path) from None
                self.origins.append(None)
                if by_today:
                    self.by_today.append(len(self.origins))

    def _explicit(self, event: Any, number: int) -> Any:
        """Return `event`; if a field left out means the event before, and the branch has others between, fill it in."""
        name = self.game.mechanic.before.get(type(event))
        if name is not None and getattr(event, name) is None and self._here(number - 1) != len(self.game):
            return changed(event, **{name: number - 1})
        return event

    def _renumbered(self, event: Any) -> Any:
        """Return the event with the branch's event numbers in its fields, in place of the parent's numbers."""
        fields = self.game.mechanic.names.get(type(event), ())
        numbers = {name: getattr(event, name) for name in fields}
        found = {name: self._here(number) for name, number in numbers.items() if number is not None}
        return changed(event, **found) if found else event

    def _here(self, number: int) -> int:
        """Return the branch's number of the parent's event `number`; if the branch lacks it, of the last event before.

        Raises:
            ImpossibleError: where the parent has no such earlier event.
        """
        if not 1 <= number < len(self.ends):
            raise ImpossibleError(_("event {event} is not an earlier one").format(event=number))
        return self.ends[number]


# ---------------------------------------------------------------------------------- what a record was branched from


@dataclass(frozen=True, slots=True)
class Origin:
    """From which record a branch was made: the branch `name` differs from the record `game` after event `event`.

    `digest` is the SHA-256 of the first `event` lines of that game, each with its line feed, in hexadecimal digits.
    """

    name: str
    game: str
    event: int
    digest: str

    @property
    def full_name(self) -> str:
        """The name under which the branch is kept beside its parent: `friday/b2`."""
        return f"{self.game}/{self.name}"


def origin_of(first: Unmarked) -> Origin | None:
    """Return the origin that the first event names in `meta`; None if there is none, or it has an unknown shape."""
    meta = first.meta or {}
    found = meta.get("branched_from")
    if not isinstance(found, Mapping):
        return None
    name, game, event, digest = meta.get("branch"), found.get("game"), found.get("event"), found.get("digest")
    if not (is_name(name) and is_name(game) and isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        return None
    if isinstance(event, bool) or not isinstance(event, int) or event < 0:
        return None
    return Origin(name, game, event, digest)


def fits(origin: Origin, branch: Sequence[Unmarked], parent: Sequence[Unmarked]) -> bool:
    """Return whether the first `origin.event` events of a branch and of its parent are the same.

    In the `meta` of their first events, `branched_from`, `branch` and `random` are ignored.
    """
    until = origin.event
    if until > len(parent) or until > len(branch):
        return False
    if not until:
        return True
    return [_plain(branch[0]), *branch[1:until]] == [_plain(parent[0]), *parent[1:until]]


def _plain(event: Unmarked) -> Unmarked:
    if not event.meta:
        return event
    # The random bits of a game that was begun in a store are its own, and a branch has others.
    rest = {name: value for name, value in event.meta.items() if name not in ("branch", "branched_from", "random")}
    return changed(event, meta=rest or None)


def digest_of(record: Source, events: int) -> str:
    """Return the SHA-256 of the first `events` lines of a record, in hex, as `head -n N FILE | sha256sum` prints it.

    Raises:
        RecordError, NotFoundError: where the record cannot be read.
    """
    found = hashlib.sha256()
    with record.open() as stream:
        for block in blocks(stream):
            lines = block.removesuffix(b"\n").split(b"\n")
            found.update(b"".join(line + b"\n" for line in lines[:events]))
            events -= min(events, len(lines))
    return found.hexdigest()
