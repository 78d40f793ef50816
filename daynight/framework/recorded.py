"""A record in memory: append events, look at any moment, ask why."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Generic, NamedTuple, Self, TypeVar, overload

from daynight.framework.audit import Audit, audited
from daynight.framework.bisect import Bisected, bisected
from daynight.framework.branches import Branch, branched
from daynight.framework.edits import Edit, Recordable
from daynight.framework.folding.history import History
from daynight.framework.folding.marks import Refusal, Version, accepted, check_unmarked, known, marked, refusals
from daynight.framework.folding.moment import Copyable, Moment
from daynight.framework.folding.tracing import Key, since
from daynight.framework.language.codec import write
from daynight.framework.language.errors import AskedError, NotFoundError, locating
from daynight.framework.language.happening import Happening, anew, located
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Derived, Mechanic
from daynight.framework.positions import Position

S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")
K = TypeVar("K", bound=Happening)
T = TypeVar("T")
S_of = TypeVar("S_of", bound=Copyable)
E_of = TypeVar("E_of")
C_of = TypeVar("C_of")


class PartAt(NamedTuple):
    """A part after some event: its name, its subject (None: the part has none), and its value with its ways."""

    part: str
    subject: Any
    derived: Derived


class Difference(NamedTuple):
    """A part that differs in two states, `left` and `right`; None where a state does not have the part."""

    part: str
    subject: Any
    left: Derived | None
    right: Derived | None


class Recorded(Generic[S, E, C]):
    """A record of a mechanic; `S` is the state that people see, `E` an event, `C` a consequence.

    Type checkers take all three from the mechanic; annotate a mechanic with `shown` as `Mechanic[Any, E, C]`.
    """

    stops: Any = None
    """A `daynight.store.errors.Stop` if the store has further events that this code cannot apply; else None."""

    def __init__(self, mechanic: Mechanic[S, E, C], events: Iterable[Recordable] = ()) -> None:
        self.mechanic = mechanic
        self._history: History[Any, E, C] = History(mechanic)
        for event in events:
            self._append(event, careful=False)

    # Not Self: pyright would know nothing of a record that is loaded by the name of the class alone.
    @classmethod
    def load(cls, mechanic: Mechanic[S_of, E_of, C_of], source: Path | str | BinaryIO) -> Recorded[S_of, E_of, C_of]:
        """Load a record from a file of JSON Lines, gzip-packed or not.

        Raises:
            RecordError: naming file, line and path of the first line that is refused.
            OSError: where the file cannot be read.
        """
        make: type[Any] = cls
        game: Recorded[S_of, E_of, C_of] = make(mechanic)
        with locating(file=str(source) if isinstance(source, (Path, str)) else None):
            return game.filled(mechanic.language.read(source))

    def save(self, target: Path | str | BinaryIO) -> None:
        """Write the record, one event a line."""
        if isinstance(target, (Path, str)):
            with open(target, "wb") as stream:
                write(self.events, stream)
        else:
            write(self.events, target)

    # ------------------------------------------------------------------------------------------------------- recording

    def record(self, event: Recordable) -> Moment[E, C]:
        """Append an event; return the moment: the event as stored, and all its consequences.

        Raises:
            RecordError: where the event is refused; the record does not change then.
        """
        return self._append(event, careful=True)

    def take(self, event: E) -> Moment[E, C]:
        """Like `record`, for an event that has been read, and completed by `Mechanic.fill`, already."""
        return self._history.record(self._ruled(event))

    def placed(self, event: E, rules: Version | None, *, check: bool = True) -> Moment[E, C]:
        """Like `take`, for an event of a file whose mark at that place names these `rules` (None: there is no mark).

        `check`: check the event by these rules, or by the current ones if these are unknown.
        """
        checks = known(self.mechanic) if check else {}
        if checks:
            by = self.mechanic.version if rules is None else rules
            self._history.check(checks.get(by, checks[self.mechanic.version]), event)
        return self._history.record(marked(event, None if rules == self._history.rules else rules))

    def extended(self, events: Iterable[E]) -> Self:
        """Append events that have been read, completed and checked already; return this record.

        Raises:
            RecordError: at the first one that is refused; throw the record away then.
        """
        for event in events:
            self._history.extend(event)
        return self

    def filled(self, events: Iterable[E]) -> Self:
        """Like `extended`, for events of a file: they are completed, and checked by the rules that their marks name.

        Unmarked events are checked by the current rules; if these refuse one, by earlier ones.
        """
        fill = anew(self.mechanic.fill, self.events[0] if len(self) else None)
        filled = located(fill, events, len(self) + 1)
        read = [*filled] if self.mechanic.language.marked else filled
        if isinstance(read, list):
            accepted(self.mechanic, [*self.events, *read])
        return self.extended(read)

    def understood(self, said: Recordable) -> Sequence[E]:
        """Return the events that a text, a JSON object or an event means in the present state.

        Raises:
            UnreadableError, AskedError: where it means no event.
        """
        if isinstance(said, str) and self.mechanic.phrase is not None:
            return self.mechanic.phrase(said, self.state)
        return (self.mechanic.language.strictly(said),)

    def _append(self, event: Recordable, *, careful: bool) -> Moment[E, C]:
        with locating(line=len(self) + 1):
            read = self._read(event, careful=careful)
            check_unmarked(read)
        if type(read) in self.mechanic.fills:
            read = anew(self.mechanic.fill, self.events[0] if len(self) else None)(read)
        return (self._history.record if careful else self._history.extend)(self._ruled(read))

    def _read(self, event: Recordable, *, careful: bool) -> E:
        """Return an event, read strictly. `careful` is True for `record`: a subclass may then refuse more events."""
        return self.mechanic.language.strictly(event)

    def _ruled(self, event: E) -> E:
        """Check an event by the current rules; return it with their version as mark, unless the last mark names it."""
        if self.mechanic.check is not None:
            self._history.check(self.mechanic.check, event)
            event = marked(event, None if self._history.rules == self.mechanic.version else self.mechanic.version)
        return event

    # --------------------------------------------------------------------------------------------------------- reading

    @property
    def events(self) -> tuple[E, ...]:
        """All recorded events; event n is `events[n - 1]`."""
        return self._history.events

    @property
    def title(self) -> str:
        """The title that the first event gives the record.

        Raises:
            NotFoundError: where there is no event.
        """
        if not self.events:
            raise NotFoundError(_("an empty record has no title"))
        return self.mechanic.title(self.events[0])

    def __len__(self) -> int:
        return len(self._history)

    @property
    def state(self) -> S:
        """The state after the last event."""
        return self._shown(self._history.state)

    def number(self, position: Position | str | int | None) -> int:
        """Return the event number of a position (`18`, `e18`, or a mark such as `turn:4`); None means the last event.

        Raises:
            PositionError: where the text is not a position.
            NotFoundError: where there is no such place.
        """
        if position is None:
            return len(self)
        parsed = position if isinstance(position, Position) else Position.parse(position, self.mechanic.places.marks)
        number = parsed.find(self.events, self.mechanic.place)
        if not 1 <= number <= len(self):
            raise NotFoundError(_("no event {event}; the last one is {last}").format(event=number, last=len(self)))
        return number

    def at(self, position: Position | str | int | None) -> S:
        """Return the state after a position, as it was then, also if it was undone later.

        Raises:
            PositionError, NotFoundError: as `number`.
        """
        return self._shown(self.whole(self.number(position)))

    def whole(self, number: int) -> Any:
        """Return the mechanic's whole state after event `number`; `at` may show less. 0: before the first event."""
        return self._history.at(number)

    def moments(self, after: int = 0) -> Iterator[Moment[E, C]]:
        """Yield every moment after event `after`, in order, also undone ones."""
        return self._history.moments(after)

    def walk(self, after: int = 0, *, whole: bool = False) -> Iterator[tuple[Moment[E, C], S]]:
        """Yield each moment with the state after it (`whole`: as `whole` returns it). `.copy()` a state to keep it."""
        for moment, state in self._history.walk(after):
            yield moment, state if whole else self._shown(state)

    def __iter__(self) -> Iterator[Moment[E, C]]:
        return self.moments()

    def stands(self, number: int) -> bool:
        """Return whether event `number` still counts: no back-up has undone it."""
        return self._history.standing(number)

    def over(self, history: History[Any, E, C], mechanic: Mechanic[Any, E, C]) -> Self:
        """Return a record of the same kind over another history of `mechanic`."""
        other = copy.copy(self)
        other._history, other.mechanic = history, mechanic
        return other

    def _shown(self, state: Any) -> S:
        shown: S = self.mechanic.shown(state)
        return shown

    @overload
    def __getitem__(self, place: int | str) -> Moment[E, C]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Moment[E, C]]: ...
    def __getitem__(self, place: int | str | slice) -> Moment[E, C] | list[Moment[E, C]]:
        """Return the moment at a position: `game[5]`, `game["turn:4"]`, `game[-1]`; `game[5:8]`: events 5, 6 and 7.

        Raises:
            PositionError, NotFoundError: as `number`.
        """
        if isinstance(place, slice):
            first, last, stride = place.indices(len(self) + 1)
            return [self[number] for number in range(max(first, 1 if stride > 0 else 0), max(last, 0), stride)]
        number = self.number(max(len(self) + 1 + place, 0) if isinstance(place, int) and place < 0 else place)
        return next(self.moments(number - 1))

    @overload
    def find(self, kind: type[K], /, *, where: Callable[[K], bool] = ...) -> list[Moment[K, C]]: ...
    @overload
    def find(self, kind: type[T], /, *, where: Callable[[T], bool] = ...) -> list[Moment[E, C]]: ...
    @overload
    def find(
        self, kind: type, other: type, /, *others: type, where: Callable[[Any], bool] = ...
    ) -> list[Moment[E, C]]: ...
    def find(self, *kinds: type, where: Callable[[Any], bool] = lambda thing: True) -> list[Moment[Any, C]]:
        """Return the moments whose event, or one of whose consequences, has one of these types and fits `where`."""
        return [
            moment
            for moment in self
            if any(isinstance(thing, kinds) and where(thing) for thing in (moment.event, *moment.consequences))
        ]

    # --------------------------------------------------------------------------------------------------------- answers

    def parts(self, position: Position | str | int | None = None, *names: str) -> list[PartAt]:
        """Return every part at a position, or those with these names, each with how it came about (*blame*)."""
        number = self.number(position)
        with locating(line=number):
            found = {(name, subject): one for name, subject, one in self.mechanic.derived(self.whole(number), names)}
            traced = self._traced(found, number)
        return [PartAt(*key, one) for key, one in traced.items()]

    def part(self, name: str, subject: Any = None, at: Position | str | int | None = None) -> Derived:
        """Return one part at a position: its value, and the event, the rule and the evidence behind it.

        Raises:
            NotFoundError: where the mechanic has no such part, or the part has no value for that subject.
        """
        part, number = self.mechanic.named(name), self.number(at)
        state = self.whole(number)
        with locating(line=number):
            found = part.of(state, subject)
        if found is None and subject is None and (subjects := [*map(str, part.listed(state))]) != ["None"]:
            known = ", ".join(subjects) or _("nothing")
            raise NotFoundError(_("{name} has a subject; name one of: {known}").format(name=name, known=known))
        if found is None:
            raise NotFoundError(_("{name}: nothing is there of {subject}").format(name=name, subject=repr(subject)))
        return self._traced({(name, subject): found}, number)[name, subject]

    def _traced(self, found: dict[Key, Derived], number: int) -> dict[Key, Derived]:
        """Return the parts `found` after event `number`; add the event that last changed each if the state lacks it."""
        asked = {key: one.earliest for key, one in found.items() if not one.traced}
        for key, event in (since(self.mechanic, self._history, asked, number) if asked else {}).items():
            found[key] = found[key].since(event)
        return found

    def refusals(self, rules: Version | None = None) -> list[Refusal]:
        """Return a `Refusal` for each event that version `rules` refuses now (None: the current version).

        Reading a record never checks it again; this method shows what the `check` of a version would refuse.

        Raises:
            NotFoundError: where that version is unknown.
        """
        return refusals(self.mechanic, self.events, rules)

    def audited(self) -> Audit:
        """Compare every claim and ruling with the derived value of its part; return the audit."""
        return audited(self)

    def differences(self, other: Recorded[S, E, C], left: Any = None, right: Any = None) -> list[Difference]:
        """Return the parts in which this record at `left` and another one at `right` differ, or that only one has."""
        here, there = self.number(left), other.number(right)
        states = self.whole(here), other.whole(there)
        keys = [*self.mechanic.apart(*states)]
        if more := [name for name in other.mechanic.parts if name not in self.mechanic.parts]:
            keys += other.mechanic.apart(*states, more)
        mine, theirs = self._derived(keys, here), other._derived(keys, there)
        return [Difference(*key, mine.get(key), theirs.get(key)) for key in keys]

    def _derived(self, keys: Sequence[Key], number: int) -> dict[Key, Derived]:
        """Return the parts in `keys` that have a value after event `number`, by their keys."""
        state, parts = self.whole(number), self.mechanic.parts
        with locating(line=number):
            found = {key: parts[key[0]].of(state, key[1]) for key in keys if key[0] in parts}
        return self._traced({key: one for key, one in found.items() if one is not None}, number)

    def what_if(self, after: int, events: Iterable[Recordable]) -> Self:
        """Return another record: the events up to `after`, then `events`. This record does not change."""
        other = copy.copy(self)
        other._history = self._history.what_if(after)
        for event in events:
            other._append(event, careful=False)
        return other

    def branch(self, *edits: Edit, name: str = "branch", leave_out: bool = False) -> Branch[Self]:
        """Return a branch of this record with some events inserted, dropped or replaced. This record does not change.

        Raises:
            EditError, PositionError, NotFoundError, RecordError: where an edit cannot be made.
        """
        return branched(self, edits, name=name, leave_out=leave_out)

    def bisect(self, test: Callable[[S], bool]) -> Bisected:
        """Find the first event after which `test(state)` is true, by testing few events.

        The answer is right if the test is true of every later state too.
        """
        return bisected(len(self), lambda number: "bad" if test(self.at(number)) else "good")

    def table(self, per: str = "event") -> list[dict[str, Any]]:
        """Return rows for any dataframe library: one `per` "event", per "change" (each consequence), or per "turn".

        A row has the number of the event, `stands` (whether it was not undone), the fields and (not for a turn) a type.
        Fields differ by type: polars needs `DataFrame(rows, infer_schema_length=None)`. The mechanic's `place` finds
        the turns, and may have another word than "turn"; a turn has its first event and, as `last`, its last one.

        Raises:
            AskedError: where `per` is something else.
        """
        places = self.mechanic.places
        if per in places.rows:
            return list(places.rows[per](self))
        if per not in (known := ("event", *places.rows, "change")):
            sentence = _("a table has no row per {per}; there are: {known}")
            raise AskedError(sentence.format(per=repr(per), known=", ".join(known)))
        return [
            {"event": moment.number, "stands": self.stands(moment.number)} | _row(thing)
            for moment in self
            for thing in ((moment.event,) if per == "event" else moment.consequences)
        ]

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, Recorded) else NotImplemented

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.mechanic.name}, {len(self)} events>"

    __hash__ = None  # type: ignore[assignment]  # it grows


def _row(thing: Any) -> dict[str, Any]:
    fields = {name: getattr(thing, name) for name in thing.__struct_fields__}
    if fields.get("rules") is None:
        # Most events have none, and most mechanics never do.
        fields.pop("rules", None)
    return {"type": getattr(thing, "type", type(thing).__name__)} | fields
