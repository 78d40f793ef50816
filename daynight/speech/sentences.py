"""Puts consequences, designations and numbers into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from daynight.events import Designation, Face, Outcome, Permanent
from daynight.events.consequences import (
    Changed,
    Consequence,
    EnteredTransformed,
    PhasedBack,
    PutOnStack,
    Refused,
    Restored,
    Transformed,
    Triggered,
)
from daynight.framework.language.grammar import commas, labelled
from daynight.framework.language.wording import _, card_word, counted

_TOLD = 3
"""The most casts of other players that a sentence lists one by one."""


def designation_word(designation: Designation | None) -> str:
    """Return the word for neither, day or night in the reader's language; None: not certain."""
    return _DESIGNATIONS[designation]()


# Each word is translated only when it is asked for.
_DESIGNATIONS: Mapping[Designation | None, Callable[[], str]] = {
    None: lambda: _("uncertain"),
    Designation.NEITHER: lambda: _("neither day nor night"),
    Designation.DAY: lambda: _("day"),
    Designation.NIGHT: lambda: _("night"),
}


def either_word(possible: Iterable[Designation | None]) -> str:
    """Name the possible designations: `day or night`, `day, or neither day nor night`."""
    all_words = {designation: designation_word(designation) for designation in possible}
    words = [word for designation, word in all_words.items() if designation is not Designation.NEITHER]
    if len(words) == len(all_words) or not words:
        return _(" or ").join(all_words.values())
    return _("{designations}, or neither day nor night").format(designations=_(" or ").join(words))


def state_clause(possible: Sequence[Designation]) -> str:
    """Say the possible designations as a clause: `it is night`, `it may be day, or still neither day nor night`."""
    words = _(" or ").join([designation_word(one) for one in possible if one is not Designation.NEITHER])
    if len(possible) == 1:
        return _("it is {designation}").format(designation=words) if words else _("it is neither day nor night")
    if Designation.NEITHER in possible:
        return _("it may be {designation}, or still neither day nor night").format(designation=words)
    return _("it may be {designation}").format(designation=words)


def either(ways: Sequence[str]) -> str:
    """Say that one of several clauses is true: `either from the beginning, or since event 3: an effect made it so`."""
    return _("either {ways}").format(ways=_(", or ").join(ways))


def uncounted_sentence(casts: Sequence[tuple[int, str, str | None]], players: Sequence[str]) -> str:
    """Say that casts by other players in these players' turn do not count. A cast is event, player and card."""
    told = [
        (_("{player}'s spell (e{event})") if card is None else _("{player}'s {card} (e{event})")).format(
            player=player, card=card and card_word(card), event=event
        )
        for event, player, card in casts[:_TOLD]
    ]
    if len(casts) > _TOLD:
        more = len(casts) - _TOLD
        told.append(counted("{n} more spell", "{n} more spells", more))
    return counted(
        "{casts} was cast in {players}'s turn and does not count.",
        "{casts} were cast in {players}'s turn and do not count.",
        len(casts),
    ).format(casts=listed(told), players=listed(players))


def count_word(least: int, most: int | None) -> str:
    """Return a number of spells, or its bounds, in words; `most` is None: no upper bound."""
    if most is None:
        return _("{n} or more").format(n=least)
    return str(least) if least == most else f"{least}-{most}"


def spells_word(least: int, most: int | None) -> str:
    """Say how many spells there are, or their bounds; `most` is None: no upper bound.

    A range has the plural form of its upper number; without an upper bound, the form is that of the lower one.
    """
    if most is None:
        return counted("{n} or more spells", "{n} or more spells", least)
    if least == most:
        return counted("{n} spell", "{n} spells", least)
    return counted("{least}-{most} spells", "{least}-{most} spells", most).format(least=least, most=most)


def face_word(face: Face | None) -> str:
    """Return front face or back face in the reader's language; None: not certain."""
    return {None: _("uncertain"), Face.FRONT: _("front face"), Face.BACK: _("back face")}[face]


def keyword_word(keyword: str) -> str:
    """Return daybound or nightbound in the reader's language."""
    return {"daybound": _("daybound"), "nightbound": _("nightbound")}[keyword]


def step_word(step: str | None) -> str:
    """Return a step's name in the reader's language; None: the turn's beginning."""
    return _STEPS[step]()


