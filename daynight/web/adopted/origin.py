"""The sources of adopted records: an application of `eventsourcing`, or a recorded machine of `transitions`.

An adopted record is a history that other code than daynight made: an aggregate, or a model of a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Protocol

from daynight.adapters.eventsourcing import Adopted
from daynight.adapters.machines.ways import Ways
from daynight.adapters.rows.following import Following
from daynight.adapters.rows.stored import Noticed
from daynight.adapters.transitions import MachineRecord
from daynight.framework.recorded import Recorded


class Opened(NamedTuple):
    """An adopted record, its title, and where it ends early.

    `stops` has the number of the first event that cannot be read, and the reason; None if all can be read.
    `ways(record)` counts how often a record took each transition of its machine; None if there is no machine. `lost`
    says why the state of the record is unknown; None if it is known.
    """

    title: str
    record: Recorded[Any, Any, Any]
    stops: tuple[int, str] | None
    ways: Callable[[Recorded[Any, Any, Any]], Ways] | None = None
    lost: str | None = None


class Origin(Protocol):
    """A source of adopted records. `called` is its name; `source` is `module:Application`, or `transitions`."""

    called: str
    source: str

    def size(self, name: str) -> int:
        """Return how many events there are under a name, whether or not they can be read.

        Raises:
            NoAggregateError: where no record has that name.
        """
        ...

    def open(self, name: str) -> Opened:
        """Return the record of a name."""
        ...

    def listed(self, after: str, limit: int, search: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of at most `limit` records that `search` finds, with names after `after`.

        A row has `game` (the name), `kind`, `events`, and `last` (the time of the last event) or `now` (the state).
        """
        ...

    def following(self) -> Following:
        """Return the object that waits for new events."""
        ...

    def noticed(self, one: Noticed) -> tuple[str, int]:
        """Return the record's name and the number of a notified event."""
        ...


class OfApplication:
    """The aggregates of an application."""

    def __init__(self, adopted: Adopted) -> None:
        self.called = adopted.named.kind.__name__
        self.source = adopted.named.named
        self._adopted = adopted

    def size(self, name: str) -> int:
        """Return how many events an aggregate has."""
        return self._adopted.head(name).events

    def open(self, name: str) -> Opened:
        """Return the record of an aggregate."""
        record = self._adopted.record(name)
        stops = None if record.stops is None else (record.stops.event, record.stops.sentence)
        return Opened(record.mechanic.title(record.events[0]) if len(record) else name, record, stops, lost=record.lost)

    def listed(self, after: str, limit: int, search: str) -> Iterator[dict[str, Any]]:
        """Yield rows of at most `limit` aggregates that `search` finds, with ids after `after`, in the order of ids."""
        for one in self._adopted.listed(after, limit, search):
            yield {"game": one.id, "kind": one.kind, "events": one.events, "last": one.last}

    def following(self) -> Following:
        """Return the follower of stored events, which uses their notifications."""
        return self._adopted.following()

    def noticed(self, one: Noticed) -> tuple[str, int]:
        """Return the id of the aggregate, and the event's number in it."""
        return self._adopted.noticed(one)


class OfMachine:
    """The models of a recorded machine."""

    def __init__(self, record: MachineRecord) -> None:
        self.called = ", ".join(sorted({name.partition(" ")[0] for name in record.names})) or "machine"
        self.source = "transitions"
        self._record = record

    def size(self, name: str) -> int:
        """Return how many events a model has."""
        return self._record.size(name)

    def open(self, name: str) -> Opened:
        """Return the record of a model."""
        record, stops = self._record.readable(name)
        return Opened(name, record, stops, partial(self._record.ways_taken, name))

    def listed(self, after: str, limit: int, search: str) -> Iterator[dict[str, Any]]:
        """Yield rows of at most `limit` models whose names contain `search`, in any case, and come after `after`.

        They come in the order of their names.
        """
        found = (name for name in sorted(self._record.names) if name > after and search.casefold() in name.casefold())
        for name in islice(found, limit):
            yield {
                "game": name, "kind": name.partition(" ")[0], "events": self._record.size(name),
                "now": self._record.latest(name),
            }  # fmt: skip

    def following(self) -> Following:
        """Return the follower of triggers, which sees each one when it ends."""
        return Following(self._record)

    def noticed(self, one: Noticed) -> tuple[str, int]:
        """Return the name of the model, and the event's number in its record."""
        return one.id, one.version


def origin_of(adopted: Adopted | MachineRecord) -> Origin:
    """Return the origin for an application or a machine."""
    return OfApplication(adopted) if isinstance(adopted, Adopted) else OfMachine(adopted)
