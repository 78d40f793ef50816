"""Lists the facts that a record leaves uncertain, the possible answers to each, and what each answer would settle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace as changed

from daynight.events import Designation, Event, GameJoined, SpellsUncertain
from daynight.framework.edits import replace
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.projections.tallies import TWO
from daynight.projections.transcript import event_sentence
from daynight.referee.documents import offered, policy
from daynight.referee.state import PlayedRecord
from daynight.speech.sentences import designation_word

MOST = 20
"""The most uncertain events that are examined: the latest ones."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A certain event in place of an uncertain one; it settles the game if just one designation is then `possible`."""

    event: GameJoined | SpellsUncertain
    possible: tuple[Designation, ...]

    @property
    def sentence(self) -> str:
        """The certain event as a sentence."""
        if isinstance(self.event, GameJoined):
            (designation,) = map(Designation, self.event.possible)
            sentence = (
                _("it was neither day nor night when the record took the game up")
                if designation is Designation.NEITHER
                else _("it was {designation} when the record took the game up")
            )
            return sentence.format(designation=designation_word(designation))
        casts, most = self.event.at_least, self.event.at_most
        sentence = (
            counted("{player} cast exactly {n} more spell", "{player} cast exactly {n} more spells", casts)
            if casts == most
            else _("{player} cast {n} or more spells besides")
        )
        return sentence.format(player=self.event.player, n=casts)

    def document(self) -> dict[str, Any]:
        """The fact as JSON."""
        own = {"if": self.sentence, "settles": len(self.possible) == 1}
        return document_of(self, "if possible settles", **own)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Event number `event`, `recorded` as uncertain, and in `facts` the result of each possible answer.

    `matters` is true if the answers do not all leave the same designations possible.
    """

    event: int
    recorded: Event
    facts: tuple[Fact, ...]
    matters: bool

    @property
    def sentence(self) -> str:
        """The recorded event as a sentence."""
        return event_sentence(self.recorded, {})

    def document(self) -> dict[str, Any]:
        """The unknown as JSON."""
        return document_of(self, "event sentence matters facts")


@dataclass(frozen=True, slots=True)
class Unknowns:
    """All that the record leaves uncertain up to event number `event`.

    `states` has each possible state: its designation, and pairs of id and face for the permanents whose face differs
    between the states. `unknown` are the uncertain events that more than one answer fits.
    """

    event: int
    possible: tuple[Designation, ...]
    unknown: tuple[Unknown, ...]
    states: tuple[tuple[Designation, tuple[tuple[str, str], ...]], ...]

    @property
    def certain(self) -> bool:
        """Whether just one state is possible."""
        return len(self.states) == 1

    def document(self) -> dict[str, Any]:
        """Everything as JSON; with the tournament rule, as `policy`, if night is one of several designations."""
        states = [{"designation": designation.value, "faces": dict(faces)} for designation, faces in self.states]
        document = document_of(self, "event possible unknown states", states=states)
        return document | ({"policy": policy()} if offered(self.possible) else {})


def unknowns(game: PlayedRecord, position: Position | str | int | None = None) -> Unknowns:
    """Return what the record leaves uncertain at `position` (None: the end), and the result of each possible answer.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "game-joined", "possible": ["day", "night"]})
    >>> [[fact.possible for fact in one.facts] for one in unknowns(game).unknown]
    [[(Designation.DAY,), (Designation.NIGHT,)]]
    """
    number = game.number(position)
    upto = game if number == len(game) else game.what_if(number, ())
    state = upto.state
    open_ids = [status.id for status in state.battlefield if state.face(status.id) is None]
    states = {
        (possibility.designation, tuple((id, possibility.face(id).value) for id in open_ids))
        for possibility in state.possibilities
    }
    order = [*Designation]
    doubtful = [
        at
        for at in range(state.began, number + 1)
        if isinstance(upto.events[at - 1], (SpellsUncertain, GameJoined)) and upto.stands(at)
    ]
    return Unknowns(
        event=number,
        possible=state.possible,
        unknown=tuple([one for at in doubtful[-MOST:] for one in _unknown(upto, at)]),
        states=tuple(sorted(states, key=lambda one: (order.index(one[0]), one[1]))),
    )


def _unknown(game: PlayedRecord, at: int) -> Iterator[Unknown]:
    event = game.events[at - 1]
    facts: list[Fact] = []
    for answer in _answers(event):
        try:
            branch = game.branch(replace(at, answer))
        except RecordError:
            continue
        if branch.stopped is None:
            facts.append(Fact(answer, branch.game.state.possible))
    if len(facts) > 1:
        yield Unknown(at, event, tuple(facts), len({fact.possible for fact in facts}) > 1)


def _answers(event: Event) -> Iterator[GameJoined | SpellsUncertain]:
    """Yield the certain events that may replace `event`.

    A `game-joined` gets one for each possible designation; uncertain spells get one for the fewest, one for one more,
    and one for any greater number.
    """
    if isinstance(event, GameJoined):
        for designation in event.possible:
            yield changed(event, possible=(designation,))
    elif isinstance(event, SpellsUncertain):
        most = event.at_least + TWO if event.at_most is None else min(event.at_most, event.at_least + TWO)
        for casts in range(event.at_least, most):
            yield changed(event, at_least=casts, at_most=casts)
        yield changed(event, at_least=most)
