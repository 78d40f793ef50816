"""Stores imported games: new ones as a whole, known ones by their new events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from daynight.events import Event, GameBackedUp
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.happening import anew
from daynight.framework.language.source import STORED
from daynight.keeping.sameness import Relation, agreeing, bare, compare, from_a_source
from daynight.records import Held

if TYPE_CHECKING:
    from daynight.games import Store


class Stored(NamedTuple):
    """The numbers of a game's stored events, of newly stored ones, and of events that a back-up undid before these.

    `part`: nothing was stored, because the imported game and the stored one each have turns that the other lacks.
    """

    events: int
    appended: int
    undone: int
    part: bool = False


def store_game(store: Store, name: str, events: Sequence[Event], *, by: str, same_game: bool = False) -> Stored | None:
    """Store an imported game: all of it, or its new events; return None if another game has its name.

    Events that others stored in between (a judge's ruling or back-up) stay. If the log has retracted events since, the
    importer stores a back-up, named `by`. No event is stored twice, even if others import at the same time; from an
    older copy of the log nothing is stored. `same_game`: the caller knows that the stored game is this one. If the key
    refuses to sign, because it has signed more of the game elsewhere, the events are stored unsigned, and the store
    reports that.

    Raises:
        RecordError: where an event can't happen in the stored game.
        ConflictError: where another process stored events meanwhile.
        StoreError: where the store does not answer.
    """
    try:
        head = store.head(name).number
    except NotFoundError:
        held = Held(f"{STORED}{name}", encode_lines(events))
        return Stored(store.import_record(held, name, unsigned=True).number, len(events), 0)
    filled = [*map(anew(store.catalogue.fill), events)]
    told = [bare(event) for event in filled]
    history = _History(store.events(name), told, by)
    standing = [event for _number, event in history.standing]
    relation = compare(filled, standing, same_game=same_game)
    if relation is Relation.OTHER:
        return None
    if relation is not Relation.MORE or history.told_before:
        return Stored(head, 0, 0, part=relation is Relation.PART)
    same = agreeing(told, [bare(event) for event in standing])
    rest = list(events[same:])
    undone = len(standing) - same
    if undone:
        rest.insert(0, history.back_up(same, by))
    command = f"import-{head}-{sha256(b'|'.join(encode(bare(event)) for event in rest)).hexdigest()[:32]}"
    appended = store.append(name, rest, command=command, expected=head, unsigned=True)
    return Stored(appended.last, len(rest), undone)


class _History:
    """The stored events of a game that came from a log.

    `standing` are the log's events with their numbers, without those that the log retracted; events that only a judge
    undid are included. `told_before`: the log is an older copy, because all its events were stored before a back-up by
    the importer.
    """

    def __init__(self, events: Iterable[Event], told: Sequence[Event], by: str) -> None:
        self.standing: list[tuple[int, Event]] = []
        self.told_before = False
        self._backed_up_to: dict[int, int] = {}
        self._last = 0
        for number, event in enumerate(events, 1):
            self._last = number
            if isinstance(event, GameBackedUp):
                self._backed_up_to[number] = event.to
                if event.by == by:
                    self._withdraw(event, told)
            elif number == 1 or from_a_source(event):
                self.standing.append((number, event))

    def _withdraw(self, event: GameBackedUp, told: Sequence[Event]) -> None:
        former = [bare(each) for _number, each in self.standing]
        self.told_before = self.told_before or agreeing(told, former) == len(told)
        source = (event.meta or {}).get("source")
        kept = source.get("kept") if isinstance(source, dict) else None
        if isinstance(kept, int) and kept > 0:
            del self.standing[kept:]
            return
        while self.standing and self.standing[-1][0] > event.to:
            self.standing.pop()

    def back_up(self, same: int, by: str) -> GameBackedUp:
        """Return the back-up, named `by`, that undoes the events in `standing` after the first `same`.

        Its target is the present state if a judge's back-up undid those events already.
        """
        taken_back = {number for number, _event in self.standing[same:]}
        to = last = self._resolved(self._last)
        while last:
            previous = self._resolved(last - 1)
            if last in taken_back:
                to = previous
            last = previous
        return GameBackedUp(to=to, by=by, meta={"source": {"kept": same}})

    def _resolved(self, number: int) -> int:
        """Return the event after which the game was as it is after event `number`: follow back-ups to their targets."""
        while number in self._backed_up_to:
            number = self._backed_up_to[number]
        return number
