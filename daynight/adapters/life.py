"""An aggregate as a mechanic: the aggregate is the state, and its attributes are the parts."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

import msgspec
from eventsourcing.domain import CanInitAggregate, decorated_funcs

from daynight.adapters import happened
from daynight.adapters.application import Named, told
from daynight.adapters.errors import AdoptedError
from daynight.adapters.happened import Happened
from daynight.adapters.values import Hiding, attributes, in_words, looked_at, names_of, shown
from daynight.framework.folding.history import History
from daynight.framework.language.errors import AskedError, DaynightError, ImpossibleError, RecordError
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Change, Derived, Mechanic, Part, Said, Way, Words
from daynight.framework.positions import Places

OWN = frozenset({"_id", "_version", "_created_on", "_modified_on", "_pending_events"})
"""Attributes of the library's aggregates that are not part of their state: id, version, times, pending events."""

LIBRARYS = frozenset({"id", "version", "created_on", "modified_on", *OWN})
"""The same attributes, with their names in immutable aggregates added."""

Says = Callable[[Any], Iterable[tuple[str, Any]]]
"""Returns the claims of an application's event: names of attributes, each with its expected value afterwards."""

Concludes = Callable[[Sequence[Any]], Iterable[tuple[int, Said]]]
"""Gets the events of a record; returns its snapshots' claims, each with the number of the event before it."""

Because = Callable[[Any], Iterable[int]]
"""Returns the numbers of the earlier events on which an application's event depends."""


class Mark(NamedTuple):
    """The value of an attribute: in comparable form, in shown form, and, if part of it is hidden, its mark."""

    value: Any
    shown: Any
    hidden: str | None


class Masked:
    """A partly hidden value: compared with another such value by its mark, with others as it is shown."""

    __slots__ = ("mark", "shown")

    def __init__(self, shown: Any, mark: str) -> None:
        self.shown = shown
        self.mark = mark

    def __eq__(self, other: object) -> bool:
        return self.mark == other.mark if isinstance(other, Masked) else bool(self.shown == other)

    __hash__ = None  # type: ignore[assignment]


class Life:
    """The state after some events: the `aggregate`, and the last change of each attribute.

    `aggregate` is None before it is created, after it is deleted, and if it is unknown; `lost` then says why.
    """

    __slots__ = ("aggregate", "lost", "marks", "version", "ways", "when")

    def __init__(self) -> None:
        self.aggregate: Any = None
        self.version = 0
        self.when: datetime | None = None
        self.marks: dict[str, Mark] = {}
        self.ways: dict[str, Way] = {}
        self.lost: str | None = None

    def copy(self) -> Life:
        """Return a copy; the aggregate is copied deeply."""
        other = Life()
        other.aggregate = copy.deepcopy(self.aggregate)
        other.version, other.when, other.lost = self.version, self.when, self.lost
        other.marks, other.ways = dict(self.marks), dict(self.ways)
        return other

    def attributes(self) -> dict[str, Any]:
        """Return the attributes of the aggregate; empty if it does not exist, or is unknown."""
        if self.aggregate is None or self.lost is not None:
            return {}
        return {name: one for name, one in attributes(self.aggregate).items() if name not in LIBRARYS}


class Lives:
    """The common data of all aggregates' mechanics: the application's code and the user's options."""

    def __init__(self, named: Named, hiding: Hiding, says: Says | None = None, because: Because | None = None) -> None:
        self.named = named
        self.hiding = hiding
        self.says = says
        self.because = because

    def mechanic(
        self,
        kinds: Mapping[str, type],
        lost: Mapping[str, str | None],
        first: int,
        id: Any,
        title: str | None,
        concludes: Concludes,
    ) -> tuple[Mechanic[Life, Happened, Change], Stepping]:
        """Return the mechanic of one aggregate, and the object that applies its events.

        `kinds` has the application's class for each tag, `lost` the reason for each topic without a class, `first` is
        the version of the first event, and `concludes` returns what the snapshots claim. Typed events get the `id`.
        Without a `title` the mechanic is that of any aggregate, and only a typed event that creates one gets the `id`.
        The parts are the attributes that the aggregate had so far: each is added when an event first sets it.
        """
        one = Stepping(self, kinds, lost, first, id, of_any=title is None)
        mechanic: Mechanic[Life, Happened, Change] = Mechanic(
            name="aggregate",
            language=happened.language_of((*kinds, *lost)),
            start=Life,
            step=one.step,
            rules={tag: _rule(tag, kind) for tag, kind in kinds.items()},
            says=one.says,
            concludes=concludes,
            title=lambda event: _title(event) if title is None else title,
            words=Words(event=_told_event, consequence=_told_change, value=_told_value),
            place=Places(happened.at_time, ()),
        )
        one.parts = cast("dict[str, Part[Any]]", mechanic.parts)
        return mechanic, one


