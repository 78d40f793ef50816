"""Reads the stored events of an application of `eventsourcing`, and never writes; the application needs no change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, cast
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from daynight.adapters import happened
from daynight.adapters.application import Named, Project
from daynight.adapters.errors import AdoptedError, NoAggregateError, StrangeTopicError
from daynight.adapters.happened import Happened
from daynight.adapters.life import Because, Life, Lives, Says, Unfolded
from daynight.adapters.names import Names
from daynight.adapters.rows.following import Following
from daynight.adapters.rows.rows import PAGE, Rows, rows_of
from daynight.adapters.rows.stored import Head, Noticed, own_id, spelled_id, stored_id
from daynight.adapters.snapshots import Snapshots
from daynight.adapters.topics import is_event
from daynight.adapters.values import Hiding
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Change, Mechanic
from daynight.framework.recorded import Recorded

__all__ = ["Adopted", "Aggregate", "Listed", "Stopped", "adopt"]


class Listed(NamedTuple):
    """An aggregate in the list: its id, its class, how many events it has, and when the last one happened."""

    id: str
    kind: str
    events: int
    last: str | None

    def document(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        return self._asdict()


class Stopped(NamedTuple):
    """Where and why a record ends early: `event` is the first stored event that the record lacks, `sentence` is why."""

    event: int
    sentence: str


_Read: TypeAlias = tuple[list[Happened], dict[str, type], dict[str, str | None], Stopped | None]


class Aggregate(Recorded[Life, Happened, Change]):
    """The record of one aggregate. `id` is its id; `stops` says where the record ends early, if it does."""

    id: str = ""
    stops: Stopped | None = None
    lost: str | None = None
    """Why the state at the end is unknown, if it is; the events are shown all the same."""


def adopt(
    application: str | type,
    db: str,
    *,
    says: Mapping[Any, Any] | Says | None = None,
    because: Because | None = None,
    project: str | Project | None = None,
    hide: Iterable[str] = (),
    also: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    immutable: bool = False,
    key: bytes | None = None,
) -> Adopted:
    """Adopt an application of `eventsourcing`, and read its events from a database.

    `application` is `"module:Application"`, or the class. `db` is a file of SQLite or `postgresql://...`; it is only
    read. `says` maps a class of events to an attribute of the aggregate, and to the field of the event that has its
    value after the event: `{Debited: ("balance", "balance_after")}`. `because(event)` returns the numbers of earlier
    events on which an event depends. `project` is the function that applies events to an aggregate, if the events have
    no method `mutate`. `hide` names fields and attributes whose values are never shown. Stored rows may also name
    classes of the packages `also`. `env` has the application's environment variables, by default those of the process.
    `immutable`: no program writes to the file, so SQLite creates no files beside it. Two processes with the same `key`
    can compare hidden values; with a `key`, the names of `hide` are not checked.

    Raises:
        AdoptedError: where there is no such application or database, or the key for encrypted events is missing; where
            `hide` or `says` names something unknown.
    """
    named = Named(application, also, project, env)
    text_ids = str(named.env.get("ORIGINATOR_ID_TYPE", named.kind.env.get("ORIGINATOR_ID_TYPE", ""))).lower() == "text"
    schema = named.env.get("POSTGRES_SCHEMA", "")
    rows = rows_of(db, named.name, text_ids=text_ids, schema=schema, immutable=immutable)
    found = Adopted(named, rows, Hiding(hide, key), says, because, text_ids=text_ids)
    if key is None:
        # The other code that a key is shared with may have renamed what is hidden.
        found.names.check_hidden(found.hiding.names)
    if isinstance(says, Mapping):
        found.names.check_claims(_table(says))
    return found


class Adopted:
    """An application whose stored events are read.

    Iterate over `records` for all aggregates, one at a time; `record(id)` reads one aggregate.
    """

    def __init__(
        self, named: Named, rows: Rows, hiding: Hiding, says: Mapping[Any, Any] | Says | None = None,
        because: Because | None = None, *, text_ids: bool = False,
    ) -> None:  # fmt: skip
        self.named = named
        self.rows = rows
        self.hiding = hiding
        self.names = Names(named.topics.packages, lambda: self.records)
        self._text_ids = text_ids
        self._lives = Lives(named, hiding, _saying(says), because)
        self._snapshots = Snapshots(named, rows, hiding)

    def __str__(self) -> str:
        return f"{self.named.named} ({self.rows.place})"

    def veiled(self) -> Adopted:
        """Return this application if it encrypts nothing, else one that hides all its values."""
        if self.named.mapper.cipher is None:
            return self
        hiding = Hiding(self.hiding.names, everything=True)
        lives = self._lives
        return Adopted(self.named, self.rows, hiding, lives.says, lives.because, text_ids=self._text_ids)

    # ------------------------------------------------------------------------------------------------------- the list

    def listed(self, after: str = "", limit: int | None = None, search: str = "") -> Iterator[Listed]:
        """Yield the aggregates whose ids come after the id `after`, in the order of their ids.

        `search` is the beginning of an id, or a part of the name of a class. Each page is read when it is needed, so
        the first ones cost the same however many there are.
        """
        begin = stored_id(search, text=self._text_ids) if self._text_ids or _is_begun(search) else ""
        # A text with digits that may begin an id of a UUID is one: the index finds it.
        named = "" if not search or (begin and not self._text_ids and any(map(str.isdigit, begin))) else search
        if named and not begin and not any(named.lower() in class_of(one).lower() for one in self.rows.topics()):
            return
        found, last = 0, stored_id(after, text=self._text_ids)
        while limit is None or found < limit:
            page = self.rows.heads(last, begin, named, PAGE if limit is None else min(PAGE, limit - found))
            for head in page:
                one = self._listed(head)
                # A topic has the module, too: what counts is the name of the class, or the id.
                if not named or named.lower() in one.kind.lower() or (begin and head.id.startswith(begin)):
                    yield one
                    found += 1
            if not page:
                return
            last = page[-1].id

    def _listed(self, head: Head) -> Listed:
        state = self.named.plain(head.last)
        when = state.get("timestamp") if isinstance(state, Mapping) else None
        return Listed(
            spelled_id(head.first.originator_id), class_of(head.first.topic), head.events,
            when.isoformat() if isinstance(when, datetime) else None,
        )  # fmt: skip

    def following(self, after: int | None = None) -> Following:
        """Return a `Following` of the events stored after notification number `after`; with None, after this call."""
        return Following(self.rows, after)

    def head(self, id: str) -> Head:
        """Return the `Head` of the aggregate with this complete id: how many events it has, its first and its last.

        Raises:
            NoAggregateError: where there is none.
        """
        key = stored_id(id, text=self._text_ids)
        found = self.rows.heads("", key, "", 1) if key else []
        if not found or found[0].id != key:
            raise NoAggregateError(
                _("no aggregate {id} in {place}; list shows them").format(id=repr(id), place=self.rows.place)
            )
        return found[0]

    def noticed(self, one: Noticed) -> tuple[str, int]:
        """Return for the notification of an event its aggregate's id, and the event's number in that aggregate."""
        first = self.rows.ids("", one.id, 1)[0][2]
        return spelled_id(own_id(one.id, text=self._text_ids)), one.version - first + 1

    def id(self, text: str) -> str:
        """Return the complete id that begins with a text, as the database spells it.

        Raises:
            NoAggregateError: where no id, or several, begin with it.
        """
        begun = stored_id(text, text=self._text_ids)
        found = [one[0] for one in self.rows.ids("", begun, 3)] if begun else []
        if begun in found:
            return begun
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(spelled_id(own_id(one, text=self._text_ids)) for one in found)
            raise NoAggregateError(
                _("several aggregates begin with {id}: {several}").format(id=repr(text), several=several)
            )
        raise NoAggregateError(
            _("no aggregate {id} in {place}; list shows them").format(id=repr(text), place=self.rows.place)
        )

    # --------------------------------------------------------------------------------------------------------- records

    @cached_property
    def mechanic(self) -> Mechanic[Life, Happened, Change]:
        """The mechanic of any aggregate of the application, for records and tests of your own.

        It knows all imported event classes of the application; the `mechanic` of a record has those of its aggregate.
        """
        kinds: dict[str, type] = {}
        for kind in self.names.events:
            tag = happened.tag_for(kind)
            kinds[tag if tag not in kinds else f"{kind.__module__}:{kind.__qualname__}"] = kind
        id = "aggregate" if self._text_ids else UUID(int=0)
        return self._lives.mechanic(kinds, {}, 1, id, None, lambda own: ())[0]

    @property
    def records(self) -> Iterator[Aggregate]:
        """Yield the records of all aggregates, in the order of their ids; each is read on demand."""
        for one in self.listed():
            yield self.record(one.id)

    def record(self, id: str) -> Aggregate:
        """Return the record of the aggregate whose id begins with this text.

        Its `stops` says where it ends early: at an event that the application's own code refuses, or can't read.

        Raises:
            NoAggregateError: where no id, or several, begin with it.
            AdoptedError: where the events are encrypted, and the key is missing or wrong.
        """
        key = self.id(id)
        rows = self.rows.events(key)
        texts = self.hiding.texts
        found = self._record(key, rows)
        # An attribute that is hidden may have got its text from a field of another name, which was read before.
        return self._record(key, rows) if self.hiding.texts > texts else found

    def _record(self, key: str, rows: Sequence[StoredEvent]) -> Aggregate:
        with self.named.running():
            events, kinds, lost, stops = self._events(rows)
        shown_id = spelled_id(rows[0].originator_id)
        title = f"{class_of(rows[0].topic)} {shown_id}"
        for kind in self._siblings(kinds.values()):
            kinds.setdefault(happened.tag_for(kind), kind)
        claims: list[Any] = []
        mechanic, stepping = self._lives.mechanic(
            kinds, lost, rows[0].originator_version, rows[0].originator_id, title,
            lambda own: claims[0](own),  # noqa: PLW0108  # it is made below
        )  # fmt: skip
        own = events
        try:
            life = stepping.over(events)
        except RecordError as error:
            number = error.line or 1
            stops = Stopped(number, self.hiding.sentence(error.sentence))
            own = events[: number - 1]
            life = stepping.over(own)
        found = Aggregate(mechanic)
        history = Unfolded(mechanic, own)
        # What is hidden is known by its texts, also where another name has them: then all are looked at.
        found._history = history.folded() if self.hiding else cast("Any", history)
        found.id, found.stops, found.lost = shown_id, stops, life.lost
        claims.append(self._snapshots.claims(key, found, events))
        return found

    def _events(self, rows: Sequence[StoredEvent]) -> _Read:
        """Return the events of `rows`, the class of each tag, the lost topics, and where reading stops, if it does.

        Lost topics name no allowed class; each has the reason, or None if the class is gone from the application.

        Raises:
            AdoptedError: where the first event can't be read, and seems encrypted.
        """
        events: list[Happened] = []
        kinds: dict[str, type] = {}
        lost: dict[str, str | None] = {}
        for number, row in enumerate(rows, 1):
            try:
                kind = self.named.topics.resolve(row.topic)
                tag = happened.tag_for(kind)
                if kinds.setdefault(tag, kind) is not kind:
                    tag = row.topic
                    kinds[tag] = kind
            except StrangeTopicError as error:
                # The class is gone: the fields are shown, and nothing is known of the aggregate from here on.
                lost[row.topic] = None if self.named.topics.is_ours(row.topic) else error.sentence
                events.append(happened.unread(row.topic, self.named.plain(row), self.hiding))
                if number == 1 and not isinstance(self.named.plain(row), Mapping):
                    return events, kinds, lost, Stopped(number, error.sentence)
                continue
            try:
                events.append(happened.read(self.named.event(row), tag, self.hiding))
            except StrangeTopicError as error:
                if not events and self.named.lacks_key(row):
                    # Nothing can be read, of no aggregate.
                    raise AdoptedError(error.sentence) from error
                return events, kinds, lost, Stopped(number, self.hiding.sentence(error.sentence))
        return events, kinds, lost, None

    def _siblings(self, kinds: Iterable[type]) -> Iterator[type]:
        """Yield all event classes in the aggregate classes that the `kinds` are nested in: an edit may insert these."""
        for kind in [*kinds]:
            owner = self._owner(kind)
            if owner is None:
                continue
            for found in [*vars(owner).values()]:
                if (
                    isinstance(found, type)
                    and found.__qualname__.startswith(f"{owner.__qualname__}.")
                    and is_event(found)
                ):
                    yield found

    def _owner(self, kind: type) -> Any:
        names = kind.__qualname__.rpartition(".")[0]
        if not names or "<locals>" in names:
            return None
        try:
            return self.named.topics.resolve(f"{kind.__module__}:{names}")
        except StrangeTopicError:
            return None

    # ---------------------------------------------------------------------------------------- what else is asked of it

    def clocks(self) -> Iterator[tuple[str, str]]:
        """Yield for each aggregate its id and the time of its last event; skip aggregates whose last event has none."""
        for one in self.listed():
            if one.last is not None:
                yield one.id, one.last

    def snapshots(self, id: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the snapshots of an aggregate: the number of the event after which it was taken, and its attributes.

        Raises:
            StrangeTopicError: where a snapshot names a forbidden class, or cannot be read.
        """
        for number, claimed in self._snapshots.of(self.id(id)):
            if isinstance(claimed, StrangeTopicError):
                raise claimed
            yield number, claimed

    def uncompared(self, record: Aggregate) -> Iterator[tuple[int, str]]:
        """Yield, for each snapshot that the events cannot check, the number of the event before it, and the reason."""
        return self._snapshots.uncompared(self.id(record.id), record)


def _saying(says: Mapping[Any, Any] | Says | None) -> Says | None:
    """Return `says` as a function, made from a mapping of event classes, or their names, to pairs; None stays None."""
    if says is None or callable(says):
        return says
    table = _table(says)

    def function(event: Any) -> Iterator[tuple[str, Any]]:
        own = type(event).__qualname__
        for attribute, field in table.get(own) or table.get(own.rpartition(".")[2]) or ():
            yield attribute, getattr(event, field)

    return function


def _table(says: Mapping[Any, Any]) -> dict[str, list[tuple[str, str]]]:
    return {
        kind if isinstance(kind, str) else kind.__qualname__: [pairs] if isinstance(pairs[0], str) else [*pairs]
        for kind, pairs in says.items()
    }


def _is_begun(text: str) -> bool:
    """Return whether a text may be the beginning of an id that is a UUID."""
    digits = text.replace("-", "").lower()
    return bool(digits) and all(one in "0123456789abcdef" for one in digits)


def class_of(topic: str) -> str:
    """Return the name of the aggregate's class, taken from the topic of its first event."""
    names = topic.partition(":")[2] or topic
    owner, _dot, own = names.rpartition(".")
    return owner or own
