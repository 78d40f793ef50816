"""Finds which event and which rule set each part of a state, as `git blame` does for lines of a file.

A part is blamed on the last event that changed it. Undone events do not count, nor do back-ups: a restored value is
blamed on the event that first set it. A new object starts fresh: a turn's tallies at its beginning, a returning
permanent at its arrival.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from daynight.events.terms import Face
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import also, commas, labelled
from daynight.framework.language.wording import _, card_word
from daynight.framework.mechanic import Derived, Way
from daynight.framework.positions import Position
from daynight.referee.documents import count_document
from daynight.referee.parts import bounds, designation_ways, words
from daynight.referee.state import PlayedRecord, State
from daynight.rules.citations import cited
from daynight.speech import sentences

Part: TypeAlias = Literal["designation", "face", "controller", "abilities", "phasing", "copy", "tally", "hold"]


@dataclass(frozen=True, slots=True)
class Blamed:
    """A part of the state with its value, and the event and rule that set it.

    `because` are the events from which `value` was derived; they need not be those that would have to change to
    get another value. `event` is None if no event set it, or if the record leaves open which one. `rule` is None if the
    event itself sets the value. `derived` has the value and how it came about, in `state`. `of`: for a `tally`, whether
    it is of the present turn; for a `hold` (a prevention), whether an effect made it, not a permanent's ability.
    """

    part: Part
    subject: str | None
    value: Any
    derived: Derived
    state: State = field(repr=False, compare=False)
    of: Any = None

    @property
    def event(self) -> int | None:
        """The event that set `value`; None if no event did, or if the record leaves open which one."""
        return None if self.derived.way is None else self.derived.way.event

    @property
    def rule(self) -> str | None:
        """The key of the rule that set `value`; None if the event itself set it, or if `event` is None."""
        return None if self.derived.way is None else self.derived.way.rule

    @property
    def because(self) -> tuple[int, ...]:
        """The numbers of the events from which `value` was derived, in all possibilities."""
        return self.derived.because

    @property
    def sentence(self) -> str:
        """The part and its blame as one line of text, in the reader's language."""
        if self.part in ("designation", "tally"):
            return _designation(self) if self.part == "designation" else _tally(self)
        return _hold(self) if self.part == "hold" else _permanent(self)

    def document(self, edition: str) -> dict[str, Any]:
        """The part and its blame as JSON, with the rule's number in `edition`."""
        names = "part subject value event rule cr because sentence"
        return document_of(self, names, cr=cited(self.rule, edition))


def blamed(game: PlayedRecord, position: Position | str | int | None = None) -> list[Blamed]:
    """Return the event and the rule behind each part of a state: designation, permanents, tallies, prevention effects.

    >>> from daynight import Game
    >>> [(line.value, line.event, line.rule) for line in blamed(Game.load("demo"), 122) if line.part == "face"][-1]
    ('back', 121, 'daybound-enters')
    """
    state = game.at(position)
    parts = {(part, subject): found for part, subject, found in game.parts(position, *_PARTS)}
    designation = parts["designation", None]
    values = [str(value) for value in designation.values]
    lines = [Blamed("designation", None, values[0] if len(values) == 1 else values, designation, state)]
    for status in state.battlefield:
        lines += _of_a_permanent(state, status.id, parts)
    for (part, subject), found in parts.items():
        if part == "tally":
            player, turn = words(subject)
            current = state.tallies.current is not None and int(turn) == state.turn
            own = _own(found, player, game)
            lines.append(Blamed("tally", player, count_document(*bounds(own)), own, state, current))
    for (part, subject), found in parts.items():
        if part == "forbidden":
            lines.append(Blamed("hold", *words(subject), found, state, True))
        elif part == "hold":
            lines.append(Blamed("hold", subject, found.value, found, state, False))
    return lines


_PARTS = (
    "designation", "face", "face-down", "controller", "abilities", "phasing", "copy", "tally", "forbidden", "hold",
)  # fmt: skip


def shown(face: Derived, down: Derived) -> Derived:
    """Return the blame of a face: the event that turned it over, or last turned it face up, or its arrival.

    If the permanent is face down, return `down`: the event that turned it face down, or its arrival.
    """
    if down.value:
        return down
    return replace(face, ways=tuple([down.ways[0] if way.rule is None else way for way in face.ways]))


