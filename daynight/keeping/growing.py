"""Imported games into a store: whole ones as they are, grown ones by what they grew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from daynight.events import Event, GameBackedUp
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import NotFoundError
from daynight.keeping.sameness import Relation, agreeing, bare, compare, from_a_source
from daynight.records import STORED, Held

if TYPE_CHECKING:
    from daynight.store import Store


class Stored(NamedTuple):
    """How many events of a game are stored, how many of them just now, and what was taken back before those.

    `part`: nothing was stored, as this has other turns of the game than what is there.
    """

    events: int
    appended: int
    undone: int
    part: bool = False


def store_game(store: Store, name: str, events: Sequence[Event], *, by: str, same_game: bool = False) -> Stored | None:
    """Store a game as it was imported: all of it, or what came since then; None where another has its name.

    What others stored in between (a judge's ruling, a judge's back-up) stays. What the source took back since is backed
    up, by the importer. Nothing is stored twice, even if others import at the same time, and nothing of an older copy.
    With `same_game` the one that is there is known to be this one.

    Raises:
        RecordError: where an event can't happen in the game that is there.
        ConflictError: where somebody else stored events meanwhile.
        StoreError: where the store does not answer.
    """
    try:
        head = store.head(name).number
    except NotFoundError:
        return Stored(store.import_record(Held(f"{STORED}{name}", encode_lines(events)), name).number, len(events), 0)
    filled = [store.catalogue.fill(event) for event in events]
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
    appended = store.append(name, rest, command=command, expected=head)
    return Stored(appended.last, len(rest), undone)


class _History:
    """What is stored of a source's telling.

    `standing`: its events with their numbers, without what it took back itself; what a judge took back it still tells.
    `told_before`: whether what is told now is the beginning of what the source told once, and took back since.
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
        """The event that takes back all but the first `same` events, as far as a judge did not do so already."""
        taken_back = {number for number, _event in self.standing[same:]}
        to = last = self._resolved(self._last)
        while last:
            previous = self._resolved(last - 1)
            if last in taken_back:
                to = previous
            last = previous
        return GameBackedUp(to=to, by=by, meta={"source": {"kept": same}})

    def _resolved(self, number: int) -> int:
        """The event whose state is the state after this one: another one where this is a back-up."""
        while number in self._backed_up_to:
            number = self._backed_up_to[number]
        return number
