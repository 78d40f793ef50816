"""Forecasts what the next untap step will do, for each number of casts that may still come in this turn.

The answers come from the referee: it plays the turn on with that many casts, begins the next turn, and its untap step.
So they include teams, uncertain casts, prevention of night, and any rule added later. A phased-out permanent may
phase in before that check or not; both cases are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from daynight.events import Designation, SpellCast, StepBegan, TurnBegan
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import capital, full_stop, labelled, paragraph, semicolons
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.projections.tallies import TWO
from daynight.referee.documents import count_document
from daynight.referee.referee import step
from daynight.referee.state import PlayedRecord, State
from daynight.rules.citations import cited
from daynight.rules.holding import night_is_barred
from daynight.speech.sentences import either_word, listed, spells_word


@dataclass(frozen=True, slots=True)
class Outcome:
    """The possible designations after `casts` more spells by one active player (2 means two or more).

    `player` is None if no active player is left to cast. `phasing`: the outcome depends on which permanents phase in
    before the check.
    """

    player: str | None
    casts: int
    or_more: bool
    possible: tuple[Designation, ...]
    rule: str | None
    phasing: bool = False

    def document(self, edition: str) -> dict[str, Any]:
        """The outcome as JSON."""
        designation = self.possible[0] if len(self.possible) == 1 else None
        names = "player casts or_more designation possible phasing rule cr"
        return document_of(self, names, designation=designation, cr=cited(self.rule, edition))


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of the next turn's untap step.

    If the record lacks the untap step of this `turn` so far, the `outcomes` start after it: `untapped` holds the
    possible designations then; else it equals `possible`. `barred`: it can't become night then. `casting` are the
    players whose casts the step will count: the active players still in the game. There are no `outcomes` if no turn is
    under way, or nobody is left to take another.
    """

    event: int
    turn: int
    possible: tuple[Designation, ...]
    untapped: tuple[Designation, ...]
    barred: bool
    casting: tuple[str, ...]
    cast: dict[str, tuple[int, int | None]]
    outcomes: tuple[Outcome, ...]

    @property
    def sentence(self) -> str:
        """The forecast as sentences."""
        told = _sentence(self)
        if self.possible == self.untapped:
            return told
        due = _("The untap step of turn {turn} is not written down yet; after it:").format(turn=self.turn)
        return paragraph(full_stop(capital(either_word(self.possible))), due, told)

    def document(self, edition: str) -> dict[str, Any]:
        """The forecast as JSON."""
        return document_of(
            self,
            "event designation possible casting cast outcomes sentence",
            designation=self.possible[0] if len(self.possible) == 1 else None,
            cast={player: count_document(*count) for player, count in self.cast.items()},
            outcomes=[outcome.document(edition) for outcome in self.outcomes],
        )

    def __str__(self) -> str:
        return self.sentence


def forecast(game: PlayedRecord, position: Position | str | int | None = None) -> Forecast:
    """Forecast the next untap step from a position of a game.

    >>> from daynight import Game
    >>> game = Game.start("g1", ["Ana", "Bo"])
    >>> moment = game.record({"type": "effect-resolved", "becomes": "day"})
    >>> moment = game.record({"type": "turn-began", "turn": 1, "active": ["Ana"]})
    >>> print(forecast(game))
    Day. Ana, active in this turn, has cast no spell: it becomes night in the next turn's untap step unless...
    """
    return forecast_of(game.at(game.number(position)))


def forecast_of(now: State) -> Forecast:
    """Forecast the next untap step from a state."""
    state = now
    if now.due:
        # This turn's check comes first; casts of this turn count for the next one.
        state = now.copy()
        step(state, StepBegan(step="untap"), now.event + 1)
    tally = state.tallies.current
    active = () if tally is None else tally.active
    casting = tuple(player for player in active if player in state.casters)
    cast = {} if tally is None else {player: tally.range(player) for player in active}
    outcomes = () if tally is None or state.over or not state.present else tuple(_outcomes(state, casting))
    barred = all(night_is_barred(state.battlefield, possibility.backs) for possibility in state.possibilities)
    return Forecast(now.event, now.turn, now.possible, state.possible, barred, casting, cast, outcomes)


def _outcomes(state: State, casting: tuple[str, ...]) -> Iterator[Outcome]:
    """Yield the outcomes of 0, 1 and 2 more casts by each player; the check never adds the casts of two players."""
    plans: list[tuple[str | None, int]] = [(player, casts) for player in casting for casts in range(TWO + 1)]
    for player, casts in plans or [(None, 0)]:
        ahead = state.copy()
        number = state.event
        for _cast in range(casts):
            assert player is not None
            number += 1
            step(ahead, SpellCast(player=player), number)
        ways: list[tuple[Designation, ...]] = []
        rules: list[set[str]] = []
        for active, stays_out in _untaps(state):
            then = ahead.copy()
            step(then, TurnBegan(turn=state.turn + 1, active=active), number + 1)
            found = step(then, StepBegan(step="untap", stays_out=stays_out), number + 2)
            ways.append(then.possible)
            rules.append({each.rule for each in found if each.rule in ("check-day", "check-night")})
        possible = tuple(designation for designation in Designation if any(designation in way for way in ways))
        rule = next(iter(rules[0])) if len(rules[0]) == 1 and rules.count(rules[0]) == len(rules) else None
        yield Outcome(player, casts, casts == TWO, possible, rule, ways.count(ways[0]) < len(ways))


