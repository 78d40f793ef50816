"""Repair hints: the smallest edits of a record that would make every claim in it right.

Each hint is tried before it is told: the edited record is replayed and audited, and is exact. They are ranked by how
little they assume: an untap step that was not written down, a missing cast, a superfluous one, a departure, an
arrival, an effect. What really happened no record can say; nothing here says what anybody has to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daynight.audit import Auditor, Finding
from daynight.branches import Edit, drop, insert
from daynight.events.actions import (
    EffectResolved,
    PermanentsEntered,
    PermanentsLeft,
    SpellCast,
    StepBegan,
    TransformInstructed,
    TurnBegan,
)
from daynight.events.errors import RecordError
from daynight.events.grammar import commas
from daynight.events.permanents import Characteristics, Permanent
from daynight.events.rulings import GameBackedUp
from daynight.events.terms import Designation
from daynight.events.wording import _, card_word, counted
from daynight.game import Game, strictly
from daynight.projections.sentences import designation_word
from daynight.projections.tallies import TWO

__all__ = ["KINDS", "TURNS", "Hint", "Repairs", "repairs"]

Kind: TypeAlias = Literal["untap-step", "cast", "no-cast", "no-untap-step", "departure", "arrival", "effect"]

KINDS: tuple[Kind, ...] = ("untap-step", "cast", "no-cast", "no-untap-step", "departure", "arrival", "effect")
"""What a hint may assume, the least first."""

TURNS = 10
"""How many turns before a finding are searched."""

EVENTS = 1_000_000
"""How many events may be replayed in all: so many hints are tried on the whole record as fit, but at least LEAST."""

LEAST = 10


@dataclass(frozen=True, slots=True)
class Hint:
    """An edit with which every claim would be right; `turn` is the one it is about, `size` how many events it takes."""

    kind: Kind
    turn: int
    size: int
    edits: tuple[Edit, ...]
    sentence: str
    subject: str | None = None

    @property
    def rank(self) -> tuple[int, int, int]:
        """The fewer events, the less assumed and the nearer, the smaller."""
        return self.size, KINDS.index(self.kind), -self.turn

    def document(self) -> dict[str, Any]:
        """The hint as JSON."""
        return {
            "kind": self.kind,
            "turn": self.turn,
            "size": self.size,
            "subject": self.subject,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Repairs:
    """The hints for a disputed record, the one that assumes least first; none where no single edit explains it.

    `finding` is the first dispute, None where there is none. `tried` is how many edits were tried; where `all_tried` is
    False there were more, and the record was too long to try them.
    """

    finding: Finding | None
    hints: tuple[Hint, ...]
    tried: int
    all_tried: bool

    def document(self, edition: str) -> dict[str, Any]:
        """The answer as JSON."""
        return {
            "finding": None if self.finding is None else self.finding.document(edition),
            "hints": [hint.document() for hint in self.hints],
            "tried": self.tried,
            "all_tried": self.all_tried,
        }


def repairs(game: Game) -> Repairs:
    """What single edit of the record would make all its claims and rulings right.

    >>> [hint.kind for hint in repairs(Game.load("demo")).hints][:1]
    ['effect']
    """
    finding = game.audit().first_dispute
    if finding is None:
        return Repairs(None, (), 0, True)
    found: dict[tuple[object, ...], Hint] = {}
    tried = whole = 0
    most = max(EVENTS // len(game), LEAST)
    for hint in sorted(_candidates(game, finding), key=lambda hint: hint.rank):
        key = (hint.kind, hint.turn, hint.subject)
        if key in found:
            # One at the other end of the turn, or more of the same: nothing new.
            continue
        tried += 1
        if not _explains_first(game, hint, finding.event):
            continue
        if whole == most:
            return Repairs(finding, tuple(found.values()), tried, False)
        whole += 1
        if _explains(game, hint):
            found[key] = hint
    return Repairs(finding, tuple(found.values()), tried, True)


def _explains_first(game: Game, hint: Hint, until: int) -> bool:
    """Whether all is right up to the finding, replayed from the edit on: most hints fail there already."""
    inserted = [strictly(event) for edit in hint.edits for event in edit.events]
    places = [game.number(edit.at) for edit in hint.edits]
    start = places[0] if inserted else min(places) - 1
    rest = [
        event for number, event in enumerate(game.events[start:until], start + 1) if inserted or number not in places
    ]
    if any(isinstance(event, GameBackedUp) or getattr(event, "own_since", None) for event in rest):
        return True
    try:
        audit = Auditor().forward(game.at(start), [*inserted, *rest], start)
    except RecordError:
        return False
    return not audit.disputes


def _explains(game: Game, hint: Hint) -> bool:
    try:
        branch = game.branch(*hint.edits)
    except RecordError:
        return False
    return branch.stopped is None and branch.game.audit().verdict == "exact"


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn that stands: its beginning, its last event up to the finding, and its untap step, if it has one."""

    turn: int
    active: tuple[str, ...]
    began: int
    last: int
    untap: int | None
    casts: tuple[tuple[int, str], ...]


