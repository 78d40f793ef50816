"""The signatures of a game: which key signed which event, whether each is valid, and the turns that end unsigned.

A head is the number of an event with the digest of the chain up to it. A key signs heads.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from daynight.framework.language.happening import kinds_of, tag_of
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.rows import Row
from daynight.store.errors import Act, Fault
from daynight.store.proving.acts import Acts
from daynight.store.proving.chain import code_of
from daynight.store.proving.keys import attested


class Signature(Struct, frozen=True):
    """One signature of a head: the number of the signed event, the public key and the signature."""

    event: int
    signer: bytes
    signature: bytes


class TurnEnd(Struct, frozen=True):
    """The last event of a turn. A turn ends before the event that begins the next one, or with the event that ends it.

    `turn` is the number in the event that began the turn. If that event has no number, the turns are counted from 1.
    Events before the first turn have turn 0.
    """

    turn: int
    event: int


class Signatures(Struct, frozen=True):
    """The signatures of a game (`heads`), and the last event of each turn (`turns`); the last turn may be unfinished.

    `ended`: the last event of the latest finished turn; 0 if none has finished. `acts` are the events that undo,
    overrule or close something.
    """

    heads: tuple[Signature, ...] = ()
    turns: tuple[TurnEnd, ...] = ()
    ended: int = 0
    acts: tuple[Act, ...] = ()

    def by(self, *signers: str) -> Signatures:
        """Return a copy with only the heads signed by some keys, each given by its first hexadecimal digits."""
        heads = tuple(head for head in self.heads if head.signer.hex().startswith(signers))
        return Signatures(heads, self.turns, self.ended, self.acts)

    @property
    def last(self) -> int:
        """The last event whose head is signed; 0 if none is."""
        return max((head.event for head in self.heads), default=0)

    @property
    def signers(self) -> tuple[str, ...]:
        """The keys that have signed the head of event `last`, in hexadecimal."""
        return tuple(sorted({head.signer.hex() for head in self.heads if head.event == self.last}))

    @property
    def many(self) -> int:
        """The number of signed heads; a head signed by several keys counts once."""
        return len({head.event for head in self.heads})

    @property
    def unsigned(self) -> list[TurnEnd]:
        """The turns whose last event no key has signed; the last turn counts too, even if it is unfinished."""
        signed = {head.event for head in self.heads}
        return [turn for turn in self.turns if turn.event not in signed]

    @property
    def unsigned_acts(self) -> tuple[Act, ...]:
        """The acts that are not signed at their own event, so that no signature says who made them."""
        signed = {head.event for head in self.heads}
        return tuple(act for act in self.acts if act.event not in signed)


class SignedTurns:
    """Collects the turns and the acts of a game while its events are read; `acts` maps an act's number to its tag."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any]) -> None:
        self._mechanic = mechanic
        self._kinds = kinds_of(mechanic.restores, mechanic.language.kinds) | mechanic.seals.keys()
        self._ends: list[TurnEnd] = []
        # The turns with their first events.
        self._events, self._turns = [0], [0]
        self._begun = 0
        self.acts: dict[int, str] = {}
        self._taken = 0

    def take(self, first: int, events: Sequence[Any]) -> None:
        """Process the next events, from event `first` on."""
        seals, restores = self._mechanic.seals, self._mechanic.restores
        self._taken = first + len(events) - 1
        kinds = self._kinds
        for number, event in enumerate(events, first):
            if type(event) not in kinds:
                continue
            to, when = restores(event), seals.get(type(event))
            if to is not None or when not in (None, "before"):
                self.acts[number] = tag_of(event)
            if to is not None:
                self._enter(number, self._turns[bisect_right(self._events, to) - 1])
            elif when == "before":
                self._end(number - 1)
                self._begun += 1
                # Turns without a number are counted, as `nth` counts them.
                self._enter(number, getattr(event, "turn", self._begun))
            elif when == "end":
                self._end(number)

    def pass_over(self, rows: Iterable[Row]) -> None:
        """Process rows that this code cannot read as events, and add those to `acts` that seem to be acts."""
        acts = Acts(self._mechanic)
        self.acts |= {row.number: row.tag for row in rows if row.number > self._taken and acts.seems_one(row)}

    def signatures(self, heads: Sequence[Signature], last: int, digests: Mapping[int, bytes]) -> Signatures:
        """Return the signatures, turns and acts up to event `last`; `digests` maps event numbers of acts to digests."""
        ended = self._ends[-1].event if self._ends else 0
        self._end(last)
        acts = tuple(
            Act(number, kind, code_of(number, digests[number])) for number, kind in self.acts.items() if number <= last
        )
        return Signatures(tuple(head for head in heads if head.event <= last), tuple(self._ends), ended, acts)

    def _enter(self, number: int, turn: int) -> None:
        self._events.append(number)
        self._turns.append(turn)

    def _end(self, event: int) -> None:
        if event > (self._ends[-1].event if self._ends else 0):
            self._ends.append(TurnEnd(self._turns[-1], event))


def check_signatures(game: str, signatures: Sequence[Signature], digests: dict[int, bytes], last: int) -> Fault | None:
    """Return the fault of the first signature that does not match; None if all match.

    The fault names the first event that may be changed: the one after the last event with a matching signature. A
    signature of an event after `last` is a fault at event `last` + 1. `digests` maps event numbers to digests.
    """
    good = reached = 0
    for each in sorted(signatures, key=lambda signature: signature.event):
        if each.event > last:
            sentence = _("a head of event {event} is signed, but event {last} is the last one")
            return Fault(last + 1, sentence.format(event=each.event, last=last))
        if each.event > reached:
            good, reached = reached, each.event
        digest = digests.get(each.event)
        if digest is None or not attested(each.signer, each.signature, game, each.event, digest):
            sentence = _(
                "the signature of event {event} does not fit: it was changed, or events {first} to {event} were"
            )
            return Fault(good + 1, sentence.format(event=each.event, first=good + 1))
    return None
