"""A mechanic as a value: its events, its state and its rules. Build one and pass it on; nothing is registered.

Its `parts` matter most. A part derives one aspect of the state (the monarch, the face of a permanent) together with how
it came about. From them the framework answers the same questions for every mechanic: *why* explains one part, *blame*
all parts, *diff* lists the parts in which two states differ, and the *audit* compares claims with parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from enum import Enum
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar, get_args

from msgspec import Struct

from daynight.framework.checking import soundness
from daynight.framework.checking.guarding import guarded
from daynight.framework.folding.moment import Copyable
from daynight.framework.language.errors import AnswerError, DaynightError, NotFoundError, RecordError, failed
from daynight.framework.language.happening import ByType, kinds_of, tag_of
from daynight.framework.language.language import Language
from daynight.framework.language.wording import _
from daynight.framework.positions import Places, Position, unknown_place
from daynight.framework.values import Between, Derived, Values, Way, agrees, derived

__all__ = [
    "Between", "Change", "Check", "Derived", "Facts", "Mechanic", "Part", "Said", "Seal", "Values", "Way", "Words",
    "agrees", "derived",
]  # fmt: skip

S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")

Check: TypeAlias = Callable[[Any, Any, int], object]
"""`check(state, event, number)` raises `ImpossibleError` to refuse an event in the state before it."""

Seal: TypeAlias = Literal["before", "after", "end"]
"""Which head of a record a store signs: that before the event, or after it; "end": after it, as the end of a turn."""


class Change(Struct, frozen=True, gc=False):
    """A consequence that any mechanic may use: by this `rule`, a part of the state changed from `was` to `became`."""

    event: int
    part: str
    subject: str | None
    was: Any
    became: Any
    rule: str | None = None
    because: tuple[int, ...] = ()

    @property
    def way(self) -> Way:
        """The `Way` by which the part got its new value; a state may keep it."""
        return Way(self.event, self.rule, self.because or (self.event,))

    def __str__(self) -> str:
        of = self.part if self.subject is None else f"{self.part} of {self.subject}"
        return f"{of}: {_value(self.part, self.subject, self.was)} -> {_value(self.part, self.subject, self.became)}"


class Facts(Struct):
    """A base class for states. `copy` copies each dict, list and set in a field, but not the objects inside those."""

    def copy(self) -> Self:
        """Return a copy of the state."""
        return type(self)(**{name: _apart(getattr(self, name)) for name in self.__struct_fields__})


class Said(Struct, frozen=True):
    """A claim or a ruling: the part has this `value`. `by` names the person.

    The audit compares it with the part in the state before its event; with `after` (a `balance_after`), after it.
    """

    part: str
    subject: Any
    value: Any
    by: str | None = None
    after: bool = False


def _itself(state: Any) -> tuple[None]:
    return (None,)


@dataclass(frozen=True)  # Python 3.11 refuses `Part[Lamp](...)` where it has slots too.
class Part(Generic[S]):
    """One aspect of the state.

    `derive(state, subject)` returns its value, or None if there is none now. `subjects(state)` lists its subjects
    (permanents, players); without it the part belongs to the whole state, and its subject is None. `lasts`: a back-up
    leaves the part as it is.

    Two more functions only save time. `values(state, subject)` returns the values alone, which is often all that an
    audit or a difference needs. `rests(state, subject)` returns the object that the values are read from: the values
    are unchanged as long as the same object is returned.
    """

    derive: Callable[[S, Any], Derived | None]
    subjects: Callable[[S], Iterable[Any]] = _itself
    values: Callable[[S, Any], Values | None] | None = None
    rests: Callable[[S, Any], object] | None = None
    lasts: bool = False
    name: str = field(default="", compare=False, repr=False)
    """The name of the part, set by its mechanic; error messages use it."""

    def __post_init__(self) -> None:
        functions = {name: getattr(self, name) for name in ("derive", "subjects", "values", "rests")}
        soundness.check_functions(functions)

    def of(self, state: S, subject: Any) -> Derived | None:
        """Return what `derive` returns.

        Raises:
            MechanicError: where it fails.
            AnswerError: where it returns no `Derived` and not None, or a number of ways that does not fit the values.
        """
        try:
            found: Any = self.derive(state, subject)
        except DaynightError:
            raise
        except Exception as error:
            raise failed(self._told("part", subject), error) from error
        if found is None or (isinstance(found, Derived) and isinstance(found.values, (tuple, Between))):
            if found is not None and 1 < len(found.ways) < len(found.values):
                told = (
                    f"{self._told('part', subject)}: it answered {len(found.values)} values and {len(found.ways)} ways"
                )
                raise AnswerError(f"{told}; give one way for all, one for each value, or none")
            return found
        value, code = getattr(found, "values", found), getattr(self.derive, "__code__", None)
        at = f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""
        told = f"{self._told('part', None)}{at}: it answered {found!r}"
        raise AnswerError(f"{told}; answer Derived(({value!r},)), or None for nothing")

    def listed(self, state: S) -> list[Any]:
        """Return what `subjects` lists.

        Raises:
            MechanicError: where it fails.
        """
        try:
            return [*self.subjects(state)]
        except DaynightError:
            raise
        except Exception as error:
            raise failed(self._told("subjects of part", None), error) from error

    def meant(self, state: S, name: str | None) -> Any:
        """Return the subject whose text, `str(subject)`, is `name`; `name` itself if there is no such subject."""
        return next((one for one in self.listed(state) if str(one) == name), name)

    def may_be(self, state: S, subject: Any) -> Values | None:
        """Return the possible values of the part in a state; None if it has none."""
        if self.values is not None:
            try:
                return self.values(state, subject)
            except DaynightError:
                raise
            except Exception as error:
                raise failed(self._told("values of part", subject), error) from error
        found = self.of(state, subject)
        return None if found is None else found.values

    def _told(self, function: str, subject: Any) -> str:
        told = f"{function} {self.name}".rstrip()
        return told if subject is None else f"{told}, subject {subject!r}"


def _apart(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list | set) else value


def _value(_part: str, _subject: str | None, value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _fields(thing: Any) -> str:
    if isinstance(thing, Change):
        return str(thing)
    fields = {name: getattr(thing, name) for name in thing.__struct_fields__}
    told = [f"{name} {_plainly(value)}" for name, value in fields.items() if value not in _EMPTY]
    tag = str(type(thing).__struct_config__.tag or type(thing).__name__)
    return f"{tag}: {', '.join(told)}" if told else tag


_EMPTY: tuple[Any, ...] = (None, (), [], {}, set(), frozenset())


def _plainly(value: Any) -> str:
    return (
        " + ".join(map(_plainly, value)) if isinstance(value, tuple | list | set | frozenset) else _value("", "", value)
    )


@dataclass(frozen=True, slots=True)
class Words:
    """How a mechanic is put into words: an event, a consequence and a value of a part as phrases for people."""

    event: Callable[[Any], str] = _fields
    consequence: Callable[[Any], str] = _fields
    value: Callable[[str, str | None, Any], str] = lambda *of: _("nothing") if of[-1] is None else _value(*of)


def _nowhere(events: Sequence[Any], position: Position) -> int:
    raise unknown_place(position)


_SAYS_NOTHING: ByType[tuple[Said, ...]] = ByType({}, lambda event: ())
_RESTORES_NOTHING: ByType[int | None] = ByType({}, lambda event: None)
_AS_IT_IS: ByType[Any] = ByType({}, lambda event: event)


@dataclass(frozen=True, kw_only=True)
class Mechanic(Generic[S, E, C]):
    """Everything that the framework needs to know about one kind of record.

    Attributes:
        name: one word; a store saves it, and refuses a mechanic with another name.
        language: the events.
        start: makes the state before event 1.
        step: applies event number n to a state, in place, and returns the consequences. It raises `ImpossibleError`
            where the event cannot happen; the state may then be half-updated.
        check: refuses an event that may not be recorded now, given the state before it and its number, by raising
            `ImpossibleError`. It is called once, when an event is recorded; `step` accepts every recorded event. So a
            rule made stricter here never changes an older record.
        checks: the `check` functions of earlier versions of the rules, by version, to check old records again.
        parts: the aspects of the state, by name.
        begins: raises `ImpossibleError` where a record cannot begin with this event.
        says: the claims and rulings in an event, each a `Said`.
        concludes: rulings that follow from all events together, each with an event number; no back-up undoes them.
        rules: the sentence of each rule key, for people.
        restores: the number of the event that this event backs up to; None if it does not back up.
        names: for each type of event the fields that hold event numbers; a branch renumbers them.
        before: for each type of event a field that means the previous event when it is left out.
        seals: the types of events at which a store signs the head of a record: the head `before` them (the turn before
            is over), `after` them, or at the `end` (after them, as the end of a turn).
        fill: completes an event before it is stored, from a catalogue for example.
        run: an optional bulk step, for speed: `run(state, events, number, found)` applies the events after event
            `number`, none of which backs up; it appends their consequences to `found` unless that is None. The
            line of its error is the number of the event that cannot happen.
        handlers: for each type of event the function `(state, event, number)` that `run` applies. `run` then takes a
            fifth argument, such a mapping with some functions replaced; if one of those raises, the state is unchanged.
        freeze, thaw: a state as JSON and back, for snapshots; without them a store replays from event 1. `thaw` raises
            an error of msgspec, a `ValueError` or a `RecordError` for data that `freeze` never wrote.
        remember, recall: `remember` returns as JSON what `freeze` leaves out, `recall` puts it into a thawed state.
        version: the number of these rules, from 1 on; cached results of another version are not used.
        forgets: whether an event needs data that a thawed state lacks; if so, the store replays from event 1.
        place: finds a position such as `turn:4` among events; as `Places` it also lists the marks that it finds.
        phrase: reads short words (`Ana casts Opt`) in a state as events.
        title: the title of a record, from its first event.
        chart: the state chart, for drawing; several as a mapping or a sequence.
        words: how events, consequences and values are put into words.
        shown: the state that people see, made from the mechanic's own state, which may hold more.
        restored: the state after backing up, from the current state and the earlier one.
        seen: the state that a claim at event `number` is compared with, from the state before and this number.
    """

    name: str
    language: Language[E]
    start: Callable[[], S]
    step: Callable[[S, E, int], Sequence[C]]
    check: Callable[[S, E, int], object] | None = None
    checks: Mapping[Any, Check] = field(default_factory=dict)
    parts: Mapping[str, Part[Any]] = field(default_factory=dict)
    begins: Callable[[E], object] = lambda event: None
    says: Callable[[E], Iterable[Said]] = _SAYS_NOTHING
    concludes: Callable[[Sequence[E]], Iterable[tuple[int, Said]]] | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    restores: Callable[[E], int | None] = _RESTORES_NOTHING
    names: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    before: Mapping[type, str] = field(default_factory=dict)
    seals: Mapping[type, Seal] = field(default_factory=dict)
    fill: Callable[[E], E] = _AS_IT_IS
    run: Callable[..., None] | None = None
    handlers: Mapping[type, Callable[[S, Any, int], Sequence[C]]] | None = None
    freeze: Callable[[S], bytes] | None = None
    thaw: Callable[[bytes], S] | None = None
    remember: Callable[[S], bytes] | None = None
    recall: Callable[[S, bytes], object] | None = None
    version: int | tuple[int, ...] = 1
    forgets: Callable[[E, S], bool] = lambda event, state: False
    place: Callable[[Sequence[E], Position], int] = _nowhere
    phrase: Callable[[str, Any], Sequence[E]] | None = None
    title: Callable[[E], str] = tag_of
    chart: soundness.Charts | None = None
    words: Words = Words()
    shown: Callable[[S], Any] = lambda state: state
    restored: Callable[[S, S], S] = lambda now, then: then
    seen: Callable[[S, int], S] = lambda state, number: state

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            TypeError, ValueError: with the field, what is wrong, and what to write.
        """
        soundness.check_name(self.name)
        soundness.check_mappings({"parts": self.parts, "rules": self.rules})
        soundness.charts_of(self.chart)
        if not isinstance(self.language, Language):
            raise TypeError(f"language: {self.language!r} is no Language; write Language(events)")
        if not callable(self.start):
            raise TypeError("start: a state can't be called; give the class of the state, or a function that makes one")
        for name, part in self.parts.items():
            if not isinstance(part, Part):
                raise TypeError(f"parts, {name!r}: {part!r} is no Part; write Part(function)")
        self._name_functions()
        for place, named_there in (("names", self.names), ("before", self.before), ("seals", self.seals)):
            soundness.check_kinds(place, named_there, self.language.kinds)
        soundness.check_kinds("place", self.places.kinds, self.language.kinds, bases=True)
        for kind, named in self.names.items():
            soundness.check_fields("names", kind, named)
        for kind, one in self.before.items():
            soundness.check_fields("before", kind, (one,))
        for kind, when in self.seals.items():
            if when not in get_args(Seal):
                raise ValueError(f"seals, {kind.__name__}: {when!r} is none of {', '.join(map(repr, get_args(Seal)))}")
        soundness.check_rules(self.version, self.check, self.checks, self.language.kinds)
        for one, other in (("freeze", "thaw"), ("remember", "recall")):
            if (getattr(self, one) is None) is not (getattr(self, other) is None):
                raise ValueError(f"{one} and {other}: one of them is missing; give both, or neither")

    def _name_functions(self) -> None:
        object.__setattr__(self, "parts", {name: changed(part, name=name) for name, part in self.parts.items()})
        for name in ("start", "begins", "restores", "fill"):
            object.__setattr__(self, name, guarded(name, getattr(self, name)))

    @property
    def places(self) -> Places:
        """The field `place` as a `Places`; a plain function becomes one that lists no marks."""
        return self.place if isinstance(self.place, Places) else Places(self.place, ())

    @cached_property
    def fills(self) -> frozenset[type]:
        """The types of events that `fill` completes."""
        return kinds_of(self.fill, self.language.kinds)

    def named(self, part: str) -> Part[Any]:
        """Return the part of this name.

        Raises:
            NotFoundError: where there is none; the error lists the existing parts.
        """
        if part not in self.parts:
            known = ", ".join(self.parts)
            raise NotFoundError(_("no part {name}; there are: {known}").format(name=repr(part), known=known))
        return self.parts[part]

    def over(self, state: S, events: Sequence[E], number: int, found: list[C] | None = None) -> None:
        """Apply the events after event `number` to a state; append their consequences to `found`.

        None of them may back up.

        Raises:
            RecordError: with its line, at the first event that cannot happen.
        """
        if self.run is not None:
            self.run(state, events, number, found, *([] if self.handlers is None else [self.handlers]))
            return
        try:
            for event in events:
                number += 1
                consequences = self.step(state, event, number)
                if found is not None:
                    found += consequences
        except RecordError as error:
            raise error.located(line=number) from None

    def derived(self, state: S, names: Sequence[str] = ()) -> Iterator[tuple[str, Any, Derived]]:
        """Yield name, subject and `Derived` of every part that has a value in a state, or of those with these names.

        If neighbouring parts share a `subjects` function, all of them are yielded for one subject, then for the next.
        """
        for group in self._groups(names):
            for subject in self.parts[group[0]].listed(state):
                for name in group:
                    if (found := self.parts[name].of(state, subject)) is not None:
                        yield name, subject, found

    def apart(self, left: S, right: S, names: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
        """Yield name and subject of the parts with different values in two states, in the order of `derived`."""
        for group in self._groups(names):
            subjects = self.parts[group[0]].listed
            reading = [(name, self.parts[name].values or self.parts[name].may_be) for name in group]
            for subject in dict.fromkeys((*subjects(left), *subjects(right))):
                for name, values in reading:
                    if values(left, subject) != values(right, subject):
                        yield name, subject

    def _groups(self, names: Sequence[str]) -> list[list[str]]:
        shared = groupby(names or self.parts, key=lambda name: id(self.parts[name].subjects))
        return [[*group] for _function, group in shared]