def _turns(game: Game, until: int) -> list[_Turn]:
    """The latest turns that began before event `until`."""
    events = game.events
    stand = [number for number in range(1, until) if game.stands(number)]
    begun = [number for number in stand if isinstance(events[number - 1], TurnBegan)][-TURNS:]
    turns = []
    for place, began in enumerate(begun):
        end = begun[place + 1] if place + 1 < len(begun) else until
        within = [(number, events[number - 1]) for number in stand if began < number < end]
        untaps = [number for number, event in within if isinstance(event, StepBegan) and event.step == "untap"]
        casts = [(number, event.player) for number, event in within if isinstance(event, SpellCast)]
        event = events[began - 1]
        assert isinstance(event, TurnBegan)
        last = within[-1][0] if within else began
        turns.append(_Turn(event.turn, event.active, began, last, untaps[-1] if untaps else None, tuple(casts)))
    return turns


def _candidates(game: Game, finding: Finding) -> Iterator[Hint]:
    turns = _turns(game, finding.event)
    for turn in turns:
        yield from _untap_steps(turn)
        yield from _casts(turn, finding)
        yield from _departures(game, turn)
        yield from _arrivals(game, turn)
    yield from _transforming(turns, finding)
    for turn in turns:
        for place in (turn.last, turn.began):
            yield from _effects(turn.turn, place)
    if not turns:
        yield from _effects(0, finding.event - 1)


def _untap_steps(turn: _Turn) -> Iterator[Hint]:
    if turn.untap is None:
        sentence = _("With an untap step in turn {turn}, which the record does not have, every claim would be right.")
        event = StepBegan(step="untap")
        yield Hint("untap-step", turn.turn, 1, (insert(turn.began, event),), sentence.format(turn=turn.turn))
    else:
        sentence = _("Without the untap step of turn {turn} (event {event}) every claim would be right.")
        yield Hint(
            "no-untap-step", turn.turn, 1, (drop(turn.untap),), sentence.format(turn=turn.turn, event=turn.untap)
        )


def _casts(turn: _Turn, finding: Finding) -> Iterator[Hint]:
    players = dict.fromkeys(
        (*turn.active, *([finding.subject] if finding.about == "tally" and finding.subject else ()))
    )
    for player in players:
        for casts in range(1, TWO + 1):
            sentence = counted(
                "With one more spell by {player} in turn {turn} every claim would be right.",
                "With {n} more spells by {player} in turn {turn} every claim would be right.",
                casts,
            ).format(n=casts, player=player, turn=turn.turn)
            events = (SpellCast(player=player),) * casts
            for place in (turn.last, turn.began):
                yield Hint("cast", turn.turn, casts, (insert(place, *events),), sentence, player)
        own = [number for number, caster in turn.casts if caster == player]
        for superfluous in (own[-1:], own[-TWO:] if len(own) >= TWO else []):
            if superfluous:
                sentence = counted(
                    "Without event {events}, a spell by {player} in turn {turn}, every claim would be right.",
                    "Without events {events}, spells by {player} in turn {turn}, every claim would be right.",
                    len(superfluous),
                ).format(events=commas([str(number) for number in superfluous]), player=player, turn=turn.turn)
                edits = tuple(map(drop, superfluous))
                yield Hint("no-cast", turn.turn, len(superfluous), edits, sentence, player)


def _departures(game: Game, turn: _Turn) -> Iterator[Hint]:
    for place in dict.fromkeys((turn.last, turn.began)):
        for status in game.at(place).battlefield:
            if status.matters:
                sentence = _("Had {card} ({id}) left the battlefield in turn {turn}, every claim would be right.")
                yield Hint(
                    "departure",
                    turn.turn,
                    1,
                    (insert(place, PermanentsLeft(permanents=(status.id,))),),
                    sentence.format(card=card_word(status.permanent.card), id=status.id, turn=turn.turn),
                    status.id,
                )


def _arrivals(game: Game, turn: _Turn) -> Iterator[Hint]:
    for place in dict.fromkeys((turn.last, turn.began)):
        state = game.at(place)
        controller = next((player for player in turn.active if player in state.present), None)
        if Designation.NEITHER not in state.possible or controller is None:
            continue
        id = "unrecorded"
        while id in state.battlefield:
            id += "-1"
        sentence = _("Had a permanent with daybound entered in turn {turn}, every claim would be right.")
        front = Characteristics(keywords=("daybound",))
        permanent = Permanent(id=id, card=id, controller=controller, double_faced=False, front=front)
        event = PermanentsEntered(permanents=(permanent,))
        yield Hint("arrival", turn.turn, 1, (insert(place, event),), sentence.format(turn=turn.turn))


def _transforming(turns: list[_Turn], finding: Finding) -> Iterator[Hint]:
    """An effect that told the permanent in question to transform."""
    if finding.about != "face" or finding.subject is None:
        return
    for turn in turns:
        event = TransformInstructed(permanents=(finding.subject,))
        sentence = _("Had an effect told {id} to transform in turn {turn}, every claim would be right.").format(
            id=finding.subject, turn=turn.turn
        )
        yield Hint("effect", turn.turn, 1, (insert(turn.last, event),), sentence, finding.subject)


def _effects(turn: int, place: int) -> Iterator[Hint]:
    for becomes in (Designation.DAY, Designation.NIGHT):
        if turn:
            sentence = _(
                "Had an effect made it {designation} in turn {turn}, after event {event}, every claim would be right."
            )
        else:
            sentence = _("Had an effect made it {designation} after event {event}, every claim would be right.")
        event = EffectResolved(becomes="day" if becomes is Designation.DAY else "night")
        text = sentence.format(designation=designation_word(becomes), turn=turn, event=place)
        yield Hint("effect", turn, 1, (insert(place, event),), text, becomes.value)
