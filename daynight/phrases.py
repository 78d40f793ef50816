"""Events in short words: `B casts Opt`, `turn 5 A`, `it becomes night`.

No language, but a table: each phrase is a template whose slots ({player}, {permanents} ...) are found in the state the
event is to happen in, by name or by its only possible beginning. What no template fits is given as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from typing import Any, TypeAlias, get_args

from daynight.events.codec import decode
from daynight.events.errors import AskedError, RecordError
from daynight.events.strict import read_line
from daynight.events.terms import Step
from daynight.events.vocabulary import Event
from daynight.events.wording import _
from daynight.state import State

__all__ = ["PHRASES", "PhraseError", "understood"]

Json: TypeAlias = dict[str, Any]
Slots: TypeAlias = dict[str, Any]


class PhraseError(AskedError):
    """The words are not understood, or name nobody, or more than one; exit code 2."""


def _cast(slots: Slots) -> Json:
    return {"type": "spell-cast", "player": slots["player"], "card": slots.get("card")}


def _step(slots: Slots) -> Json:
    return {"type": "step-began", "step": slots["step"]}


def _entered(slots: Slots) -> Json:
    permanent = {"id": slots["id"], "card": slots["card"], "controller": slots["player"]}
    return {"type": "permanents-entered", "permanents": [permanent]}


def _of(kind: str, *names: str, **more: Any) -> Callable[[Slots], Json]:
    """An event of that tag whose fields are slots of their name."""
    return lambda slots: {"type": kind, **more} | {name: slots.get(name) for name in names}


def _left(slots: Slots) -> Json:
    return {"type": "permanents-left", "permanents": slots["permanents"], "to": slots.get("zone")}


def _effect(slots: Slots) -> Json:
    return {"type": "effect-resolved", "becomes": slots["becomes"], "source": slots.get("source")}


def _claimed(slots: Slots) -> Json:
    return {"type": "designation-claimed", "designation": slots["designation"], "by": slots["by"]}


def _shown(slots: Slots) -> Json:
    by = slots.get("by") or _("somebody")
    return {"type": "face-claimed", "permanent": slots["permanent"], "face": slots["face"], "by": by}


def _tally(slots: Slots) -> Json:
    return {"type": "tally-claimed"} | {name: slots.get(name) for name in ("player", "spells", "turn", "by")}


def _doubt(slots: Slots) -> Json:
    least = slots.get("least") or 0
    return {"type": "spells-uncertain", "player": slots["player"], "at_least": least, "at_most": slots.get("most")}


PHRASES: tuple[tuple[str, Callable[[Slots], Json]], ...] = (
    ("{player} casts {times} [spells]", _cast),
    ("{player} casts {times} [spell]", _cast),
    ("{player} casts {least} to {most} more [spells]", _doubt),
    ("{player} perhaps casts {most} more [spells]", _doubt),
    ("{player} perhaps casts more [spells]", _doubt),
    ("{player} casts [a spell]", _cast),
    ("{player} casts {card}", _cast),
    ("{player} copies [a spell]", _of("spell-copied", "player")),
    ("{player} copies {card}", _of("spell-copied", "player", "card")),
    ("turn {turn} {active}", _of("turn-began", "turn", "active")),
    ("step {step}", _step),
    ("{step} [step]", _step),
    ("enters {card} under {player} [as {id}]", _entered),
    ("{card} enters under {player} [as {id}]", _entered),
    ("{player} leaves the game", _of("player-left", "player")),
    ("leaves {permanents} [to {zone}]", _left),
    ("{permanents} leave [to {zone}]", _left),
    ("{permanents} leaves [to {zone}]", _left),
    ("{controller} controls {permanents}", _of("control-changed", "permanents", "controller")),
    ("{permanents} loses abilities [by {source}]", _of("abilities-lost", "permanents", "source")),
    ("{permanents} regains abilities [by {source}]", _of("abilities-regained", "permanents", "source")),
    ("{permanents} phases out", _of("phased-out", "permanents")),
    ("{permanents} phases in", _of("phased-in", "permanents")),
    ("{permanents} turns face down", _of("turned-face-down", "permanents")),
    ("{permanents} turns face up", _of("turned-face-up", "permanents")),
    ("{permanents} transforms [by {source}]", _of("transform-instructed", "permanents", "source")),
    ("{permanents} can't transform by {source}", _of("transform-forbidden", "permanents", "source")),
    ("{permanents} can transform by {source}", _of("transform-allowed", "source")),
    ("it becomes {becomes} [by {source}]", _effect),
    ("{designation} claimed by {by}", _claimed),
    ("{by} says {designation}", _claimed),
    ("{permanent} shows {face} [claimed by {by}]", _shown),
    ("{player} cast {spells} in turn {turn} claimed by {by}", _tally),
    ("{player} cast {spells} claimed by {by}", _tally),
    ("{by} rules {ruling}", lambda slots: {"type": "judge-ruled", "by": slots["by"], "designation": slots["ruling"]}),
    ("{by} backs up to {to}", _of("game-backed-up", "by", "to")),
    ("the game restarts", _of("game-restarted")),
    ("the game ends", _of("game-ended")),
)
"""Every phrase, and the event it stands for; the first one that fits is meant. What is in [ ] may be left out.

