"""Tells a game event by event, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from msgspec.structs import replace

from daynight.events import Designation, Event, OfTheRecord, Permanent, actions, claims, disputes, rulings
from daynight.events.consequences import Consequence, Triggered
from daynight.framework.folding.moment import Moment
from daynight.framework.language.grammar import semicolons
from daynight.framework.language.happening import Unmarked
from daynight.framework.language.wording import _, card_word, counted
from daynight.speech import sentences

Cited: TypeAlias = Callable[[str, str], str]
"""Takes a sentence and the key of a rule, and returns the sentence with the number of that rule."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event of the transcript: its number, its consequences, and whether a later back-up undid it.

    `named` are the permanents that the event and its consequences name, by their ids. `cited` adds the number of its
    rule to the sentence of a consequence. Events about the record (disputes, notes) are never undone. A sentence is
    made on access, in the reader's language at that time.
    """

    number: int
    event: Event
    named: Mapping[str, Permanent] = field(default_factory=dict)
    followed: tuple[Consequence, ...] = ()
    undone: bool = False
    cited: Cited = field(default=lambda sentence, rule: sentence, repr=False)

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return event_sentence(self.event, self.named, self.number)

    @property
    def consequences(self) -> tuple[str, ...]:
        """The consequences, a sentence each."""
        return tuple([self.cited(sentences.consequence_sentence(one, self.named), one.rule) for one in self.followed])

    @property
    def note(self) -> str | None:
        """The text in the event's own field `note`; None if it has none."""
        return self.event.note

    @property
    def heading(self) -> bool:
        """Whether a turn, or the game, begins with this event."""
        return isinstance(self.event, (actions.GameStarted, actions.TurnBegan, actions.GameRestarted))


def told(
    moments: Iterable[Moment[Event, Consequence]],
    *,
    number: Cited = lambda sentence, rule: sentence,
    stands: Callable[[int], bool] = lambda number: True,
) -> Iterator[Line]:
    """Yield a line for each moment.

    `number(sentence, rule)` adds the number of `rule` to the sentence of a consequence; `stands(n)` returns False if
    event n was undone.
    """
    permanents: dict[str, Permanent] = {}
    # What each arrival replaced, and how many arrivals there were after each event: a back-up undoes arrivals.
    replaced: list[tuple[str, Permanent | None]] = []
    arrivals = [0]
    for moment in moments:
        event = moment.event
        if moment.restores is not None:
            for id, before in reversed(replaced[arrivals[moment.restores] :]):
                if before is None:
                    del permanents[id]
                else:
                    permanents[id] = before
            del replaced[arrivals[moment.restores] :]
        if isinstance(event, (actions.PermanentsEntered, actions.GameJoined)):
            for permanent in event.permanents:
                replaced.append((permanent.id, permanents.get(permanent.id)))
                permanents[permanent.id] = permanent
        arrivals.append(len(replaced))
        undone = not (isinstance(event, OfTheRecord) or stands(moment.number))
        yield line_of(moment.number, event, permanents, moment.consequences, undone=undone, cited=number)


def line_of(
    number: int,
    event: Event,
    permanents: Mapping[str, Permanent],
    followed: tuple[Consequence, ...] = (),
    *,
    undone: bool = False,
    cited: Cited = lambda sentence, rule: sentence,
) -> Line:
    """Make the line of an event; `followed` are its consequences.

    Of `permanents`, those that entered so far, the line keeps those that the event or a consequence names.
    """
    ids = ids_of(event)
    for consequence in followed:
        ids += ids_of(consequence)
    return Line(number, event, {id: permanents[id] for id in ids if id in permanents}, followed, undone, cited)


_OF_PERMANENTS = ("permanents", "phased_in", "phased_out", "stays_out")


def ids_of(told: Event | Consequence) -> list[str]:
    """Return the ids of permanents that an event or consequence names; [] if the event itself brings them."""
    if isinstance(told, (claims.FaceClaimed, Triggered)):
        return [told.permanent]
    return [id for name in _of_permanents(type(told)) for id in getattr(told, name)]


@cache
def _of_permanents(kind: type[Event] | type[Consequence]) -> tuple[str, ...]:
    """Return the names of the fields in which an event or consequence type has lists of ids of permanents."""
    arrives = kind in (actions.PermanentsEntered, actions.GameJoined)
    return tuple([name for name in _OF_PERMANENTS if name in kind.__struct_fields__ and not arrives])


def event_sentence(event: Event, permanents: Mapping[str, Permanent], number: int | None = None) -> str:
    """Describe an event in one sentence.

    `permanents` has the permanents that entered, by their ids. If the event's `number` is given, the sentence of a note
    or an opened dispute without `about` names the event before.
    """
    if number is not None and isinstance(event, (disputes.DisputeOpened, disputes.NoteAdded)) and event.about is None:
        event = replace(event, about=number - 1)
    kind = type(event)
    fields, worded = _parts(kind)
    words: _Words = {name: getattr(event, name) for name in fields}
    for name, word in worded:
        if words[name] is not None:
            words[name] = word(words[name])
    for name in _of_permanents(kind):
        words[name] = sentences.names(words[name], permanents) if words[name] else ""
    if kind is claims.FaceClaimed:
        words["permanents"] = sentences.names(ids_of(event), permanents)
    words["names"] = words.get("permanents")
    return _SENTENCES[kind](event, words).format(**words)