class Stepping:
    """Applies events to an aggregate, by the application's own code."""

    def __init__(
        self, lives: Lives, kinds: Mapping[str, type], lost: Mapping[str, str | None], first: int, id: Any,
        *, of_any: bool = False,
    ) -> None:  # fmt: skip
        self._lives = lives
        self._kinds = kinds
        self._lost = lost
        self._first = first
        self._id = id
        self._of_any = of_any
        # Which class an event creates, where nobody typed it: that of the events which were read.
        self._topic: str | None = None
        self.parts: dict[str, Part[Any]] = {}

    def step(self, life: Life, event: Happened, number: int) -> Sequence[Change]:
        """Apply an event; return the changes of attributes, none if the aggregate is unknown.

        Raises:
            ImpossibleError: where the aggregate refuses it.
        """
        own = self.apply(life, event, number)
        return () if own is None else self._changed(life, own, event.type, number)

    def apply(self, life: Life, event: Happened, number: int) -> Any:
        """Apply an event without comparing attributes; return the application's event, None if the state is unknown.

        Raises:
            ImpossibleError: where the aggregate refuses it.
        """
        if life.lost is not None:
            return None
        kind = self._kinds.get(event.type)
        if kind is None:
            reason = self._lost.get(event.type)
            gone = _("the class of event {event} is gone") if reason is None else _("event {event}: {what}")
            life.lost = gone.format(event=number, what=reason)
            life.aggregate = None
            return None
        version = self._first + number - 1
        try:
            own = self._own(event, kind, version, life)
            aggregate = self._lives.named.applied(life.aggregate, own)
        except AdoptedError as error:
            # The events belong to a log without an aggregate, or the option `project` is missing.
            life.lost, life.aggregate = str(error), None
            return None
        except AskedError as error:
            raise ImpossibleError(str(error)) from error
        except DaynightError:
            raise
        except Exception as error:
            reason = self._lives.hiding.sentence(told(error))
            raise ImpossibleError(_("the aggregate refuses it: {reason}").format(reason=reason)) from error
        life.aggregate, life.version = aggregate, version
        life.when = getattr(own, "timestamp", life.when)
        return own

    def over(self, events: Sequence[Happened]) -> Life:
        """Apply all events to a new `Life`, and return it; each attribute that it had at any time becomes a part.

        Nothing is compared, so that this costs little more than what the library does itself.

        Raises:
            RecordError: at the first event that is refused; its `line` is the number of that event.
        """
        life, seen = Life(), dict.fromkeys(LIBRARYS)
        with self._lives.named.running():
            for number, event in enumerate(events, 1):
                try:
                    self.apply(life, event, number)
                except RecordError as error:
                    raise error.located(line=number) from None
                names = names_of(life.aggregate)
                if not names <= seen.keys():
                    for name in life.attributes():
                        if name not in seen:
                            self._add(name)
                    seen |= dict.fromkeys(names)
        return life

    def says(self, event: Happened) -> Sequence[Said]:
        """Return the claims of an event, by the user's option `says`."""
        if self._lives.says is None or event.own is None:
            return ()
        claimed = self._lives.says(event.own)
        return [
            Said(name, None, _kept(name, value, self._lives.hiding), event.type, after=True) for name, value in claimed
        ]

    def _own(self, event: Happened, kind: type, version: int, life: Life) -> Any:
        own = event.own
        if own is None:
            when = None if event.at is None else datetime.fromisoformat(event.at)
            id = getattr(life.aggregate, "id", self._id) if self._of_any else self._id
            common = {"originator_id": id, "originator_version": version, "timestamp": when or life.when}
            if "originator_topic" in getattr(kind, "__dataclass_fields__", {}):
                common["originator_topic"] = event.fields.get("originator_topic") or self._topic or _owner(kind)
            return happened.made(event, kind, common, self._lives.named.mapper.transcoder)
        if not self._of_any:
            self._topic = self._topic or getattr(own, "originator_topic", None)
        if own.originator_version == version:
            return own
        # On a branch the same event has another number.
        if not hasattr(own, "__dict__"):
            change: Any = msgspec.structs.replace if isinstance(own, msgspec.Struct) else dataclasses.replace
            return change(own, originator_version=version)
        moved = object.__new__(type(own))
        object.__setattr__(moved, "__dict__", {**vars(own), "originator_version": version})
        return moved

    def _changed(self, life: Life, own: Any, rule: str, number: int) -> Sequence[Change]:
        found, marks = life.attributes(), life.marks
        changes = []
        because: tuple[int, ...] = (number,)
        if self._lives.because is not None:
            because = tuple(sorted({*self._lives.because(own), number}))
        for name, value in found.items():
            kept = marks.get(name)
            found_now = looked_at(value, None if kept is None else kept.value)
            if found_now is None:
                continue
            seen, mark = found_now
            if kept is not None and _same(kept.value, mark):
                continue
            was = None if kept is None else kept.shown
            if name not in self.parts:
                self._add(name)
            now = self._lives.hiding.shown(name, seen)
            changes.append(Change(number, name, None, was, now, rule, because))
            marks[name] = Mark(mark, now, self._lives.hiding.mark(name, seen))
            life.ways[name] = Way(number, rule, because)
        for name in [one for one in marks if one not in found]:
            changes.append(Change(number, name, None, marks.pop(name).shown, None, rule, because))
            life.ways.pop(name)
        return changes

    def _add(self, name: str) -> None:
        self.parts[name] = Part(_attribute(name), values=_values(name), name=name)