_STEPS: Mapping[str | None, Callable[[], str]] = {
    None: lambda: _("beginning"),
    "untap": lambda: _("untap step"),
    "upkeep": lambda: _("upkeep"),
    "draw": lambda: _("draw step"),
    "precombat-main": lambda: _("precombat main phase"),
    "beginning-of-combat": lambda: _("beginning of combat"),
    "declare-attackers": lambda: _("declare attackers step"),
    "declare-blockers": lambda: _("declare blockers step"),
    "combat-damage": lambda: _("combat damage step"),
    "end-of-combat": lambda: _("end of combat"),
    "postcombat-main": lambda: _("postcombat main phase"),
    "end": lambda: _("end step"),
    "cleanup": lambda: _("cleanup step"),
}


def outcome_word(outcome: Outcome | None) -> str:
    """Say what a ruling does to the game; None: nothing was ruled."""
    return {
        None: _("no ruling"),
        "leave": _("leave the game as it is"),
        "fix": _("fix the game where it stands"),
        "back-up": _("back the game up"),
    }[outcome]


def listed(words: Sequence[str]) -> str:
    """Join words: `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=commas(words[:-1]), last=words[-1])


class Seated(Protocol):
    """The fields of a first event, or of a state, that say who plays against whom."""

    @property
    def players(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def teams(self) -> tuple[tuple[str, ...], ...] | None: ...  # noqa: D102


def against(game: Seated) -> str:
    """Say who plays against whom."""
    return _(" against ").join(map(listed, game.teams or [(player,) for player in game.players]))


def occasion(game: Seated, at: str | None, recorder: str | None) -> str:
    """Say when a game was played (`at`), and who plays; if the `recorder` does, only the opponents are named."""
    opponents = [player for player in game.players if player != recorder] if recorder in game.players else []
    when = [] if at is None else [at[:16].replace("T", " ") + (" UTC" if at.endswith("Z") else "")]
    who = _("against {players}").format(players=commas(opponents)) if opponents else against(game)
    return " · ".join([*when, who])


def numbers_line(turns: int, events: int, edition: str) -> str:
    """Return `24 turns · 310 events · rules: CR 2024-06-07`: the length of a game, and its edition of the rules."""
    rules = _("rules: CR {edition}").format(edition=edition)
    return " · ".join([counted("{n} turn", "{n} turns", turns), counted("{n} event", "{n} events", events), rules])


def reason(change: Changed) -> str:
    """Say why the designation changed, as a clause: `Ben, active in turn 20, cast no spell in it`."""
    players = listed(change.players)
    if change.rule == "check-day":
        if change.checked_turn is None:
            return _("no spell was cast by the active player of the turn before the record")
        return counted(
            "{players}, active in turn {turn}, cast no spell in it",
            "none of {players}, active in turn {turn}, cast a spell in it",
            len(change.players),
        ).format(players=players, turn=change.checked_turn)
    if change.rule == "check-night":
        if change.checked_turn is None:
            return _("two or more spells were cast by the active player of the turn before the record")
        return counted(
            "{players}, active in turn {turn}, cast two or more spells in it",
            "one of {players}, active in turn {turn}, cast two or more spells in it",
            len(change.players),
        ).format(players=players, turn=change.checked_turn)
    return _REASONS[change.rule]()


_REASONS: Mapping[str, Callable[[], str]] = {
    "daybound-starts-day": lambda: _("it was neither day nor night, and a permanent had daybound"),
    "nightbound-starts-night": lambda: _(
        "it was neither day nor night, a permanent had nightbound and none had daybound"
    ),
    "day-if-neither": lambda: _("it was neither day nor night as a permanent entered that makes it day then"),
    "becomes": lambda: _("an effect made it so"),
    "judge": lambda: _("a judge ruled so"),
    "assumed": lambda: _("it is assumed to have been so; the record does not say it"),
}


def since_sentence(change: Changed) -> str:
    """Say the designation, since when, and why, without a full stop, because a rule's number may follow."""
    designation = designation_word(change.became)
    sentence = _("It has been {designation} since event {event}, turn {turn}: {reason}")
    if change.turn == 0:
        sentence = _("It has been {designation} since event {event}: {reason}")
    return sentence.format(designation=designation, event=change.event, turn=change.turn, reason=reason(change))