_Words = dict[str, Any]
"""The values for the placeholders of a sentence, by the placeholders' names."""

_WORDS: dict[str, Callable[[Any], str]] = {
    "card": card_word,
    "designation": sentences.designation_word,
    "face": sentences.face_word,
    "outcome": sentences.outcome_word,
    "players": sentences.listed,
    "step": sentences.step_word,
    "winner": sentences.listed,
}
"""For names of event fields, the function that puts the value into words; other values are used as they are."""


@cache
def _parts(kind: type[Event]) -> tuple[tuple[str, ...], list[tuple[str, Callable[[Any], str]]]]:
    """Return the names of an event type's fields, and pairs of name and function for those that `_WORDS` has."""
    fields = tuple(name for name in kind.__struct_fields__ if name not in Unmarked.__struct_fields__)
    return fields, [(name, _WORDS[name]) for name in fields if name in _WORDS]


# Each returns a sentence with names in braces, and adds the words for names that are no field of the event.


def _within(outer: str, inner: str) -> str:
    """Return `outer` with `inner` in place of `{sentence}`."""
    return outer.replace("{sentence}", inner)


def _started(event: actions.GameStarted, words: _Words) -> str:
    if event.teams is None:
        return _("{game} begins: {players}")
    words["teams"] = _(" against ").join(sentences.listed(team) for team in event.teams)
    return _("{game} begins: {teams}, sharing their turns")


def _with_ids(arrived: Iterable[Permanent]) -> str:
    return sentences.listed([f"{card_word(one.card)} ({one.id})" for one in arrived])


def _joined(event: actions.GameJoined, words: _Words) -> str:
    words["possible"] = sentences.either_word(map(Designation, event.possible))
    words["names"] = _with_ids(event.permanents)
    sentence = _("the record takes the game up midway; it was {possible}")
    return _within(_("{sentence}; on the battlefield: {names}"), sentence) if event.permanents else sentence


def _turn(event: actions.TurnBegan, words: _Words) -> str:
    words["players"] = sentences.listed(event.active)
    sentence = _("turn {turn}: {players}")
    if not event.skips:
        return sentence
    words["steps"] = sentences.listed([*map(sentences.step_word, event.skips)])
    return _within(_("{sentence}; skipped: {steps}"), sentence)


def _step(event: actions.StepBegan, words: _Words) -> str:
    parts = ["{step}"]
    if event.phased_in:
        parts.append(_("{names}: phased in").replace("{names}", "{phased_in}"))
    if event.phased_out:
        parts.append(_("{names}: phased out").replace("{names}", "{phased_out}"))
    if event.stays_out:
        parts.append(_("{names}: stays phased out").replace("{names}", "{stays_out}"))
    return semicolons(parts)


def _entered(event: actions.PermanentsEntered, words: _Words) -> str:
    words["names"] = _with_ids(event.permanents)
    return counted("{names} enters the battlefield", "{names} enter the battlefield", len(event.permanents))


def _uncertain(event: actions.SpellsUncertain, words: _Words) -> str:
    least, most = event.at_least, event.at_most
    words |= {"least": least, "most": most, "n": least or most}
    if least == most:
        return counted("{player} cast exactly {n} more spell", "{player} cast exactly {n} more spells", least)
    if most is None and least == 0:
        return _("{player} perhaps cast more spells, nobody knows how many")
    if most is None:
        return counted("{player} cast at least {n} more spell", "{player} cast at least {n} more spells", least)
    if least == 0:
        return counted("{player} perhaps cast {n} more spell", "{player} perhaps cast up to {n} more spells", most)
    return _("{player} cast {least} to {most} more spells")


def _copied(event: actions.SpellCopied, words: _Words) -> str:
    words["card"] = words["card"] or _("a spell")
    return _("{player} copies {card}; a copy is not cast")


def _left(event: actions.PermanentsLeft, words: _Words) -> str:
    sentence = counted("{names} leaves the battlefield", "{names} leave the battlefield", len(event.permanents))
    if event.to is None:
        return sentence
    words["to"] = _zone(event.to)
    return _within(_("{sentence} ({to})"), sentence)


def _zone(name: str) -> str:
    """Return the name of a zone in the reader's language; a name that is none of the rules' stays as it is."""
    zones = {"graveyard": _("graveyard"), "exile": _("exile"), "hand": _("hand"), "library": _("library")}
    return zones.get(name, name)


def _copy(event: actions.BecameCopy, words: _Words) -> str:
    words["card"] = card_word(event.front.name) if event.front.name else _("something")
    return _("{names}: now a copy of {card}")