`{times}` is so many events of the same kind. To add a phrase, add a row.
"""

_FIXED: dict[str, tuple[str, ...]] = {
    "becomes": ("day", "night", "switch"),
    "designation": ("neither", "day", "night"),
    "ruling": ("day", "night"),
    "face": ("front", "back"),
    "step": get_args(Step),
}
_NUMBERS = ("times", "least", "most", "turn", "spells", "to")
_MOST = 100
"""How many events one phrase may stand for."""

_LIKE = 0.7
"""How like a phrase must be to be what was meant."""


def understood(text: str, state: State) -> tuple[Event, ...]:
    """The events that a text stands for, to happen in this state: a JSON object, or a phrase.

    >>> from daynight.game import Game
    >>> state = Game.start("g1", ["Ana", "Bo"]).state
    >>> understood("an casts Opt", state)
    (SpellCast(player='Ana', card='Opt'),)
    >>> understood("Bo castes Opt", state)
    Traceback (most recent call last):
        ...
    daynight.phrases.PhraseError: 'Bo castes Opt' is not understood; did you mean {player} casts {card}?...

    Raises:
        PhraseError: where nothing fits, or a name is nobody's, or might be several.
        UnreadableError: where it is JSON and no event.
    """
    if text.lstrip().startswith("{"):
        return (decode(text.strip()),)
    words = " ".join(text.split())
    first: PhraseError | None = None
    for template, make in PHRASES:
        found = _pattern(template).fullmatch(words)
        if found is None:
            continue
        try:
            slots = {name: _resolved(name, said, state) for name, said in found.groupdict().items() if said is not None}
            return _made(make, slots, state)
        except PhraseError as error:
            # A word alone that is no step is no phrase at all.
            first = first or (None if template.startswith("{step}") else error)
    raise first or _not_understood(words)


def _made(make: Callable[[Slots], Json], slots: Slots, state: State) -> tuple[Event, ...]:
    times: int
    if "card" in slots and "player" in slots and make is _entered and "id" not in slots:
        slots["id"] = _free_id(slots["card"], state)
    times = slots.get("times", 1)
    if not 1 <= times <= _MOST:
        raise PhraseError(_("{n} times; a phrase stands for 1 to {most} events").format(n=times, most=_MOST))
    fields = {name: value for name, value in make(slots).items() if value is not None}
    try:
        return (read_line(json.dumps(fields).encode()),) * times
    except RecordError as error:
        raise PhraseError(str(error)) from None


def _free_id(card: str, state: State) -> str:
    """An id for a new permanent as records of programs have them: `tavern-ruffian-1`."""
    stem = re.sub(r"[^\w]+", "-", card.lower()).strip("-") or "permanent"
    number = 1
    while f"{stem[:180]}-{number}" in state.battlefield:
        number += 1
    return f"{stem[:180]}-{number}"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    pattern = re.escape(template).replace(r"\ ", " ")
    pattern = re.sub(r" ?\\\[(.*?)\\\]", r"(?: \1)?", pattern)
    pattern = re.sub(r"\\\{(\w+)\\\}", lambda found: f"(?P<{found[1]}>{_shape(found[1])})", pattern)
    return re.compile(pattern, re.IGNORECASE)


def _shape(slot: str) -> str:
    if slot == "card":
        return r"(?![0-9]+$).+?"
    if slot == "to":
        return r"e?[0-9]{1,15}"
    return r"[0-9]{1,15}" if slot in _NUMBERS else r".+?"


def _resolved(slot: str, said: str, state: State) -> Any:
    if slot in _NUMBERS:
        return int(said.removeprefix("e").removeprefix("E"))
    if slot in _FIXED:
        return _meant(said, {word: (word, word.replace("-", " ")) for word in _FIXED[slot]})
    if slot in ("player", "controller"):
        return _player(said, state)
    if slot == "active":
        return [_player(name, state) for name in _names(said)]
    if slot == "permanent":
        return _permanent(said, state)
    if slot == "permanents":
        return [_permanent(name, state) for name in _names(said)]
    return said


def _names(said: str) -> list[str]:
    return [name for name in re.split(r" and |, ?|/", said) if name]


def _player(said: str, state: State) -> str:
    return _meant(said, {player: (player,) for player in state.players})


def _permanent(said: str, state: State) -> str:
    backs = state.possibilities[0].backs
    named = {
        status.id: (status.id, *(() if status.face_down else (status.permanent.card, status.name(backs))))
        for status in state.battlefield
    }
    return _meant(said, named)


def _meant(said: str, named: dict[str, tuple[str, ...]]) -> str:
    """The one of these that goes by this name, or alone has a name, or a word of one, that begins so."""
    asked = said.casefold()
    if said in named:
        return said
    fits: tuple[Callable[[str], bool], ...] = (
        lambda name: name == asked,
        lambda name: name.startswith(asked),
        lambda name: any(word.startswith(asked) for word in name.split()),
    )
    for fit in fits:
        found = [key for key, names in named.items() if any(fit(name.casefold()) for name in names)]
        if len(found) == 1:
            return found[0]
        if found:
            raise PhraseError(
                _("{name} may be {names}; write more of it").format(name=repr(said), names=_either(found))
            )
    there = _either(named) if named else _("none")
    near = get_close_matches(said, [name for names in named.values() for name in names], n=1)
    hint = " " + _("(did you mean {name}?)").format(name=near[0]) if near else ""
    raise PhraseError(_("no {name} here; there: {names}").format(name=repr(said), names=there) + hint)


def _either(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:20]) + (", ..." if len(shown) > 20 else "")


def _not_understood(words: str) -> PhraseError:
    near = _nearest(words)
    hint = (
        _("write B casts Opt, turn 5 A, untap, it becomes night and the like.")
        if near is None
        else _("did you mean {phrase}?").format(phrase=near)
    )
    return PhraseError(
        _("{text} is not understood; {hint} Or give the event as JSON").format(text=repr(words), hint=hint)
    )


def _nearest(words: str) -> str | None:
    """The template whose own words are most like some of these, if any is like them."""

    def likeness(template: str) -> float:
        own = [word for word in re.sub(r"\{\w+\}|[\[\]]", "", template).split() if len(word) > 1]
        return sum(
            max((SequenceMatcher(None, word, said.casefold()).ratio() for said in words.split()), default=0.0)
            for word in own
        ) / max(len(own), 1)

    best = max((template for template, _make in PHRASES), key=likeness)
    return best if likeness(best) > _LIKE else None