def _untaps(state: State) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the cases to play: the players who have the next turn, and the permanents that stay phased out in it.

    First one side with all of its own staying out, as then it makes no difference whose turn it is; then each side that
    has some, with none staying out.
    """
    teams = [(player,) for player in state.players] if state.teams is None else state.teams
    sides = [side for team in teams if (side := tuple(player for player in team if player in state.present))]
    away = {side: tuple([id for id, under in state.battlefield.out.items() if under in side]) for side in sides}
    yield sides[0], away[sides[0]]
    for side in sides:
        if away[side]:
            yield side, ()


def _sentence(found: Forecast) -> str:
    now = full_stop(capital(either_word(found.untapped)))
    if not found.cast:
        return paragraph(now, _("No turn is under way: the next untap step finds no turn before it."))
    if not found.outcomes:
        return paragraph(now, _("The game is over."))
    ahead = labelled(_so_far(found.cast), _what_then(found))
    if not any(outcome.phasing for outcome in found.outcomes):
        return paragraph(now, ahead)
    return paragraph(now, ahead, _("What is phased out may phase in before that check, or stay away."))


def _so_far(cast: dict[str, tuple[int, int | None]]) -> str:
    players = listed([*cast])
    if all(count == (0, 0) for count in cast.values()):
        return counted(
            "{players}, active in this turn, has cast no spell",
            "{players}, active in this turn, have cast no spell",
            len(cast),
        ).format(players=players)
    said = []
    for player, (least, most) in cast.items():
        spells = spells_word(least, most) if most != 0 else _("no spell")
        if most is not None and least < most:
            spells = counted("{least} to {most} spells", "{least} to {most} spells", most)
            spells = spells.format(least=least, most=most)
        said.append(_("{player} has cast {spells}").format(player=player, spells=spells))
    return _("{casts} as the active player").format(casts=listed(said)) if len(cast) == 1 else listed(said)


def _what_then(found: Forecast) -> str:
    possible, outcomes = found.untapped, found.outcomes
    first = outcomes[0]
    answer = _becomes(possible, first)
    others: dict[str | None, Outcome] = {}
    for outcome in outcomes:
        if outcome.possible != first.possible:
            others.setdefault(outcome.player, outcome)
    if not others:
        if possible == (Designation.NEITHER,):
            return _(
                "the next untap step changes nothing, whatever is still cast: there is no check while it is neither."
            )
        if not (found.barred and possible == (Designation.DAY,) and len(first.possible) == 1):
            return _("{answer}, whatever is still cast in this turn.").format(answer=answer)
        why = _("a permanent says that it can't become night")
        return _("{answer}, whatever is still cast in this turn: {why}.").format(answer=answer, why=why)
    sure = len(possible) == len(first.possible) == 1
    if sure and len({outcome.possible for outcome in outcomes if outcome.possible != first.possible}) == 1:
        return _("{answer} unless {casts}.").format(answer=answer, casts=_unless(found.cast, others))
    told = [_("with no more casts {answer}").format(answer=answer)]
    before = first.possible
    for outcome in outcomes:
        before = first.possible if outcome.casts == 0 else before
        if outcome.possible != before:
            before = outcome.possible
            sentence = counted(
                "with {n} more by {player} {answer}", "with {n} more by {player} {answer}", outcome.casts
            )
            told.append(sentence.format(player=outcome.player, answer=_becomes(possible, outcome)))
    return full_stop(semicolons(told))


def _unless(cast: dict[str, tuple[int, int | None]], others: dict[str | None, Outcome]) -> str:
    """Return the words for who would have to cast how many: `Ana casts one`, `Ana casts one more or Al casts 2`."""
    ways: dict[tuple[int, bool], list[str]] = {}
    for player, outcome in others.items():
        if player is not None:
            ways.setdefault((outcome.casts, cast[player] != (0, 0)), []).append(player)
    said = []
    for (casts, already), players in ways.items():
        sentence = (
            counted("{players} casts one more", "{players} casts {n} more", casts)
            if already
            else counted("{players} casts one", "{players} casts {n}", casts)
        )
        said.append(sentence.format(players=_(" or ").join(players)))
    return _(" or ").join(said)


def _becomes(possible: tuple[Designation, ...], outcome: Outcome) -> str:
    word = either_word(outcome.possible)
    if outcome.possible == possible:
        if len(possible) > 1:
            return _("it may be {designation} still").format(designation=word)
        if possible == (Designation.NEITHER,):
            return _("it stays neither day nor night")
        return _("it stays {designation}").format(designation=word)
    if len(outcome.possible) > 1:
        return _("it may be {designation} from the next turn's untap step on").format(designation=word)
    if len(possible) > 1:
        return _("it is {designation} from the next turn's untap step on").format(designation=word)
    return _("it becomes {designation} in the next turn's untap step").format(designation=word)
