"""Blame: which event and which rule set each part of the state, as `blame` does for the lines of a file.

A part is blamed on the last event that changed it. An event that was undone changed nothing, and backing up is no
change: what it restores is blamed on the event that set it. What is an object of its own begins anew: a turn's tallies
with the turn, a permanent that returns with its arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from daynight.events.actions import ControlChanged, SpellCast, SpellsUncertain, TurnedFaceDown, TurnedFaceUp
from daynight.events.consequences import Changed, EnteredTransformed, Transformed
from daynight.events.terms import Designation, Face
from daynight.events.vocabulary import Event
from daynight.framework.language.grammar import also, commas, labelled
from daynight.framework.language.wording import _, card_word
from daynight.framework.positions import Position
from daynight.projections.battlefield import Status
from daynight.projections.sentences import (
    count_word,
    designation_word,
    either,
    either_word,
    face_name,
    face_word,
    reason,
)
from daynight.projections.tallies import Tally
from daynight.referee.documents import count_document
from daynight.referee.state import State
from daynight.rules.citations import cited

if TYPE_CHECKING:
    from daynight.game import Game

Part: TypeAlias = Literal["designation", "face", "controller", "abilities", "phasing", "copy", "tally", "hold"]


@dataclass(frozen=True, slots=True)
class Blamed:
    """A part of the state, what it is, and the event and rule that set it so.

    `because` are the events that the rule looked at, which is not the same as those without which it would be
    otherwise. `event` is None where several may have set it: the record is uncertain. `rule` is None where the event
    says so itself.
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
    """The event and the rule behind each part of a state: the designation, each permanent, the tallies, what holds.

    >>> from daynight import Game
    >>> [(line.value, line.event, line.rule) for line in blamed(Game.load("demo"), 122) if line.part == "face"][-1]
    ('back', 121, 'daybound-enters')
    """
    number = game.number(position)
    # As of event `number`: what was undone later stands there, and what was undone before does not.
    upto = game if number == len(game) else game.what_if(number, ())
    state = upto.state
    since = _since(upto)
    found = [_designation(state)]
    for status in state.battlefield:
        found += _permanent(state, status, since)
    for label, tally in ((_("this turn"), state.tallies.current), (_("turn before"), state.tallies.previous)):
        if tally is not None:
            found += [_tally(tally, player, label, upto.events) for player in state.players]
    found += _holds(state, since)
    return found


_Key: TypeAlias = tuple[str, str, str]
"""A part that no rule sets: which one, of which permanent, and by which source."""

_Since: TypeAlias = dict[_Key, int]
"""The event since which each of them is what it is."""


def _since(game: Game) -> _Since:
    """Since when each part that no rule sets is what it is: it is looked at after every event that stands."""
    state = game.state
    keys = [*dict.fromkeys(_parts(state, game.events))]
    arrivals = [state.battlefield[id].arrived for _part, id, _source in keys]
    since: _Since = {}
    before: dict[_Key, object] = {}
    for moment, now in game.walk(min(arrivals) - 1) if keys else ():
        if game.stands(moment.number):
            for key in keys:
                value = _value(now, key)
                if value != before.get(key):
                    since[key], before[key] = moment.number, value
    return since


def _parts(state: State, events: Iterable[Event]) -> Iterator[_Key]:
    """The parts of the permanents that are not, or may not have been all the time, as they entered."""
    for event in events:
        if isinstance(event, (ControlChanged, TurnedFaceDown, TurnedFaceUp)):
            part = "controller" if isinstance(event, ControlChanged) else "face-down"
            for id in event.permanents:
                if id in state.battlefield:
                    yield part, id, ""
    for status in state.battlefield:
        id = status.id
        for part, found in (
            ("face-down", status.face_down),
            ("controller", status.controller != status.permanent.controller),
            ("abilities", _powerless(status)),
            ("phasing", not status.phased_in),
            ("copy", status.copy is not None),
            ("holds", _hold(state, status) is not None),
        ):
            if found:
                yield part, id, ""
    for source, ids in state.battlefield.forbidden.items():
        for id in sorted(ids):
            yield "forbidden", id, source


def _value(state: State, key: _Key) -> object:
    """What such a part is, of the permanent that has the id now; None where none has."""
    part, id, source = key
    status = state.battlefield.get(id)
    if status is None:
        return None
    value: object
    if part == "forbidden":
        value = id in state.battlefield.forbidden.get(source, ())
    elif part == "holds":
        value = _hold(state, status)
    else:
        value = {
            "face-down": status.face_down,
            "controller": status.controller,
            "abilities": not _powerless(status),
            "phasing": status.phased_in,
            "copy": status.copy,
        }[part]
    return status.arrived, value


def _powerless(status: Status) -> bool:
    return bool(status.losses or status.lost or status.entered_without)


