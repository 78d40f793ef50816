"""One game of an Arena log: states in, items of the frame out."""

from __future__ import annotations

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
from daynight.events.claims import DesignationClaimed, FaceClaimed
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.events.wording import _, counted
from daynight.importers.arena_board import Board
from daynight.importers.arena_chain import Chain, Checkpoint
from daynight.importers.arena_designations import Designations
from daynight.importers.arena_field import Field
from daynight.importers.arena_messages import Annotation, GameInfo, GameState, clean, numbers_of, words_of, zones_of
from daynight.importers.arena_numbers import ARENA, CASTS, STEPS
from daynight.importers.frame import Confidence, Item, Noted, Observed, Options, Warned, Withdrawn

__all__ = ["ArenaGame"]

_CATCH_UP = 2
_LOSSES = frozenset({"gap", "unseen", "crowded", "nobody"})
_BEGAN = "AnnotationType_NewTurnStarted"
_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL


class ArenaGame:
    """A game as it is read: `take` a state, and `items` has what it says, in the order in which it happened.

    The first state of a game is a full one. `lost`: something of it is missing, so what the rules make of the record
    from there on need not be what they made of the game, and no claim of Arena's is held against that.
    """

    def __init__(self, key: str, name: str, options: Options, items: list[Item]) -> None:
        self.key = key
        self.name = name
        self.items = items
        self.chain = Chain()
        self.lost = False
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
        self._later = 0
        self._unheld = False
        self._designations = Designations()

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
        self.lost = self.lost or kind in _LOSSES
        self.items.append(Warned(kind, sentence, self.line, self.key))

    def note(self, kind: str, sentence: str) -> None:
        """Something worth knowing."""
        self.items.append(Noted(kind, sentence, self.line, self.key))

    def claim(self, event: DesignationClaimed | FaceClaimed) -> None:
        """What Arena says of day and night: where something of the game is missing, nobody can hold it to that."""
        if not self.lost:
            self.say(event)
        elif not self._unheld:
            self._unheld = True
            self.note(
                "unheld", _("after what is missing, what Arena says of day and night is not held against the rules")
            )

    # --------------------------------------------------------------------------------------------------------- states

    def begin(self, state: GameState, line: int, seat: int, at: str | None) -> None:
        """The first state, which has everything."""
        self.line = line
        self._sit(state)
        info = state.gameInfo or GameInfo()
        about: dict[str, object] = {"match": clean(info.matchID), "game": info.gameNumber, "seat": seat}
        if info.variant:
            about["variant"] = clean(info.variant)
        players = tuple(self.seats.values())
        self.say(GameStarted(format=1, game=self.name, players=players, at=at, meta={ARENA: about}))
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        if turn:
            self.warn("joined", _("the beginning of this game is missing; it is taken up in turn {n}").format(n=turn))
            self.say(GameJoined(possible=tuple(Designation)), _INFERRED)
            self.board.starts = True
            self._catch_up(turn, state.turnInfo.activePlayer if state.turnInfo else 0)
        self.chain.add(state)
        self._read(state, annotated=not turn)
        self._keep(state)

    def is_foreign(self, state: GameState) -> bool:
        """Whether a change that does not say of which game it is can't be one of this game.

        The ids of every game's states begin at 1: one that is not new must have been read before. A game that is over
        goes on only in its last turn, with nothing missing; over a gap turns do not go back.
        """
        if state.gameStateId <= self.chain.last:
            return state.gameStateId > 0 and not self.chain.has(state)
        turn, follows = state.turnInfo.turnNumber if state.turnInfo else 0, self.chain.follows(state)
        return not follows or turn not in (0, self.turn) if self.over else 0 < turn < self.turn and not follows

    def take(self, state: GameState, line: int, stating: bool) -> None:
        """The next state. `stating`: something on its line speaks of designations."""
        self.line, full = line, state.type == "GameStateType_Full"
        if full and state.update == "GameStateUpdate_Undo":
            self._undo(state)
            return
        annotated = True
        if state.gameStateId <= self.chain.last:
            if not full:
                self.note("repeated", _("a state that was read before; it is not read twice"))
                return
            self.note("reconnected", _("the client connected again; what was read before is not read twice"))
            annotated = False
        elif not self.chain.follows(state):
            self._gap(state, full)
        self.chain.add(state)
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
            claimed = self._designations.stated(state, annotated) if stating else None
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
                if not self.board.starts and not self.lost:
                    self.board.starts = True
                    self.warn(
                        "uncaused", _("Arena says that it is day or night, and no card that is known makes it so")
                    )
                self.claim(DesignationClaimed(designation=claimed, by=ARENA))
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
        self.chain.keep(
            Checkpoint(
                state.gameStateId,
                self._count,
                self.turn,
                self.active,
                self.over,
                self.lost,
                self.board.permanents.copy(),
                frozenset(self.field.phased),
                self._designations.known.copy(),
            )
        )

    # ------------------------------------------------------------------------------------------- what is taken back

    def _undo(self, state: GameState) -> None:
        """Arena takes back what came after an earlier state.

        Where that one is not known, all goes that came after the one before it: what stays is certain, and what was
        between is missing.
        """
        back = self.chain.back_to(state.prevGameStateId)
        gone = self._count - back.count
        if gone:
            self.items.append(Withdrawn(self.key, back.count, self.line))
        told = counted(
            "Arena took back what came after state {state}: {n} event is not imported",
            "Arena took back what came after state {state}: {n} events are not imported",
            gone,
        )
        self.note("undone", told.format(state=state.prevGameStateId, n=gone))
        self._count, self.turn, self.active = back.count, back.turn, back.active
        self.over, self.lost = back.over, back.lost
        self.board.permanents = dict(back.permanents)
        self.field.phased = set(back.phased)
        self._designations.known = dict(back.designations)
        if back.state != state.prevGameStateId:
            self._gap(state, False)
        self.chain.add(state)
        # It repeats what was said at that state.
        self._read(state, annotated=False)
        self._keep(state)

    def _gap(self, state: GameState, full: bool) -> None:
        """States are missing: whatever was cast in them is not known."""
        sentence = (
            _("the client connected again, and what happened meanwhile is missing: spells of turn {n} are uncertain")
            if full
            else _("states are missing before this one: spells of turn {n} are uncertain")
        )
        self.warn("gap", sentence.format(n=max(self.turn, 1)))
        self.field.unsure = True
        if self.over:
            return
        if self.turn:
            self._doubt()
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        seats = [self._beginner(state, each) for each in state.annotations if _BEGAN in each.type]
        if turn > self.turn + len(seats):
            active = state.turnInfo.activePlayer if state.turnInfo else 0
            self._catch_up(turn - len(seats), self._other(seats[0]) if seats else active)

    def _doubt(self) -> None:
        for player in self.seats.values():
            self.say(SpellsUncertain(player=player, at_least=0), _DOUBTFUL)

    def _catch_up(self, turn: int, active: int) -> None:
        """Turns that nobody saw begin, up to this one. Of those in between the last is enough: any spells in it.

        `active`, whose turn that one is; where nobody says, players took turns.
        """
        last = active if active in self.seats else self.active or self._other(0)
        if last != active and (turn - self.turn) % 2:
            last = self._other(last)
        if self._count == 1 and turn > 1:
            # Nothing but the game's name was told, so it can be taken up here.
            self.say(GameJoined(possible=tuple(Designation)), _DOUBTFUL)
        for number in range(max(self.turn + 1, turn - _CATCH_UP + 1), turn + 1):
            if self.turn == 0 and number < turn and self._count <= _CATCH_UP:
                continue
            self.turn, self.active = number, self._other(last) if (turn - number) % 2 else last
            self.say(TurnBegan(turn=number, active=(self.seats[self.active],)), _DOUBTFUL)
            self.say(StepBegan(step="untap"), _DOUBTFUL)
            self._doubt()

    def _other(self, seat: int) -> int:
        return next((other for other in self.seats if other != seat), next(iter(self.seats)))

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
        self._later = sum(_BEGAN in each.type for each in annotations)
        for index, each in enumerate(annotations):
            # Once each: a list of any length is one happening.
            for kind in dict.fromkeys(each.type):
                if kind == "AnnotationType_PhaseOrStepModified":
                    self._step(annotations, index)
                elif kind == "AnnotationType_ZoneTransfer":
                    self._transfer(each)
                elif kind == "AnnotationType_UserActionTaken":
                    self._action(each)
                elif kind == "AnnotationType_ObjectIdChanged":
                    numbers = numbers_of(each)
                    field.renamed[numbers.get("new_id", 0)] = numbers.get("orig_id", 0)
                elif kind == _BEGAN:
                    self._new_turn(state, each)
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
            phased_in, phased_out = self.field.untap(annotations, index + 1)
            self.put(StepBegan(step=step, phased_in=phased_in, phased_out=phased_out))
        else:
            self.say(StepBegan(step=step))

    def _new_turn(self, state: GameState, each: Annotation) -> None:
        info, self._later = state.turnInfo, self._later - 1
        turn = info.turnNumber - self._later if info and info.turnNumber else 0
        seat = self._beginner(state, each)
        if not seat:
            self.warn("nobody", _("a turn began and nobody's it is; it is left out"))
            if self.turn:
                self._doubt()
            return
        if self.lost and turn > self.turn + 1:
            self._catch_up(turn - 1, self._other(seat))
        self._turn(turn if turn > self.turn else self.turn + 1, seat, _STATED if turn else _INFERRED)

    def _beginner(self, state: GameState, each: Annotation) -> int:
        """The seat whose turn began; 0 if nobody says."""
        seats = [*each.affectedIds[:16], each.affectorId, state.turnInfo.activePlayer if state.turnInfo else 0]
        return next((seat for seat in seats if seat in self.seats), 0)

    def _turn(self, turn: int, seat: int, confidence: Confidence) -> None:
        first = not self.turn
        self.turn, self.active = turn, seat
        self.say(TurnBegan(turn=turn, active=(self.seats[seat],)), confidence)
        if first and self.lost:
            # What is missing may have been in this turn: Arena begins the first one before its number is known.
            self._doubt()

    def _action(self, each: Annotation) -> None:
        if numbers_of(each).get("actionType") not in CASTS:
            return
        player = self.seats.get(each.affectorId)
        if player is None or not self.turn:
            self.warn("nobody", _("a spell was cast, and by whom or in which turn is not known; it is left out"))
            if self.turn:
                self._doubt()
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
