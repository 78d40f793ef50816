"""One game of an Arena log: states in, items of the frame out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from daynight.events.actions import (
    EffectResolved,
    GameEnded,
    GameJoined,
    GameStarted,
    SpellCast,
    SpellCopied,
    SpellsUncertain,
    StepBegan,
    TurnBegan,
)
from daynight.events.claims import DesignationClaimed
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.events.wording import _, counted
from daynight.importers.arena_board import Board, Standing
from daynight.importers.arena_field import Field
from daynight.importers.arena_messages import (
    Annotation,
    GameInfo,
    GameState,
    numbers_of,
    persistent_annotations,
    words_of,
    zones_of,
)
from daynight.importers.arena_numbers import ARENA, CASTS, DESIGNATIONS, STEPS
from daynight.importers.frame import Confidence, Item, Noted, Observed, Options, Warned, Withdrawn

__all__ = ["ArenaGame"]

_UNDO = 256
_KEPT = 64
_CATCH_UP = 2
_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """How things stood after a state, for when Arena takes back what came after it."""

    state: int
    count: int
    turn: int
    active: int
    over: bool
    permanents: dict[int, Standing]
    phased: set[int]
    designations: dict[int, int]


class ArenaGame:
    """A game as it is read: `take` a state, and `items` has what it says, in the order in which it happened.

    `last` is the id of the last state. The first state of a game is a full one.
    """

    def __init__(self, key: str, name: str, options: Options, items: list[Item]) -> None:
        self.key = key
        self.name = name
        self.items = items
        self.last = 0
        self.line = 0
        self.turn = 0
        self.active = 0
        self.over = False
        self.seats: dict[int, str] = {}
        self.board = Board(options)
        self.field = Field(self)
        self._options = options
        self._teams: dict[int, list[str]] = {}
        self._count = 0
        self._designations: dict[int, int] = {}
        self._checkpoints: deque[_Checkpoint] = deque(maxlen=_UNDO)

    # ---------------------------------------------------------------------------------------------------- what is said

    def say(self, event: Event, confidence: Confidence = _STATED) -> None:
        """An event of this game, after whatever arrived or left before it."""
        if self.field.waiting:
            self.field.settle()
        self.put(event, confidence)

    def put(self, event: Event, confidence: Confidence = _STATED) -> None:
        """An event of this game."""
        self._count += 1
        self.items.append(Observed(self.key, event, self.line, confidence))

    def warn(self, kind: str, sentence: str) -> None:
        """Something is missing or not certain."""
        self.items.append(Warned(kind, sentence, self.line, self.key))

    def note(self, kind: str, sentence: str) -> None:
        """Something worth knowing."""
        self.items.append(Noted(kind, sentence, self.line, self.key))

    # --------------------------------------------------------------------------------------------------------- states

    def begin(self, state: GameState, line: int, seat: int, at: str | None) -> None:
        """The first state, which has everything."""
        self.line = line
        self._sit(state)
        info = state.gameInfo or GameInfo()
        about: dict[str, object] = {"match": info.matchID[:100], "game": info.gameNumber, "seat": seat}
        if info.variant:
            about["variant"] = info.variant[:100]
        players = tuple(self.seats.values())
        self.say(GameStarted(format=1, game=self.name, players=players, at=at, meta={ARENA: about}))
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        if turn:
            self.warn("joined", _("the beginning of this game is missing; it is taken up in turn {n}").format(n=turn))
            self.say(GameJoined(possible=tuple(Designation)), _INFERRED)
            self.board.starts = True
            self._catch_up(turn, state.turnInfo.activePlayer if state.turnInfo else 0)
        self.last = state.gameStateId
        self._read(state, annotated=not turn)
        self._keep(state)

    def take(self, state: GameState, line: int, stating: bool) -> None:
        """The next state. `stating`: something on its line speaks of designations."""
        self.line = line
        number, full = state.gameStateId, state.type == "GameStateType_Full"
        if full and state.update == "GameStateUpdate_Undo" and self._undo(state):
            return
        annotated = True
        if number <= self.last:
            if not full:
                self.note("repeated", _("a state that was read before; it is not read twice"))
                return
            self.note("reconnected", _("the client connected again; what was read before is not read twice"))
            annotated = False
        elif state.prevGameStateId != self.last and (state.prevGameStateId or number > self.last + 1):
            self._gap(state, full)
        self.last = max(number, self.last)
        self._read(state, annotated=annotated, stating=stating)
        self._keep(state)

    def _read(self, state: GameState, *, annotated: bool, stating: bool = True) -> None:
        full = state.type == "GameStateType_Full"
        if full:
            self._sit(state)
            self.field.zones = {zone.zoneId: zone.type for zone in zones_of(state)}
        if state.gameObjects:
            self.field.see(state)
        claimed = None
        if not self.over:
            claimed = self._stated(state, annotated) if stating else None
            if annotated and state.annotations:
                self._annotations(state, claimed is not None)
        info = state.turnInfo
        if info is not None:
            if info.turnNumber > self.turn:
                self._late(info.turnNumber, info.activePlayer)
            if info.activePlayer in self.seats and not self.active:
                self.active = info.activePlayer
        if not self.over:
            self.field.compare(state, full)
            if claimed is not None:
                if not self.board.starts:
                    self.board.starts = True
                    self.warn(
                        "uncaused", _("Arena says that it is day or night, and no card that is known makes it so")
                    )
                self.say(DesignationClaimed(designation=claimed, by=ARENA))
        self.board.forget(state.diffDeletedInstanceIds)
        if state.gameInfo is not None and state.gameInfo.stage == "GameStage_GameOver" and not self.over:
            self._end(state.gameInfo)

    def _sit(self, state: GameState) -> None:
        """Who sits where; two players if nobody says."""
        if self.seats:
            return
        seats = sorted({p.systemSeatNumber for p in state.players if 0 < p.systemSeatNumber <= 16}) or [1, 2]
        self.seats = {seat: f"Seat {seat}" for seat in seats}
        for player in state.players:
            team = self._teams.setdefault(player.teamId, [])
            if (name := self.seats.get(player.systemSeatNumber)) is not None and name not in team:
                team.append(name)

    def _end(self, info: GameInfo) -> None:
        teams = [result.winningTeamId for result in info.results if result.scope == "MatchScope_Game"]
        # The games of a match that were over before stand in the list as well.
        winner = self._teams.get(teams[-1]) if teams and len(teams) >= info.gameNumber else None
        self.say(GameEnded(winner=tuple(winner) if winner else None))
        self.over = True

    def _keep(self, state: GameState) -> None:
        self._checkpoints.append(
            _Checkpoint(
                state.gameStateId,
                self._count,
                self.turn,
                self.active,
                self.over,
                self.board.permanents.copy(),
                self.field.phased.copy(),
                self._designations.copy(),
            )
        )

    # ------------------------------------------------------------------------------------------- what is taken back

    def _undo(self, state: GameState) -> bool:
        """Arena takes back what came after an earlier state; False if nobody knows that state."""
        while self._checkpoints and self._checkpoints[-1].state > state.prevGameStateId:
            self._checkpoints.pop()
        if not self._checkpoints or self._checkpoints[-1].state != state.prevGameStateId:
            return False
        back = self._checkpoints[-1]
        gone = self._count - back.count
        if gone:
            self.items.append(Withdrawn(self.key, back.count, self.line))
        told = counted(
            "Arena took back what came after state {state}: {n} event is not imported",
            "Arena took back what came after state {state}: {n} events are not imported",
            gone,
        )
        self.note("undone", told.format(state=back.state, n=gone))
        self._count, self.turn, self.active, self.over = back.count, back.turn, back.active, back.over
        self.board.permanents = back.permanents.copy()
        self.field.phased = back.phased.copy()
        self._designations = back.designations.copy()
        self.last = max(state.gameStateId, self.last)
        # It repeats what was said at that state.
        self._read(state, annotated=False)
        self._keep(state)
        return True

    def _gap(self, state: GameState, full: bool) -> None:
        """States are missing: whatever was cast in them is not known."""
        sentence = (
            _("the client connected again, and what happened meanwhile is missing: spells of turn {n} are uncertain")
            if full
            else _("states are missing before this one: spells of turn {n} are uncertain")
        )
        self.warn("gap", sentence.format(n=self.turn))
        self.field.unsure = True
        if self.over:
            return
        if self.turn:
            self._doubt()
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        began = sum("AnnotationType_NewTurnStarted" in each.type for each in state.annotations)
        if turn > self.turn + began:
            active = state.turnInfo.activePlayer if state.turnInfo and not began else 0
            self._catch_up(turn - began, active)

    def _doubt(self) -> None:
        for player in self.seats.values():
            self.say(SpellsUncertain(player=player, at_least=0), _DOUBTFUL)

    def _catch_up(self, turn: int, active: int) -> None:
        """Turns that nobody saw begin, up to this one. Of those in between the last is enough: any spells in it."""
        for number in range(max(self.turn + 1, turn - _CATCH_UP + 1), turn + 1):
            seat = active if number == turn and active in self.seats else self._other(active if active else self.active)
            if self.turn == 0 and number < turn and self._count <= _CATCH_UP:
                continue
            self.turn, self.active = number, seat
            self.say(TurnBegan(turn=number, active=(self.seats[seat],)), _DOUBTFUL)
            self.say(StepBegan(step="untap"), _DOUBTFUL)
            self._doubt()

    def _other(self, seat: int) -> int:
        return next((other for other in self.seats if other != seat), seat)

    def _late(self, turn: int, active: int) -> None:
        """A turn that is there without having begun."""
        if self.over:
            return
        if self.turn == 0 and turn == 1:
            seat = active if active in self.seats else next(iter(self.seats))
            self._turn(1, seat, _INFERRED)
            return
        sentence = _("turn {n} is there, and its beginning is missing: its spells are uncertain")
        self.warn("gap", sentence.format(n=turn))
        if self.turn:
            self._doubt()
        self._catch_up(turn, active)

    # ---------------------------------------------------------------------------------------------------- annotations

    def _annotations(self, state: GameState, stated: bool) -> None:
        field = self.field
        field.renamed.clear()
        annotations = state.annotations
        for index, each in enumerate(annotations):
            for kind in each.type:
                if kind == "AnnotationType_PhaseOrStepModified":
                    self._step(annotations, index)
                elif kind == "AnnotationType_ZoneTransfer":
                    self._transfer(each)
                elif kind == "AnnotationType_UserActionTaken":
                    self._action(each)
                elif kind == "AnnotationType_ObjectIdChanged":
                    numbers = numbers_of(each)
                    field.renamed[numbers.get("new_id", 0)] = numbers.get("orig_id", 0)
                elif kind == "AnnotationType_NewTurnStarted":
                    self._new_turn(state, index)
                elif kind == "AnnotationType_TokenCreated":
                    field.created(each)
                elif kind == "AnnotationType_TokenDeleted":
                    field.deleted(each)
                elif kind in ("AnnotationType_PhasedOut", "AnnotationType_PhasedIn"):
                    field.phase(each, kind == "AnnotationType_PhasedIn")
                elif kind == "AnnotationType_ResolutionComplete" and stated:
                    self._resolved(each)
        field.settle()

    def _step(self, annotations: list[Annotation], index: int) -> None:
        numbers = numbers_of(annotations[index])
        step = STEPS.get((numbers.get("phase", 0), numbers.get("step", 0)))
        if step is None or not self.turn:
            return
        if step == "untap":
            self.field.settle()
            phased_in, phased_out = self.field.untap(annotations[index + 1 :])
            self.put(StepBegan(step=step, phased_in=phased_in, phased_out=phased_out))
        else:
            self.say(StepBegan(step=step))

    def _new_turn(self, state: GameState, index: int) -> None:
        each = state.annotations[index]
        info = state.turnInfo
        later = sum("AnnotationType_NewTurnStarted" in other.type for other in state.annotations[index + 1 :])
        turn = info.turnNumber - later if info is not None and info.turnNumber else 0
        seats = [*each.affectedIds, each.affectorId, info.activePlayer if info else 0]
        seat = next((seat for seat in seats if seat in self.seats), 0)
        if not seat:
            self.warn("nobody", _("a turn began and nobody's it is; it is left out"))
            return
        self._turn(turn if turn > self.turn else self.turn + 1, seat, _STATED if turn else _INFERRED)

    def _turn(self, turn: int, seat: int, confidence: Confidence) -> None:
        self.turn, self.active = turn, seat
        self.say(TurnBegan(turn=turn, active=(self.seats[seat],)), confidence)

    def _action(self, each: Annotation) -> None:
        if numbers_of(each).get("actionType") not in CASTS:
            return
        player = self.seats.get(each.affectorId)
        if player is None or not self.turn:
            self.warn("nobody", _("a spell was cast, and by whom or in which turn is not known; it is left out"))
            return
        spell = each.affectedIds[0] if each.affectedIds else 0
        self.say(SpellCast(player=player, card=self.field.card(spell), spell=str(spell) if spell > 0 else None))

    def _transfer(self, each: Annotation) -> None:
        numbers = numbers_of(each)
        to = self.field.zones.get(numbers.get("zone_dest", 0), "")
        copied = to == "ZoneType_Stack" and words_of(each).get("category") == "Copy"
        if not copied:
            self.field.transfer(each, numbers, to)
            return
        for instance in each.affectedIds:
            player = self.seats.get(self.field.controller_of(instance))
            if player is not None and self.turn:
                self.say(SpellCopied(player=player, card=self.field.card(instance), spell=str(instance)))

    def _resolved(self, each: Annotation) -> None:
        """Something resolved in a state that speaks of day or night: if its card makes it so, it did."""
        name = self.board.front_of(each.affectorId)
        becomes = self._options.effects.get(name or "")
        if becomes in ("day", "night", "switch"):
            self.board.starts = True
            self.say(EffectResolved(becomes=becomes, source=name), _INFERRED)  # type: ignore[arg-type]

    # --------------------------------------------------------------------------------------------------- designations

    def _stated(self, state: GameState, annotated: bool) -> Designation | None:
        """What a state says it is now: gained, or there under a new id, or another one under an old id."""
        found: Designation | None = None
        for each in persistent_annotations(state):
            if "AnnotationType_Designation" in each.type:
                kind = numbers_of(each).get("DesignationType", 0)
                if self._designations.get(each.id) != kind:
                    found = DESIGNATIONS.get(kind, found)
                if kind in DESIGNATIONS:
                    self._designations[each.id] = kind
                    if len(self._designations) > _KEPT:
                        del self._designations[next(iter(self._designations))]
        for annotation in state.annotations if annotated else ():
            if "AnnotationType_GainDesignation" in annotation.type:
                found = DESIGNATIONS.get(numbers_of(annotation).get("DesignationType", 0), found)
        return found