class Unfolded:
    """Events that were applied once without comparing attributes. The history is built from them on first use.

    Most aggregates are opened for less than their whole history, and comparing costs more than applying.
    """

    def __init__(self, mechanic: Mechanic[Life, Happened, Change], events: Sequence[Happened]) -> None:
        self._mechanic = mechanic
        self.events = tuple(events)
        self._folded: History[Life, Happened, Change] | None = None

    def __len__(self) -> int:
        return len(self.events)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.folded(), name)

    def folded(self) -> History[Life, Happened, Change]:
        """Return the history, with the state after any event."""
        if self._folded is None:
            self._folded = History(self._mechanic, self.events)
        return self._folded


def _owner(kind: type) -> str:
    """Return the topic of the aggregate's class: the one in which the event class `kind` is nested."""
    return f"{kind.__module__}:{kind.__qualname__.rpartition('.')[0]}"


def _title(event: Happened) -> str:
    named = event.type.rpartition(".")[0] or event.type
    return named if event.own is None else f"{named} {event.own.originator_id}"


def _same(left: Any, right: Any) -> bool:
    return left is right or (type(left) is type(right) and bool(left == right))


def _kept(name: str, value: Any, hiding: Hiding) -> Any:
    return hiding.shown(name, shown(value))


def _attribute(name: str) -> Callable[[Life, Any], Derived | None]:
    def derive(life: Life, subject: Any) -> Derived | None:
        mark = life.marks.get(name) if life.lost is None and subject is None else None
        return None if mark is None else Derived((mark.shown,), (life.ways[name],))

    return derive


def _values(name: str) -> Callable[[Life, Any], tuple[Any, ...] | None]:
    def values(life: Life, subject: Any) -> tuple[Any, ...] | None:
        mark = life.marks.get(name) if life.lost is None and subject is None else None
        return None if mark is None else (mark.shown if mark.hidden is None else Masked(mark.shown, mark.hidden),)

    return values


def _rule(tag: str, kind: type) -> str:
    """Return the rule of an event as text: the method that triggers it, else its `tag`; then a line of a docstring.

    It is the first line of the docstring of that method or of `apply`, else of the event class; else, if the event
    creates the aggregate, of the aggregate's `__init__`.
    """
    function = decorated_funcs.get(kind) or vars(kind).get("apply")
    text = inspect.getdoc(function) if function is not None else None
    own = vars(kind).get("__doc__") or ""
    if not text and not own.startswith(f"{kind.__name__}("):
        text = own
    first = (text or "").strip().partition("\n")[0]
    name = "" if function is None or function.__name__ in ("apply", "_") else f"{function.__name__}()"
    if function is None and not first:
        first = _of_init(kind)
    return ": ".join(one for one in (name or tag, first) if one)


def _of_init(kind: type) -> str:
    """Return the first line of the docstring of the aggregate's `__init__`; "" if the event does not create one."""
    names = kind.__qualname__.split(".")[:-1]
    owner = vars(sys.modules.get(kind.__module__)).get(names[0]) if names and kind.__module__ in sys.modules else None
    for name in names[1:]:
        owner = vars(owner).get(name) if isinstance(owner, type) else None
    if not isinstance(owner, type) or not issubclass(kind, CanInitAggregate):
        return ""
    init = vars(owner).get("__init__") or vars(owner).get("__base_init__")
    init = getattr(init, "decorated_func", init)
    # Not the docstring that every class has from `object`.
    return (getattr(init, "__doc__", None) or "").strip().partition("\n")[0] if inspect.isfunction(init) else ""


def _told_event(event: Happened) -> str:
    fields = event.fields if isinstance(event.fields, Mapping) else {}
    told_fields = [f"{name}={in_words(value)}" for name, value in fields.items() if name != "originator_topic"]
    return " ".join([event.type.rpartition(".")[2], *told_fields])


def _told_change(change: Change) -> str:
    was = _("nothing") if change.was is None else in_words(change.was)
    return f"{change.part}: {was} -> {in_words(change.became)}"


def _told_value(part: str, subject: str | None, value: Any) -> str:
    return in_words(value)