def way_sentence(change: Changed) -> str:
    """Say when and why the designation may have become so, as one reason among others."""
    if change.turn == 0:
        return _("since event {event}: {reason}").format(event=change.event, reason=reason(change))
    sentence = _("since event {event}, turn {turn}: {reason}")
    return sentence.format(event=change.event, turn=change.turn, reason=reason(change))


def consequence_sentence(consequence: Consequence, permanents: Mapping[str, Permanent]) -> str:
    """Describe a consequence in one sentence. `permanents` has the permanents that entered, by their ids."""
    sentence = _told(consequence, permanents)
    if consequence.implied and isinstance(consequence, Changed):
        untap = _("in turn {turn}'s untap step, which is not written down: {sentence}")
        sentence = untap.format(turn=consequence.turn, sentence=sentence)
    elif consequence.implied and isinstance(consequence, PhasedBack):
        sentence = _("in the untap step, which is not written down: {sentence}").format(sentence=sentence)
    return sentence if consequence.certain else _("perhaps: {sentence}").format(sentence=sentence)


def names(ids: Sequence[str], permanents: Mapping[str, Permanent]) -> str:
    """Name permanents by card and id: `Tavern Ruffian (w1) and Brutal Cathar (c1)`."""
    return listed([f"{card_word(permanents[id].card)} ({id})" if id in permanents else id for id in ids])


def _told(consequence: Consequence, permanents: Mapping[str, Permanent]) -> str:
    if isinstance(consequence, Changed):
        becomes = _("it becomes day") if consequence.became is Designation.DAY else _("it becomes night")
        return labelled(becomes, reason(consequence))
    if isinstance(consequence, PutOnStack):
        return _("what triggered in the untap step goes on the stack")
    if isinstance(consequence, Restored):
        return _("the game is again as it was after event {event}").format(event=consequence.to)
    if isinstance(consequence, Triggered):
        name = names((consequence.permanent,), permanents)
        if consequence.stacked is None:
            return _("{name} triggers, and waits until a player would receive priority").format(name=name)
        return _("{name} triggers").format(name=name)
    return _told_of_permanents(consequence, permanents)


def _told_of_permanents(
    consequence: PhasedBack | EnteredTransformed | Transformed | Refused, permanents: Mapping[str, Permanent]
) -> str:
    number = len(consequence.permanents)
    who = names(consequence.permanents, permanents)
    if isinstance(consequence, PhasedBack):
        return counted("{names} phases in by itself", "{names} phase in by themselves", number).format(names=who)
    if isinstance(consequence, EnteredTransformed):
        sentence = counted("{names} enters with its back face up", "{names} enter with their back faces up", number)
        return sentence.format(names=who)
    if isinstance(consequence, Transformed):
        other = Face.FRONT if consequence.face is Face.BACK else Face.BACK
        there = [id for id in consequence.permanents if id in permanents]
        who = listed([f"{face_name(permanents[id], other)} ({id})" for id in there])
        into = listed([face_name(permanents[id], consequence.face) for id in there])
        words = counted("{names} transforms into {into}", "{names} transform into {into}", number)
        sentence = words.format(names=who, into=into)
        if consequence.rule == "daybound-at-night" and any(permanents[id].token for id in there):
            sentence = token_sentence(sentence)
        return sentence
    return {
        "daybound-refuses": counted(
            "{names} does not transform: only its daybound may do that",
            "{names} do not transform: only their daybound may do that",
            number,
        ),
        "nightbound-refuses": counted(
            "{names} does not transform: only its nightbound may do that",
            "{names} do not transform: only their nightbound may do that",
            number,
        ),
        "transformed-since": counted(
            "{names} has transformed since that ability went on the stack",
            "{names} have transformed since that ability went on the stack",
            number,
        ),
        "cannot-transform": counted("{names} can't transform", "{names} can't transform", number),
    }[consequence.rule].format(names=who)


def token_sentence(sentence: str) -> str:
    """Add to a sentence that the rules are unclear about double-faced tokens at night."""
    told = _("{sentence}; the rules leave open whether a double-faced token enters with its back face up")
    return told.format(sentence=sentence)


def face_name(permanent: Permanent, side: Face) -> str:
    """Return the name of a face; that of the card if the face has none."""
    face = permanent.back if side is Face.BACK else permanent.front
    return card_word((face.name if face is not None else None) or permanent.card)