def _effect(event: actions.EffectResolved, words: _Words) -> str:
    sentence = {
        "day": _("an effect makes it day"),
        "night": _("an effect makes it night"),
        "switch": _("an effect makes it day if it is night, and night otherwise"),
    }[event.becomes]
    if event.only_if is Designation.NEITHER:
        sentence = _within(_("{sentence}, if it is neither day nor night"), sentence)
    elif event.only_if is not None:
        words["condition"] = sentences.designation_word(event.only_if)
        sentence = _within(_("{sentence}, if it is {condition}"), sentence)
    return sentence if event.source is None else _within(_("{source}: {sentence}"), sentence)


def _tally(event: claims.TallyClaimed, words: _Words) -> str:
    words["spells"] = counted("{n} spell", "{n} spells", event.spells)
    if event.turn is None:
        return _("{by} says: {player} has cast {spells} this turn")
    return _("{by} says: {player} cast {spells} in turn {turn}")


def _claimed(event: disputes.DisputeClaimed, words: _Words) -> str:
    if event.designation is None:
        return _("{by} says in dispute {dispute}: {says}")
    if event.says:
        return _("{by} says in dispute {dispute}: it is {designation}; {says}")
    return _("{by} says in dispute {dispute}: it is {designation}")


def _ruled(event: disputes.DisputeRuled, words: _Words) -> str:
    sentence = _("{by} rules in dispute {dispute}: {outcome}")
    if event.to is not None:
        sentence = _("{by} rules in dispute {dispute}: back up to event {to}")
    elif event.designation is not None:
        sentence = _("{by} rules in dispute {dispute}: fix it, it is {designation}")
    return _within(_("{sentence} ({says})"), sentence) if event.says else sentence


_SENTENCES: dict[type, Callable[[Any, _Words], str]] = {
    actions.GameStarted: _started,
    actions.GameJoined: _joined,
    actions.TurnBegan: _turn,
    actions.StepBegan: _step,
    actions.PlayerLeft: lambda event, words: (
        _("{player} leaves the game, and with them {names}") if event.permanents else _("{player} leaves the game")
    ),
    actions.SpellCast: lambda event, words: _("{player} casts {card}") if event.card else _("{player} casts a spell"),
    actions.SpellCopied: _copied,
    actions.SpellsUncertain: _uncertain,
    actions.PermanentsEntered: _entered,
    actions.PermanentsLeft: _left,
    actions.BecameCopy: _copy,
    actions.TransformInstructed: lambda event, words: (
        _("{names}: told to transform by {source}") if event.source else _("{names}: told to transform")
    ),
    actions.EffectResolved: _effect,
    actions.GameEnded: lambda event, words: _("the game ends; won by {winner}") if event.winner else _("the game ends"),
    claims.DesignationClaimed: lambda event, words: _("{by} says: it is {designation}"),
    claims.FaceClaimed: lambda event, words: _("{by} says: {names} shows its {face}"),
    claims.TallyClaimed: _tally,
    rulings.JudgeRuled: lambda event, words: _("{by} rules: it is {designation}"),
    disputes.NoteAdded: lambda event, words: (
        _("{by} notes on event {about}: {says}") if event.about else _("{by} notes: {says}")
    ),
    disputes.DisputeOpened: lambda event, words: (
        _("{by} calls a judge: dispute {dispute}, about event {about}")
        if event.about
        else _("{by} calls a judge: dispute {dispute}, about what is before")
    ),
    disputes.DisputeClaimed: _claimed,
    disputes.DisputeRuled: _ruled,
    disputes.DisputeClosed: lambda event, words: _("{by} closes dispute {dispute}: {outcome}"),
    actions.ControlChanged: lambda event, words: _("{controller} gains control of {names}"),
    actions.AbilitiesLost: lambda event, words: _("{names}: all abilities lost"),
    actions.AbilitiesRegained: lambda event, words: _("{names}: abilities regained"),
    actions.CopyEnded: lambda event, words: _("{names}: no copy any more"),
    actions.TurnedFaceDown: lambda event, words: _("{names}: turned face down"),
    actions.TurnedFaceUp: lambda event, words: _("{names}: turned face up"),
    actions.PhasedOut: lambda event, words: _("{names}: phased out"),
    actions.PhasedIn: lambda event, words: _("{names}: phased in"),
    actions.TransformForbidden: lambda event, words: _("{source}: {names} can't transform"),
    actions.TransformAllowed: lambda event, words: _("{source} no longer keeps anything from transforming"),
    actions.GameRestarted: lambda event, words: _("the game restarts"),
    rulings.GameBackedUp: lambda event, words: (
        _("{by} backs the game up to event {to}")
        if not event.corrects
        else _("{by} puts right what was written after event {to}")
    ),
    disputes.DisputeAppealed: lambda event, words: _("{by} appeals the ruling in dispute {dispute}"),
}
