"""Blame: which event and which rule set each part of the state, as `blame` does for the lines of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daynight.documents import count_document
from daynight.events.actions import (
    AbilitiesLost,
    BecameCopy,
    ControlChanged,
    PhasedIn,
    PhasedOut,
    StepBegan,
    TransformForbidden,
    TurnedFaceDown,
    TurnedFaceUp,
)
from daynight.events.consequences import Changed, EnteredTransformed, Transformed
from daynight.events.grammar import also, commas, labelled
from daynight.events.terms import Designation, Face
from daynight.events.vocabulary import Event
from daynight.events.wording import _, card_word
from daynight.game import Game
from daynight.positions import Position
from daynight.projections.battlefield import Status
from daynight.projections.sentences import count_word, designation_word, either_word, face_word, listed, reason
from daynight.projections.tallies import Tally
from daynight.rules.citations import cited
from daynight.state import State

__all__ = ["Blamed", "blamed"]

Part: TypeAlias = Literal["designation", "face", "controller", "abilities", "phasing", "copy", "tally", "hold"]


@dataclass(frozen=True, slots=True)
class Blamed:
    """A part of the state, what it is, and the event and rule that set it so; `because` as the rule looked at.

    `event` is None where several may have: the record is uncertain. `rule` is None where the event says so itself.
    """

    part: Part
    subject: str | None
    value: Any
    event: int | None
    rule: str | None
    because: tuple[int, ...]
    sentence: str

    def document(self, edition: str) -> dict[str, Any]:
        """The line as JSON."""
        return {
            "part": self.part,
            "subject": self.subject,
            "value": self.value,
            "event": self.event,
            "rule": self.rule,
            "cr": cited(self.rule, edition),
            "because": list(self.because),
            "sentence": self.sentence,
        }


def blamed(game: Game, position: Position | str | int | None = None) -> list[Blamed]:
    """Who set what is there at a position: the designation, each permanent, the tallies, what holds.

    >>> [(line.value, line.event, line.rule) for line in blamed(Game.load("demo"), 122) if line.part == "face"][-1]
    ('back', 121, 'daybound-enters')
    """
    number = game.number(position)
    state = game.at(number)
    latest = _latest(game, number)
    found = [_designation(state)]
    for status in state.battlefield:
        found += _permanent(state, status, latest)
    for label, tally in ((_("this turn"), state.tallies.current), (_("turn before"), state.tallies.previous)):
        if tally is not None:
            found += [_tally(tally, player, label) for player in state.players]
    found += _holds(state, latest)
    return found


_Latest: TypeAlias = dict[tuple[str, str], int]
"""The latest standing event that touched this part of this permanent, or this source."""


def _touched(event: Event) -> Iterator[tuple[str, str]]:
    part = _TOUCHES.get(type(event))
    if part is not None:
        named: tuple[str, ...] = getattr(event, "permanents", ())
        for id in named:
            yield part, id
    if isinstance(event, StepBegan):
        for id in (*event.phased_in, *event.phased_out):
            yield "phasing", id
    if isinstance(event, TransformForbidden):
        yield "hold", event.source


_TOUCHES: dict[type, str] = {
    ControlChanged: "controller",
    AbilitiesLost: "abilities",
    PhasedIn: "phasing",
    PhasedOut: "phasing",
    BecameCopy: "copy",
    TurnedFaceDown: "turned",
    TurnedFaceUp: "turned",
}


def _latest(game: Game, number: int) -> _Latest:
    """As of event `number`: what was undone later stands there, and what was undone before does not."""
    latest: _Latest = {}
    upto = game if number == len(game) else game.what_if(number, ())
    for at, event in enumerate(upto.events, 1):
        if upto.stands(at):
            latest |= dict.fromkeys(_touched(event), at)
    return latest


def _designation(state: State) -> Blamed:
    causes = {cause for possibility in state.possibilities for cause in possibility.causes}
    value = [str(designation) for designation in state.possible]
    word = either_word(state.possible)
    if len(causes) > 1:
        known = sorted((cause for cause in causes if cause is not None), key=lambda cause: cause.event)
        events = tuple(cause.event for cause in known)
        sentence = _("{word}: the record leaves open by which of the events {events}").format(
            word=word, events=listed([f"e{event}" for event in events])
        )
        return Blamed("designation", None, value[0] if len(value) == 1 else value, None, None, events, sentence)
    (cause,) = causes
    return _since_the_beginning(state, word, value) if cause is None else _changed(cause)


def _since_the_beginning(state: State, word: str, value: list[str]) -> Blamed:
    began = _("so it was when the record took the game up") if state.joined else _("nothing has changed it")
    rule = "no-designation" if state.possible == (Designation.NEITHER,) and not state.joined else None
    return Blamed(
        "designation", None, value[0] if len(value) == 1 else value, state.began, rule, (state.began,),
        labelled(word, began),
    )  # fmt: skip


def _changed(cause: Changed) -> Blamed:
    sentence = labelled(designation_word(cause.became), reason(cause))
    return Blamed("designation", None, cause.became.value, cause.event, cause.rule, cause.because, sentence)


def _permanent(state: State, status: Status, latest: _Latest) -> Iterator[Blamed]:
    id, arrived = status.id, status.arrived
    name = f"{card_word(status.permanent.card)} ({id})"

    def since(part: str) -> int:
        return max(latest.get((part, id), arrived), arrived)

    if status.face_down:
        at = since("turned")
        yield Blamed("face", id, "face-down", at, None, (at,), _("{name}: face down").format(name=name))
    else:
        yield _face(state, status, name, since("turned"))
    if status.controller != status.permanent.controller or ("controller", id) in latest:
        at = since("controller")
        sentence = _("{name}: controlled by {player}").format(name=name, player=status.controller)
        yield Blamed("controller", id, status.controller, at, None, (at,), sentence)
    if status.losses or status.lost or status.entered_without:
        at = since("abilities")
        yield Blamed("abilities", id, False, at, None, (at,), _("{name}: without abilities").format(name=name))
    if not status.phased_in:
        at = since("phasing")
        yield Blamed("phasing", id, False, at, None, (at,), _("{name}: phased out").format(name=name))
    if status.copy is not None:
        at = since("copy")
        card = card_word(status.copy.name) if status.copy.name else _("something")
        sentence = _("{name}: a copy of {card}").format(name=name, card=card)
        yield Blamed("copy", id, status.copy.name, at, None, (at,), sentence)


def _face(state: State, status: Status, name: str, turned_up: int) -> Blamed:
    id, face = status.id, state.face(status.id)
    ways = {possibility.turned.get(id) for possibility in state.possibilities}
    if face is None or len(ways) > 1:
        known = sorted({way.event for way in ways if way is not None})
        sentence = labelled(name, face_word(face))
        if face is None:
            return Blamed("face", id, None, None, None, tuple(known), sentence)
        return Blamed("face", id, face.value, None, None, tuple(known), sentence)
    (way,) = ways
    word = labelled(name, commas((face_word(face), card_word(status.name(state.possibilities[0].backs)))))
    if way is None:
        how = _("it entered so") if turned_up == status.arrived else _("it was turned face up")
        return Blamed("face", id, face.value, turned_up, None, (turned_up,), also(word, how))
    return Blamed("face", id, face.value, way.event, way.rule, way.because, also(word, _how(way, face)))


def _how(way: Transformed | EnteredTransformed, face: Face) -> str:
    if isinstance(way, EnteredTransformed):
        return _("it entered at night, and has daybound") if way.rule == "daybound-enters" else _("it entered so")
    return {
        "daybound-as-night": _("it transformed as it became night"),
        "daybound-at-night": _("it transformed, having daybound by night"),
        "nightbound-as-day": _("it transformed as it became day"),
        "nightbound-at-day": _("it transformed, having nightbound by day"),
    }.get(way.rule, _("it was told to transform"))


def _tally(tally: Tally, player: str, label: str) -> Blamed:
    least, most = tally.range(player)
    because = (tally.began,) if tally.unknown else tally.told_of(player)
    sentence = _("spells of {player}, {turn}: {count}").format(player=player, turn=label, count=count_word(least, most))
    return Blamed("tally", player, count_document(least, most), because[-1], None, because, sentence)


def _holds(state: State, latest: _Latest) -> Iterator[Blamed]:
    for source, ids in state.battlefield.forbidden.items():
        if ids:
            at = latest.get(("hold", source), state.began)
            sentence = _("{source}: {names} can't transform").format(source=source, names=listed(sorted(ids)))
            yield Blamed("hold", source, sorted(ids), at, None, (at,), sentence)
    for status in state.battlefield.holding.values():
        holds = {status.shows(possibility.backs).holds for possibility in state.possibilities}
        (hold, *others) = sorted(holds, key=str)
        if hold is None or others or not status.acts:
            continue
        what = _("it can't become night") if hold == "night" else _("other non-Human Werewolves can't transform")
        sentence = labelled(f"{card_word(status.permanent.card)} ({status.id})", what)
        yield Blamed("hold", status.id, hold, status.arrived, None, (status.arrived,), sentence)
