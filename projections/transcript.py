"""The transcript: the game told as a person would tell it, event by event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec.structs import replace

from daynight.events import actions, claims, disputes, rulings
from daynight.events.consequences import Consequence, Triggered
from daynight.events.permanents import Permanent
from daynight.events.terms import Designation, Face
from daynight.events.vocabulary import Event, OfTheRecord
from daynight.framework.history import Moment
from daynight.framework.language.grammar import semicolons
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections import sentences

Cited: TypeAlias = Callable[[str, str], str]
"""Puts the number of a rule behind a sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event told: its number, what it set off, and whether it was undone by backing up later.

    `named` are the permanents that it names, by their ids; `line_of` finds them. What belongs to a dispute is of the
    record: it never is undone. The sentences are made as they are asked for, in the language spoken then.
    """

    number: int
    event: Event
    named: Mapping[str, Permanent] = field(default_factory=dict)
    followed: tuple[Consequence, ...] = ()
    undone: bool = False
    cited: Cited = field(default=lambda sentence, rule: sentence, repr=False)

    @property
    def sentence(self) -> str:
        """What was written down."""
        return event_sentence(self.event, self.named, self.number)

    @property
    def consequences(self) -> tuple[str, ...]:
        """What followed, a sentence each."""
        return tuple(self.cited(sentences.consequence_sentence(one, self.named), one.rule) for one in self.followed)

    @property
    def note(self) -> str | None:
        """What somebody noted on it."""
        return self.event.note

    @property
    def heading(self) -> bool:
        """Whether a turn, or the game, begins here."""
        return isinstance(self.event, (actions.GameStarted, actions.TurnBegan, actions.GameRestarted))


def told(
    moments: Iterable[Moment[Event, Consequence]],
    *,
    number: Cited = lambda sentence, rule: sentence,
    stands: Callable[[int], bool] = lambda number: True,
) -> Iterator[Line]:
    """Tell moments one by one.

    `number(sentence, rule)` puts a rule's number behind its sentence; `stands(n)` says whether event n still stands.
    """
    permanents: dict[str, Permanent] = {}
    # What each arrival took the place of, and how many there were after each event: backed up, they are taken back.
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
    """A line for an event; of the `permanents` that entered it keeps those that it names."""
    ids = [id for told in (event, *followed) for id in ids_of(told)]
    return Line(number, event, {id: permanents[id] for id in ids if id in permanents}, followed, undone, cited)


_OF_PERMANENTS = ("permanents", "phased_in", "phased_out", "stays_out")


def ids_of(told: Event | Consequence) -> Iterator[str]:
    """The permanents that an event or a consequence names; not those that enter, which it has with all they are."""
    if isinstance(told, (claims.FaceClaimed, Triggered)):
        yield told.permanent
    elif not isinstance(told, (actions.PermanentsEntered, actions.GameJoined)):
        for name in _OF_PERMANENTS:
            yield from getattr(told, name, ())


def event_sentence(event: Event, permanents: Mapping[str, Permanent], number: int | None = None) -> str:
    """One sentence for what was written down; `permanents` has those that entered, by their ids.

    With its `number`, an event that is about the one before says which that is.
    """
    if isinstance(event, disputes.DisputeOpened | disputes.NoteAdded) and event.about is None and number is not None:
        event = replace(event, about=number - 1)
    teller = _TELLERS.get(type(event))
    if teller is not None:
        return teller(event, permanents)
    words = {name: getattr(event, name) for name in event.__struct_fields__}
    words["names"] = sentences.names(words.get("permanents", ()), permanents)
    return _SENTENCES[type(event)]().format(**words)


_Permanents = Mapping[str, Permanent]


def _started(event: actions.GameStarted, permanents: _Permanents) -> str:
    if event.teams is None:
        return _("{game} begins: {players}").format(game=event.game, players=sentences.listed(event.players))
    teams = _(" against ").join(sentences.listed(team) for team in event.teams)
    return _("{game} begins: {teams}, sharing their turns").format(game=event.game, teams=teams)


def _joined(event: actions.GameJoined, permanents: _Permanents) -> str:
    possible = sentences.either_word(map(Designation, event.possible))
    sentence = _("the record takes the game up midway; it was {possible}").format(possible=possible)
    if not event.permanents:
        return sentence
    there = sentences.listed([f"{card_word(permanent.card)} ({permanent.id})" for permanent in event.permanents])
    return _("{sentence}; on the battlefield: {names}").format(sentence=sentence, names=there)


def _turn(event: actions.TurnBegan, permanents: _Permanents) -> str:
    sentence = _("turn {turn}: {players}").format(turn=event.turn, players=sentences.listed(event.active))
    if not event.skips:
        return sentence
    told = _("{sentence}; skipped: {steps}")
    return told.format(sentence=sentence, steps=sentences.listed([*map(sentences.step_word, event.skips)]))


def _step(event: actions.StepBegan, permanents: _Permanents) -> str:
    parts = [sentences.step_word(event.step)]
    if event.phased_in:
        parts.append(_("{names}: phased in").format(names=sentences.names(event.phased_in, permanents)))
    if event.phased_out:
        parts.append(_("{names}: phased out").format(names=sentences.names(event.phased_out, permanents)))
    if event.stays_out:
        parts.append(_("{names}: stays phased out").format(names=sentences.names(event.stays_out, permanents)))
    return semicolons(parts)


def _player_left(event: actions.PlayerLeft, permanents: _Permanents) -> str:
    if not event.permanents:
        return _("{player} leaves the game").format(player=event.player)
    sentence = _("{player} leaves the game, and with them {names}")
    return sentence.format(player=event.player, names=sentences.names(event.permanents, permanents))


def _note(event: disputes.NoteAdded, permanents: _Permanents) -> str:
    if event.about is None:
        return _("{by} notes: {says}").format(by=event.by, says=event.says)
    return _("{by} notes on event {about}: {says}").format(by=event.by, about=event.about, says=event.says)


def _cast(event: actions.SpellCast, permanents: _Permanents) -> str:
    if event.card is None:
        return _("{player} casts a spell").format(player=event.player)
    return _("{player} casts {card}").format(player=event.player, card=card_word(event.card))


def _copied(event: actions.SpellCopied, permanents: _Permanents) -> str:
    sentence = _("{player} copies {card}; a copy is not cast")
    return sentence.format(player=event.player, card=card_word(event.card) if event.card else _("a spell"))


def _uncertain(event: actions.SpellsUncertain, permanents: _Permanents) -> str:
    if event.at_least == event.at_most:
        sentence = counted(
            "{player} cast exactly {n} more spell", "{player} cast exactly {n} more spells", event.at_least
        )
        return sentence.format(player=event.player, n=event.at_least)
    if event.at_most is None and event.at_least == 0:
        return _("{player} perhaps cast more spells, nobody knows how many").format(player=event.player)
    if event.at_most is None:
        return counted(
            "{player} cast at least {n} more spell", "{player} cast at least {n} more spells", event.at_least
        ).format(player=event.player, n=event.at_least)
    if event.at_least == 0:
        return counted(
            "{player} perhaps cast {n} more spell", "{player} perhaps cast up to {n} more spells", event.at_most
        ).format(player=event.player, n=event.at_most)
    sentence = _("{player} cast {least} to {most} more spells")
    return sentence.format(player=event.player, least=event.at_least, most=event.at_most)


def _entered(event: actions.PermanentsEntered, permanents: _Permanents) -> str:
    who = sentences.listed([f"{card_word(permanent.card)} ({permanent.id})" for permanent in event.permanents])
    sentence = counted("{names} enters the battlefield", "{names} enter the battlefield", len(event.permanents))
    return sentence.format(names=who)


def _left(event: actions.PermanentsLeft, permanents: _Permanents) -> str:
    told = counted("{names} leaves the battlefield", "{names} leave the battlefield", len(event.permanents))
    sentence = told.format(names=sentences.names(event.permanents, permanents))
    return sentence if event.to is None else _("{sentence} ({to})").format(sentence=sentence, to=event.to)


def _instructed(event: actions.TransformInstructed, permanents: _Permanents) -> str:
    who = sentences.names(event.permanents, permanents)
    if event.source is None:
        return _("{names}: told to transform").format(names=who)
    return _("{names}: told to transform by {source}").format(names=who, source=event.source)


def _effect(event: actions.EffectResolved, permanents: _Permanents) -> str:
    sentence = {
        "day": _("an effect makes it day"),
        "night": _("an effect makes it night"),
        "switch": _("an effect makes it day if it is night, and night otherwise"),
    }[event.becomes]
    if event.only_if is Designation.NEITHER:
        sentence = _("{sentence}, if it is neither day nor night").format(sentence=sentence)
    elif event.only_if is not None:
        told = _("{sentence}, if it is {condition}")
        sentence = told.format(sentence=sentence, condition=sentences.designation_word(event.only_if))
    return (
        sentence if event.source is None else _("{source}: {sentence}").format(source=event.source, sentence=sentence)
    )


def _ended(event: actions.GameEnded, permanents: _Permanents) -> str:
    if event.winner:
        return _("the game ends; won by {winner}").format(winner=sentences.listed(event.winner))
    return _("the game ends")


def _tally(event: claims.TallyClaimed, permanents: _Permanents) -> str:
    spells = counted("{n} spell", "{n} spells", event.spells).format(n=event.spells)
    if event.turn is None:
        sentence = _("{by} says: {player} has cast {spells} this turn")
        return sentence.format(by=event.by, player=event.player, spells=spells)
    sentence = _("{by} says: {player} cast {spells} in turn {turn}")
    return sentence.format(by=event.by, player=event.player, spells=spells, turn=event.turn)


def _opened(event: disputes.DisputeOpened, permanents: _Permanents) -> str:
    if event.about is None:
        sentence = _("{by} calls a judge: dispute {dispute}, about what is before")
        return sentence.format(by=event.by, dispute=event.dispute)
    sentence = _("{by} calls a judge: dispute {dispute}, about event {about}")
    return sentence.format(by=event.by, dispute=event.dispute, about=event.about)


def _claimed(event: disputes.DisputeClaimed, permanents: _Permanents) -> str:
    if event.designation is None:
        return _("{by} says in dispute {dispute}: {says}").format(by=event.by, dispute=event.dispute, says=event.says)
    sentence = (
        _("{by} says in dispute {dispute}: it is {designation}; {says}")
        if event.says
        else _("{by} says in dispute {dispute}: it is {designation}")
    )
    return sentence.format(
        by=event.by, dispute=event.dispute, designation=sentences.designation_word(event.designation), says=event.says
    )


def _ruled(event: disputes.DisputeRuled, permanents: _Permanents) -> str:
    if event.to is not None:
        sentence = _("{by} rules in dispute {dispute}: back up to event {to}")
    elif event.designation is not None:
        sentence = _("{by} rules in dispute {dispute}: fix it, it is {designation}")
    else:
        sentence = _("{by} rules in dispute {dispute}: {outcome}")
    told = sentence.format(
        by=event.by,
        dispute=event.dispute,
        to=event.to,
        designation=sentences.designation_word(None if event.designation is None else Designation(event.designation)),
        outcome=sentences.outcome_word(event.outcome),
    )
    return _("{sentence} ({says})").format(sentence=told, says=event.says) if event.says else told


_TELLERS: dict[type, Callable[[Any, _Permanents], str]] = {
    actions.GameStarted: _started,
    actions.GameJoined: _joined,
    actions.TurnBegan: _turn,
    actions.StepBegan: _step,
    actions.PlayerLeft: _player_left,
    actions.SpellCast: _cast,
    actions.SpellCopied: _copied,
    actions.SpellsUncertain: _uncertain,
    actions.PermanentsEntered: _entered,
    actions.PermanentsLeft: _left,
    actions.BecameCopy: lambda event, permanents: _("{names}: now a copy of {card}").format(
        names=sentences.names(event.permanents, permanents),
        card=card_word(event.front.name) if event.front.name else _("something"),
    ),
    actions.TransformInstructed: _instructed,
    actions.EffectResolved: _effect,
    actions.GameEnded: _ended,
    claims.DesignationClaimed: lambda event, _permanents: _("{by} says: it is {designation}").format(
        by=event.by, designation=sentences.designation_word(event.designation)
    ),
    claims.FaceClaimed: lambda event, permanents: _("{by} says: {names} shows its {face}").format(
        by=event.by, names=sentences.names((event.permanent,), permanents), face=sentences.face_word(Face(event.face))
    ),
    claims.TallyClaimed: _tally,
    rulings.JudgeRuled: lambda event, _permanents: _("{by} rules: it is {designation}").format(
        by=event.by, designation=sentences.designation_word(Designation(event.designation))
    ),
    disputes.NoteAdded: _note,
    disputes.DisputeOpened: _opened,
    disputes.DisputeClaimed: _claimed,
    disputes.DisputeRuled: _ruled,
    disputes.DisputeClosed: lambda event, _permanents: _("{by} closes dispute {dispute}: {outcome}").format(
        by=event.by, dispute=event.dispute, outcome=sentences.outcome_word(event.outcome)
    ),
}

# Where a sentence needs no more than the event's own words, and `names` for the permanents it is about.
_SENTENCES: dict[type, Callable[[], str]] = {
    actions.ControlChanged: lambda: _("{controller} gains control of {names}"),
    actions.AbilitiesLost: lambda: _("{names}: all abilities lost"),
    actions.AbilitiesRegained: lambda: _("{names}: abilities regained"),
    actions.CopyEnded: lambda: _("{names}: no copy any more"),
    actions.TurnedFaceDown: lambda: _("{names}: turned face down"),
    actions.TurnedFaceUp: lambda: _("{names}: turned face up"),
    actions.PhasedOut: lambda: _("{names}: phased out"),
    actions.PhasedIn: lambda: _("{names}: phased in"),
    actions.TransformForbidden: lambda: _("{source}: {names} can't transform"),
    actions.TransformAllowed: lambda: _("{source} no longer keeps anything from transforming"),
    actions.GameRestarted: lambda: _("the game restarts"),
    rulings.GameBackedUp: lambda: _("{by} backs the game up to event {to}"),
    disputes.DisputeAppealed: lambda: _("{by} appeals the ruling in dispute {dispute}"),
}