def _hold(state: State, status: Status) -> str | None:
    """What a permanent's own ability holds, where it surely does."""
    if not status.acts:
        return None
    holds = {status.shows(possibility.backs).holds for possibility in state.possibilities}
    return holds.pop() if len(holds) == 1 else None


def _designation(state: State) -> Blamed:
    causes = {cause for possibility in state.possibilities for cause in possibility.causes}
    value = [str(designation) for designation in state.possible]
    word = either_word(state.possible)
    if len(causes) > 1:
        events = tuple(sorted({cause.event for cause in causes if cause is not None}))
        sentence = _left_open(word, [_("from the beginning of the record")] if None in causes else [], events)
        return Blamed("designation", None, value[0] if len(value) == 1 else value, None, None, events, sentence)
    (cause,) = causes
    return _since_the_beginning(state, word, value) if cause is None else _changed(cause)


def _left_open(word: str, ways: list[str], events: Iterable[int]) -> str:
    """What it is, or may be, and since which of several events: the record does not say."""
    since = [*ways, *(_("since {event}").format(event=f"e{event}") for event in events)]
    if len(since) == 1:
        return also(word, since[0])
    return _("{word}; the record leaves open since when: {ways}").format(word=word, ways=either(since))


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


def _permanent(state: State, status: Status, since: _Since) -> Iterator[Blamed]:
    id = status.id
    name = f"{card_word(status.permanent.card)} ({id})"

    def at(part: str) -> int:
        return since.get((part, id, ""), status.arrived)

    def line(part: Part, value: Any, sentence: str) -> Blamed:
        return Blamed(part, id, value, at(part), None, (at(part),), sentence)

    if status.face_down:
        turned = at("face-down")
        yield Blamed("face", id, "face-down", turned, None, (turned,), _("{name}: face down").format(name=name))
    else:
        yield _face(state, status, name, at("face-down"))
    if status.controller != status.permanent.controller or at("controller") != status.arrived:
        sentence = _("{name}: controlled by {player}").format(name=name, player=status.controller)
        yield line("controller", status.controller, sentence)
    if _powerless(status):
        yield line("abilities", False, _("{name}: without abilities").format(name=name))
    if not status.phased_in:
        yield line("phasing", False, _("{name}: phased out").format(name=name))
    if status.copy is not None:
        card = card_word(status.copy.name) if status.copy.name else _("something")
        yield line("copy", status.copy.name, _("{name}: a copy of {card}").format(name=name, card=card))


def _face(state: State, status: Status, name: str, turned_up: int) -> Blamed:
    id, face = status.id, state.face(status.id)
    ways = {possibility.turned.get(id) for possibility in state.possibilities}
    if face is None or len(ways) > 1:
        known = sorted({way.event for way in ways if way is not None})
        since = sorted({turned_up if way is None else way.event for way in ways})
        sentence = _left_open(labelled(name, face_word(face)), [], since)
        return Blamed("face", id, None if face is None else face.value, None, None, tuple(known), sentence)
    (way,) = ways
    word = labelled(name, commas((face_word(face), face_name(status.permanent, face))))
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


def _tally(tally: Tally, player: str, label: str, events: tuple[Event, ...]) -> Blamed:
    least, most = tally.range(player)
    since, because = tally.began, [tally.began]
    bounded = True
    for number in () if tally.unknown else tally.told_of(player)[1:]:
        event = events[number - 1]
        # Of a team's casts, those of this player; a doubt between none and none changes nothing.
        if not isinstance(event, (SpellCast, SpellsUncertain)) or event.player != player:
            continue
        because.append(number)
        if isinstance(event, SpellCast) or event.at_least or (bounded and event.at_most != 0):
            since = number
        bounded = bounded and (isinstance(event, SpellCast) or event.at_most is not None)
    sentence = _("spells of {player}, {turn}: {count}").format(player=player, turn=label, count=count_word(least, most))
    return Blamed("tally", player, count_document(least, most), since, None, tuple(because), sentence)


def _holds(state: State, since: _Since) -> Iterator[Blamed]:
    """A line for each permanent that an effect keeps from transforming, and for each one whose ability holds others."""
    for source, ids in state.battlefield.forbidden.items():
        for id in sorted(ids):
            at = since["forbidden", id, source]
            sentence = _("{source}: {names} can't transform").format(source=source, names=id)
            yield Blamed("hold", source, id, at, None, (at,), sentence)
    for status in state.battlefield.holding.values():
        hold = _hold(state, status)
        if hold is not None:
            at = since["holds", status.id, ""]
            what = _("it can't become night") if hold == "night" else _("other non-Human Werewolves can't transform")
            sentence = labelled(f"{card_word(status.permanent.card)} ({status.id})", what)
            yield Blamed("hold", status.id, hold, at, None, (at,), sentence)