def _of_a_permanent(state: State, id: str, parts: dict[tuple[str, Any], Derived]) -> Iterator[Blamed]:
    """Yield the blame of a permanent's face, of a new controller, and of lost abilities, phasing out, being a copy."""
    status = state.battlefield[id]
    face, down, controller = (parts[part, id] for part in ("face", "face-down", "controller"))
    value = "face-down" if down.value else None if face.value is None else face.value.value
    yield Blamed("face", id, value, shown(face, down), state)
    if controller.value != status.permanent.controller or controller.ways[0].event != status.arrived:
        yield Blamed("controller", id, controller.value, controller, state)
    for part in ("abilities", "phasing"):
        if not parts[part, id].value:
            yield Blamed(part, id, False, parts[part, id], state)
    if status.copy is not None:
        yield Blamed("copy", id, status.copy.name, parts["copy", id], state)


def _own(tally: Derived, player: str, game: PlayedRecord) -> Derived:
    """Return a player's tally whose causes are the turn's beginning and own casts, without those of teammates."""
    (way,) = tally.ways
    casts = [number for number in way.because[1:] if getattr(game.events[number - 1], "player", None) == player]
    return replace(tally, ways=(replace(way, because=(*way.because[:1], *casts)),))


# --------------------------------------------------------------------------------------------- in words


def _left_open(word: str, derived: Derived, *, beginning: bool) -> str:
    """Return the line for a part whose cause is open: `word` and every event that may have set it.

    With `beginning`, a way without a rule is told as `from the beginning of the record`, not by its event.
    """
    events = sorted({way.event for way in derived.ways if way.rule is not None or not beginning})
    since = [_("since {event}").format(event=f"e{event}") for event in events]
    if beginning and any(way.rule is None for way in derived.ways):
        since.insert(0, _("from the beginning of the record"))
    if len(since) == 1:
        return also(word, since[0])
    return _("{word}; the record leaves open since when: {ways}").format(word=word, ways=sentences.either(since))


def _designation(line: Blamed) -> str:
    state = line.state
    word = sentences.either_word(state.possible)
    ways = designation_ways(state.possibilities)
    if len(ways) > 1:
        return _left_open(word, line.derived, beginning=True)
    way = next(iter(ways))
    if way is not None:
        return labelled(sentences.designation_word(way.became), sentences.reason(way))
    began = _("so it was when the record took the game up") if state.joined else _("nothing has changed it")
    return labelled(word, began)


def _permanent(line: Blamed) -> str:
    status = line.state.battlefield[str(line.subject)]
    name = f"{card_word(status.permanent.card)} ({status.id})"
    match line.part:
        case "controller":
            return _("{name}: controlled by {player}").format(name=name, player=line.value)
        case "abilities":
            return _("{name}: without abilities").format(name=name)
        case "phasing":
            return _("{name}: phased out").format(name=name)
        case "copy":
            card = card_word(line.value) if line.value else _("something")
            return _("{name}: a copy of {card}").format(name=name, card=card)
    if status.face_down:
        return _("{name}: face down").format(name=name)
    if line.value is None or line.derived.way is None:
        word = labelled(name, sentences.face_word(line.value and Face(line.value)))
        return _left_open(word, line.derived, beginning=False)
    face, way = Face(line.value), line.derived.way
    word = labelled(name, commas((sentences.face_word(face), sentences.face_name(status.permanent, face))))
    return also(word, _how(way, arrived=status.arrived))


def _how(way: Way, arrived: int) -> str:
    return {
        None: _("it entered so") if way.event == arrived else _("it was turned face up"),
        "daybound-enters": _("it entered at night, and has daybound"),
        "told-to-enter": _("it entered so"),
        "daybound-as-night": _("it transformed as it became night"),
        "daybound-at-night": _("it transformed, having daybound by night"),
        "nightbound-as-day": _("it transformed as it became day"),
        "nightbound-at-day": _("it transformed, having nightbound by day"),
    }.get(way.rule, _("it was told to transform"))


def _tally(line: Blamed) -> str:
    turn = _("this turn") if line.of else _("turn before")
    count = sentences.count_word(*bounds(line.derived))
    return _("spells of {player}, {turn}: {count}").format(player=line.subject, turn=turn, count=count)


def _hold(line: Blamed) -> str:
    if line.of:
        return _("{source}: {names} can't transform").format(source=line.subject, names=line.value)
    what = _("it can't become night") if line.value == "night" else _("other non-Human Werewolves can't transform")
    card = line.state.battlefield[str(line.subject)].permanent.card
    return labelled(f"{card_word(card)} ({line.subject})", what)
