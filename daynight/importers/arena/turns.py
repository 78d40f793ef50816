"""The turns of a game in Arena's messages; adds turns whose beginning is missing."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from daynight.events import GameJoined, SpellsUncertain, StepBegan, TurnBegan
from daynight.events.terms import Designation, Step
from daynight.framework.language.wording import _
from daynight.importers.arena.messages import Annotation, GameState, numbers_of
from daynight.importers.arena.numbers import BEGAN, STEP, STEPS
from daynight.importers.frame import Confidence

if TYPE_CHECKING:
    from daynight.importers.arena.game import ArenaGame

_CATCH_UP = 2
_UNTAP: tuple[Step, ...] = ("untap",)
_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL


class PresentTurn:
    """The present turn: its `number`, 0 before the first one, and the seat that is `active`, 0 if unknown.

    `due`: the untap step of this turn is not recorded yet.
    """

    def __init__(self, game: ArenaGame) -> None:
        self.number = 0
        self.active = 0
        self.due = False
        self._game = game
        self._later = 0

    # ---------------------------------------------------------------------------------------------- what Arena tells

    def expect(self, annotations: list[Annotation]) -> None:
        """Count the turns that begin in these annotations: the state has the last one's number, `began` counts back."""
        self._later = sum(BEGAN in each.type for each in annotations)

    def began(self, state: GameState, index: int) -> None:
        """Begin a turn at annotation `index`.

        If the first step that the log reports for this turn is not the untap step, the turn has no untap step. If the
        log does not say whose turn it is, warn, and leave the turn out.
        """
        info, self._later = state.turnInfo, self._later - 1
        turn = info.turnNumber - self._later if info and info.turnNumber else 0
        seat = self.beginner(state, state.annotations[index])
        if not seat:
            self._game.warn("nobody", _("a turn began and nobody's it is; it is left out"))
            if self.number:
                self.doubt()
            return
        if self._game.lost and turn > self.number + 1:
            self.catch_up(turn - 1, self._other(seat))
        skips = () if _first_step(state.annotations, index) in (None, "untap") else _UNTAP
        self._begin(turn if turn > self.number else self.number + 1, seat, _STATED if turn else _INFERRED, skips)

    def step(self, annotations: list[Annotation], index: int) -> None:
        """Begin a step at annotation `index`; ignore further untap steps of a turn."""
        step = _step_of(annotations[index])
        if step is None or not self.number:
            return
        game = self._game
        if step != "untap":
            game.say(StepBegan(step=step))
            return
        game.field.settle()
        if self.due:
            self.due = False
            phased_in, phased_out = game.field.untap(annotations, index + 1, self.active)
            game.put(StepBegan(step=step, phased_in=phased_in, phased_out=phased_out))

    def untap(self) -> None:
        """Add the untap step of this turn, which the log left out; called before an event of a later step."""
        self.due = False
        self._game.field.phase_in_by_itself(self.active)
        self._game.put(StepBegan(step="untap"), _INFERRED)

    def beginner(self, state: GameState, each: Annotation) -> int:
        """Return the seat whose turn began; 0 if the log does not say."""
        seats = [*each.affectedIds[:16], each.affectorId, state.turnInfo.activePlayer if state.turnInfo else 0]
        return next((seat for seat in seats if seat in self._game.seats), 0)

    def _begin(self, turn: int, seat: int, confidence: Confidence, skips: tuple[Step, ...]) -> None:
        first = not self.number
        self._told(turn, seat, confidence, skips)
        if first and self._game.lost:
            # The missing part may have been in this turn: Arena begins the first turn before its number is known.
            self.doubt()

    def _told(self, turn: int, seat: int, confidence: Confidence, skips: tuple[Step, ...]) -> None:
        self._game.say(TurnBegan(turn=turn, active=(self._game.seats[seat],), skips=skips), confidence)
        self.number, self.active, self.due = turn, seat, not skips

    # ----------------------------------------------------------------------------------------------- what is missing

    def doubt(self) -> None:
        """Record that every player may have cast any number of spells in this turn."""
        for player in self._game.seats.values():
            self._game.say(SpellsUncertain(player=player, at_least=0), _DOUBTFUL)

    def seen(self, state: GameState) -> None:
        """After a gap, add the last turns that began in it (`catch_up`), without those that `state` itself begins."""
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        seats = [self.beginner(state, each) for each in state.annotations if BEGAN in each.type]
        if turn > self.number + len(seats):
            active = state.turnInfo.activePlayer if state.turnInfo else 0
            self.catch_up(turn - len(seats), self._other(seats[0]) if seats else active)

    def late(self, turn: int, active: int) -> None:
        """Begin `turn`, whose beginning the log lacks; unless it is turn 1, warn, then call `catch_up`."""
        if self.number == 0 and turn == 1:
            seats = self._game.seats
            self._begin(1, active if active in seats else next(iter(seats)), _INFERRED, ())
            return
        sentence = _("turn {n} is there, and its beginning is missing: its spells are uncertain")
        self._game.warn("gap", sentence.format(n=turn))
        if self.number:
            self.doubt()
        self.catch_up(turn, active)

    def catch_up(self, turn: int, active: int, joined: bool = False) -> None:
        """Add `turn` and the turn before it, as far as their beginnings are missing, each with any number of spells.

        `active` is the seat whose turn `turn` is; if it is unknown, the two players alternate. In a turn in which a
        game is `joined`, the untap step is over already, and no turn before it is added.
        """
        last = active if active in self._game.seats else self.active or self._other(0)
        if last != active and (turn - self.number) % 2:
            last = self._other(last)
        if self._game.count == 1 and turn > 1:
            # Only the game's first event exists so far, so the record can begin here.
            self._game.say(GameJoined(possible=tuple(Designation)), _DOUBTFUL)
            joined = True
        first = turn if joined else max(self.number + 1, turn - _CATCH_UP + 1)
        for number in range(first, turn + 1):
            seat = self._other(last) if (turn - number) % 2 else last
            self._told(number, seat, _DOUBTFUL, _UNTAP if joined else ())
            if self.due:
                self._game.say(StepBegan(step="untap"), _DOUBTFUL)
            self.doubt()

    def _other(self, seat: int) -> int:
        seats = self._game.seats
        return next((other for other in seats if other != seat), next(iter(seats)))


def _step_of(each: Annotation) -> Step | None:
    numbers = numbers_of(each)
    return STEPS.get((numbers.get("phase", 0), numbers.get("step", 0)))


def _first_step(annotations: list[Annotation], index: int) -> Step | None:
    """Return the first step of the turn that begins at annotation `index`; None if these annotations report none."""
    for each in islice(annotations, index + 1, None):
        if BEGAN in each.type:
            break
        if STEP in each.type and (step := _step_of(each)) is not None:
            return step
    return None
