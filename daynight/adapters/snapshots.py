"""The snapshots of an aggregate: each claims the state of the aggregate after an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from eventsourcing.persistence import StoredEvent

from daynight.adapters.application import Named, told
from daynight.adapters.errors import StrangeTopicError
from daynight.adapters.happened import Happened
from daynight.adapters.life import LIBRARYS
from daynight.adapters.rows.rows import Rows
from daynight.adapters.values import Hiding, attributes, shown
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Said


class Snapshots:
    """The snapshots of an application's aggregates. `key` is an id as the database spells it."""

    def __init__(self, named: Named, rows: Rows, hiding: Hiding) -> None:
        self._named = named
        self._rows = rows
        self._hiding = hiding

    def of(self, key: str) -> Iterator[tuple[int, dict[str, Any] | StrangeTopicError]]:
        """Yield for each snapshot the number of the event before it, and its attributes, or the error in reading it."""
        first = self._rows.events(key, 0, 1)[0].originator_version
        for row in self._rows.snapshots(key):
            found: dict[str, Any] | StrangeTopicError
            try:
                found = self._attributes(row)
            except StrangeTopicError as error:
                found = error
            yield row.originator_version - first + 1, found

    def uncompared(self, key: str, record: Any) -> Iterator[tuple[int, str]]:
        """Yield, for each snapshot that the events cannot check, the number of the event before it, and the reason."""
        for number, claimed in self.of(key):
            if isinstance(claimed, StrangeTopicError):
                yield number, self._hiding.sentence(claimed.sentence)
            elif number > len(record):
                yield number, _("the record ends before it")
            elif (lost := record.whole(number).lost) is not None:
                yield number, _("the state is not known: {reason}").format(reason=lost)

    def claims(
        self, key: str, record: Any, own: Sequence[Happened]
    ) -> Callable[[Sequence[Any]], Iterator[tuple[int, Said]]]:
        """Return the `Concludes` of the aggregate: a function of events, which yields the claims of its snapshots.

        A snapshot counts only where all events before it are those in `own`: on a branch, only snapshots from before it
        begins. A snapshot that can't be read or compared claims nothing.
        """

        def concludes(events: Sequence[Happened]) -> Iterator[tuple[int, Said]]:
            for number, claimed in self.of(key):
                if isinstance(claimed, StrangeTopicError) or number > len(events):
                    continue
                if any(one is not other for one, other in zip(events[:number], own, strict=False)):
                    continue
                life = record.whole(number) if number <= len(record) else None
                if life is not None and life.lost is not None:
                    continue
                here = {} if life is None else life.attributes()
                for name in dict.fromkeys((*claimed, *here)):
                    if name in record.mechanic.parts:
                        value = self._hiding.shown(name, claimed.get(name))
                        mark = None if life is None else life.marks.get(name)
                        if mark is not None and mark.hidden != self._hiding.mark(name, claimed.get(name)):
                            value = _("(another hidden value)")
                        yield number, Said(name, None, value, _("the snapshot"), after=True)

        return concludes

    def _attributes(self, row: StoredEvent) -> dict[str, Any]:
        """Return the attributes that the snapshot in a row has, as they are shown.

        Raises:
            StrangeTopicError: where the snapshot names a forbidden class, or cannot be read.
        """
        self._named.topics.resolve(row.topic)
        snapshot = self._named.event(row)
        if isinstance(named := getattr(snapshot, "topic", None), str):
            self._named.topics.resolve(named)
        try:
            aggregate = self._named.applied(None, snapshot)
        except Exception as error:
            raise StrangeTopicError(
                _("a snapshot can't be read: {reason}").format(reason=self._hiding.sentence(told(error)))
            ) from error
        return {name: shown(value) for name, value in attributes(aggregate).items() if name not in LIBRARYS}
