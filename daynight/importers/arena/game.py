"""One game of an Arena log: turns Arena's states into events, claims and warnings."""

from __future__ import annotations

from msgspec.structs import replace

from daynight.events import Designation, DesignationClaimed, Event, FaceClaimed, actions
from daynight.events.vocabulary import untap_is_over
from daynight.framework.language.wording import _, counted
from daynight.importers.arena.board import Board
from daynight.importers.arena.cards import doubtful
from daynight.importers.arena.field import Field
from daynight.importers.arena.messages import Annotation, GameInfo, GameState, TurnInfo, clean, numbers_of, words_of
from daynight.importers.arena.numbers import ARENA, BEGAN, CASTS, DESIGNATIONS, STEP
from daynight.importers.arena.states.succession import Chain, Checkpoint
from daynight.importers.arena.states.taking_up import Unbegun, begins_a_turn, from_the_turn_on, turn_begun
from daynight.importers.arena.turns import PresentTurn
from daynight.importers.frame import Confidence, Item, Noted, Observed, Options, Warned, Withdrawn

_LOSSES = frozenset({"gap", "unseen", "crowded", "nobody"})
_STATED, _INFERRED, _DOUBTFUL = Confidence.STATED, Confidence.INFERRED, Confidence.DOUBTFUL


class ArenaGame:
    """A game that is being read: call `begin` or `take_up` once, then `take` with each state; `items` gets the results.

    `lost`: a part of the game is missing, so the record may differ from the game from there on, and Arena's later
    claims are left out. `count` is the number of events so far. `named`: for a game that was joined midway, the match
    id and the game number that its later states name; empty as long as none names them.
    """

    def __init__(self, key: str, name: str, options: Options, items: list[Item]) -> None:
        self.key = key
        self.name = name
        self.named = ""
        self.items = items
        self.chain = Chain()
        self.lost = False
        self.line = 0
        self.over = False
        self.seats: dict[int, str] = {}
        self.board = Board(options)
        self.field = Field(self)
        self.turns = PresentTurn(self)
        self._options = options
        self._teams: dict[int, list[str]] = {}
        self.count = 0
        self._unheld = False
        self._midway = False
        # The designations that are there, by the ids of the annotations that say so.
        self._designations: dict[int, int] = {}

    @property
    def turn(self) -> int:
        """The number of the present turn, 0 before the first one."""
        return self.turns.number

    # ---------------------------------------------------------------------------------------------------- what is said

    def say(self, event: Event, confidence: Confidence = _STATED) -> None:
        """Record the arrivals and departures that `field` has collected, then add an event."""
        if self.field.waiting:
            self.field.settle()
        self.put(event, confidence)

    def put(self, event: Event, confidence: Confidence = _STATED) -> None:
        """Add an event; if it shows that the untap step is over, add an untap step first."""
        if self.turns.due and untap_is_over(event):
            self.turns.untap()
        self.count += 1
        self.items.append(Observed(self.key, event, self.line, confidence))

    def warn(self, kind: str, sentence: str) -> None:
        """Warn that something is missing or not certain; for some kinds of warnings (`_LOSSES`), set `lost`."""
        self.lost = self.lost or kind in _LOSSES
        self.items.append(Warned(kind, sentence, self.line, self.key))

    def note(self, kind: str, sentence: str) -> None:
        """Add a note about something that is worth knowing."""
        self.items.append(Noted(kind, sentence, self.line, self.key))

    def claim(self, event: DesignationClaimed | FaceClaimed) -> None:
        """Add Arena's claim about a designation or a face; if a part of the game is missing, add one note instead."""
        if not self.lost:
            self.say(event)
        elif not self._unheld:
            self._unheld = True
            sentence = _("after what is missing, Arena's claims of day and night are not compared with the rules")
            self.note("unheld", sentence)

    # --------------------------------------------------------------------------------------------------------- states

    def begin(self, state: GameState, line: int, seat: int, at: str | None) -> None:
        """Begin with a full state; if it is in a turn already, join the game there. `seat`: the log's player."""
        self.line = line
        self._sit(state)
        self._start(state.gameInfo or GameInfo(), seat, at)
        turn = state.turnInfo.turnNumber if state.turnInfo else 0
        if turn:
            self.warn("joined", _("the beginning of this game is missing; it is taken up in turn {n}").format(n=turn))
            self.say(actions.GameJoined(possible=tuple(Designation)), _INFERRED)
            self.board.starts = True
            self.turns.catch_up(turn, state.turnInfo.activePlayer if state.turnInfo else 0, joined=True)
        self.chain.add(state)
        self._read(state, annotated=not turn)
        self._keep(state)

    def _start(self, info: GameInfo, seat: int, at: str | None) -> None:
        about: dict[str, object] = {"match": clean(info.matchID), "game": info.gameNumber, "seat": seat}
        if info.variant:
            about["variant"] = clean(info.variant)
        players = tuple(self.seats.values())
        begun = actions.GameStarted(format=1, game=self.name, players=players, at=at, meta={ARENA: about})
        self.say(replace(begun, edition=self._options.edition_at(at)))

    def take_up(self, found: Unbegun, state: GameState, line: int, seat: int, at: str | None) -> None:
        """Begin the record midway, at a state that begins a turn; `found` has the facts of all states, with this one.

        If the state begins no turn, the record begins in the present turn. Not all permanents are known, so Arena's
        claims are left out.
        """
        self.line, self.lost, self._midway = line, True, True
        self.seats = {each: f"Seat {each}" for each in sorted(found.teams)}
        for each, team in found.teams.items():
            self._teams.setdefault(team, []).append(self.seats[each])
        self._start(found.info, seat, at)
        begun = begins_a_turn(state, self.seats)
        turn = turn_begun(found, state) if begun else found.turn
        told = _("the beginning of this game is missing; it is taken up in turn {n}, and not all permanents are known")
        if found.info.matchID or found.info.gameNumber:
            self.named = f"{found.info.matchID}/{found.info.gameNumber}"
        if not turn:
            told = _("the beginning of this game is missing; in which turn it is taken up is not known")
        self.warn("joined", told.format(n=turn))
        self.field.zones = dict(found.zones)
        there = self.field.found(found.standing(state))
        self.say(actions.GameJoined(possible=tuple(Designation), permanents=there), _DOUBTFUL)
        self.board.see(found.objects)
        self.board.starts = True
        if begun:
            self.turns.number = turn - 1
            state = from_the_turn_on(state)
        elif turn:
            self.turns.catch_up(turn, found.active, joined=True)
        self.chain.add(state)
        self._read(state, annotated=begun)
        self._keep(state)

    def goes_on(self, state: GameState) -> bool:
        """Return whether a partial state surely is the next one, by its predecessor and its turn; False: not surely."""
        before = state.prevGameStateId
        follows = 0 < before == self.chain.last < state.gameStateId
        if not follows or self.over or state.gameInfo is not None or state.type != "GameStateType_Diff":
            return False
        info = state.turnInfo
        return info is None or not info.turnNumber or 0 <= info.turnNumber - self.turns.number <= 1

    def is_named(self, key: str, state: GameState) -> bool:
        """Return whether this game was joined midway and is the game `key`, which the state names; may set `named`."""
        if not self._midway or (state.type == "GameStateType_Full" and state.gameStateId == 1):
            return False
        near = self.chain.first - _JUST <= state.gameStateId <= self.chain.last + _KEPT
        if not self.named and near:
            self.named = key
        return key == self.named

    def is_just_before(self, state: GameState) -> bool:
        """Return whether a state's id is up to `_JUST` below that of the state in which this game was joined midway."""
        return self._midway and 0 < self.chain.first - state.gameStateId <= _JUST

    def is_another(self, state: GameState, suspect: bool, paused: bool) -> bool:
        """Return whether a partial state that names no game belongs to another game, although its id fits.

        `suspect`: another log began, or a pause exceeded `PAUSE`. `paused`: it exceeded `LONG`; that decides last.
        """
        follows, info = self.chain.follows(state), state.turnInfo
        turn = info.turnNumber if info is not None else 0
        if not (suspect or not follows or (turn and not 0 <= turn - self.turn <= 1)):
            return False
        if found := self.board.agreement(state.gameObjects):
            return found < 0
        if follows and turn and self.turn and not self.lost:
            began = sum(BEGAN in each.type for each in state.annotations)
            return turn != self.turn + began
        return paused

    def take(self, state: GameState, line: int, stating: bool) -> None:
        """Read the next state; look for day and night in it only if `stating`: its line mentions designations."""
        self.line, full = line, state.type == "GameStateType_Full"
        if full and state.update == "GameStateUpdate_Undo":
            self._undo(state)
            return
        annotated, gap = True, False
        if state.gameStateId <= self.chain.last:
            if not full:
                if self.chain.is_late(state):
                    sentence = _("a state of what is missing, or was taken back, comes too late; it is left out")
                    self.note("late", sentence)
                else:
                    self.note("repeated", _("a state that was read before; it is not read twice"))
                return
            self.note("reconnected", _("the client connected again; what was read before is not read twice"))
            annotated = False
        elif gap := not self.chain.follows(state):
            self._gap(state, full)
        self.chain.add(state, gap=gap)
        self._read(state, annotated=annotated, stating=stating)
        self._keep(state)

    def _read(self, state: GameState, *, annotated: bool, stating: bool = True) -> None:
        full = state.type == "GameStateType_Full"
        if full:
            self._sit(state)
        if full or self._midway:
            # Of a game that is taken up midway no whole state has named the zones.
            self.field.name_zones(state.zones_told(), all=full)
        if state.gameObjects:
            self.field.see(state)
        claimed = None
        if not self.over:
            claimed = _stated(self._designations, state, annotated) if stating else None
            if annotated and state.annotations:
                self._annotations(state, claimed is not None)
        if state.turnInfo is not None:
            self._turn(state.turnInfo)
        if not self.over:
            self.field.compare(state, full)
            if claimed is not None:
                if not self.board.starts and not self.lost:
                    self.board.starts = True
                    sentence = _("Arena says that it is day or night, and no card that is known makes it so")
                    self.warn("uncaused", sentence)
                self.claim(DesignationClaimed(designation=claimed, by=ARENA))
        self.board.forget(state.diffDeletedInstanceIds)
        if state.gameInfo is not None and state.gameInfo.stage == "GameStage_GameOver" and not self.over:
            self._end(state.gameInfo)

    def _turn(self, info: TurnInfo) -> None:
        if info.turnNumber > self.turn and not self.over:
            self.turns.late(info.turnNumber, info.activePlayer)
        if info.activePlayer in self.seats and not self.turns.active:
            self.turns.active = info.activePlayer

    def _sit(self, state: GameState) -> None:
        """Save the players by seat; two players if the log does not say."""
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
        # The list also has earlier games of the match.
        winner = self._teams.get(teams[-1]) if teams and len(teams) >= info.gameNumber else None
        self.say(actions.GameEnded(winner=tuple(winner) if winner else None))
        self.over = True

    def _keep(self, state: GameState) -> None:
        turns, known = self.turns, self._designations.copy()
        came = (state.gameStateId, self.count, self.turn, turns.active, self.over, self.lost, turns.due)
        self.chain.keep(Checkpoint(*came, self.board.permanents.copy(), self.field.phased.copy(), known))

    # ------------------------------------------------------------------------------------------- what is taken back

    def _undo(self, state: GameState) -> None:
        """Undo the events that came after an earlier state, as Arena retracted them.

        If there is no checkpoint of that state, go back to the newest checkpoint before it, and record a gap: the
        states between the two are missing.
        """
        back = self.chain.back_to(state.prevGameStateId)
        gone = self.count - back.count
        if gone:
            self.items.append(Withdrawn(self.key, back.count, self.line))
            told = counted(
                "Arena took back what came after state {state}: {n} event is not imported",
                "Arena took back what came after state {state}: {n} events are not imported",
                gone,
            )
        else:
            told = _("Arena took back what came after state {state}; no event had come of it")
        self.note("undone", told.format(state=state.prevGameStateId))
        self.count, self.over, self.lost = back.count, back.over, back.lost
        self.turns.number, self.turns.active, self.turns.due = back.turn, back.active, back.due
        self.board.permanents = dict(back.permanents)
        self.field.phased = dict(back.phased)
        self._designations = dict(back.designations)
        if back.state != state.prevGameStateId:
            self._gap(state, False)
        self.chain.add(state, gap=True)
        # The state repeats what was read at that earlier state.
        self._read(state, annotated=False)
        self._keep(state)

    def _gap(self, state: GameState, full: bool) -> None:
        """Warn of a gap, record that this turn's spells are uncertain, and add the last turns that began in the gap."""
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
            self.turns.doubt()
        self.turns.seen(state)

    # ---------------------------------------------------------------------------------------------------- annotations

    def _annotations(self, state: GameState, stated: bool) -> None:
        field = self.field
        field.renamed.clear()
        annotations = state.annotations
        self.turns.expect(annotations)
        for index, each in enumerate(annotations):
            # Each once: a list of any length is one event.
            for kind in dict.fromkeys(each.type):
                if kind == STEP:
                    self.turns.step(annotations, index)
                elif kind == "AnnotationType_ZoneTransfer":
                    self._transfer(each)
                elif kind == "AnnotationType_UserActionTaken":
                    self._action(each)
                elif kind == "AnnotationType_ObjectIdChanged":
                    numbers = numbers_of(each)
                    field.renamed[numbers.get("new_id", 0)] = numbers.get("orig_id", 0)
                elif kind == BEGAN:
                    self.turns.began(state, index)
                elif kind == "AnnotationType_TokenCreated":
                    field.created(each)
                elif kind == "AnnotationType_TokenDeleted":
                    field.deleted(each)
                elif kind in ("AnnotationType_PhasedOut", "AnnotationType_PhasedIn"):
                    field.phase(each, kind == "AnnotationType_PhasedIn")
                elif kind == "AnnotationType_ResolutionComplete" and stated:
                    self._resolved(each)
        field.settle()

    def _action(self, each: Annotation) -> None:
        if numbers_of(each).get("actionType") not in CASTS:
            return
        player = self.seats.get(each.affectorId)
        if player is None or not self.turn:
            self.warn("nobody", _("a spell was cast, and by whom or in which turn is not known; it is left out"))
            if self.turn:
                self.turns.doubt()
            return
        spell = each.affectedIds[0] if each.affectedIds else 0
        unknown = doubtful([self.field.doubt(spell)])
        card, id = self.field.card(spell), str(spell) if spell > 0 else None
        self.say(actions.SpellCast(player=player, card=card, spell=id, meta=unknown))

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
                card, unknown = self.field.card(instance), doubtful([self.field.doubt(instance)])
                self.say(actions.SpellCopied(player=player, card=card, spell=str(instance), meta=unknown))

    def _resolved(self, each: Annotation) -> None:
        """Record the effect of a resolved card on day and night, if any; called if the state reports a designation."""
        name = self.board.front_of(each.affectorId)
        becomes = self._options.effects.get(name or "")
        if becomes in ("day", "night", "switch"):
            self.board.starts = True
            self.say(actions.EffectResolved(becomes=becomes, source=name), _INFERRED)  # type: ignore[arg-type]


_KEPT = 64
_JUST = 8


def _stated(known: dict[int, int], state: GameState, annotated: bool) -> Designation | None:
    """Return the day or night that is new, or None; save it in `known`. `annotated`: read one-time annotations too."""
    found: Designation | None = None
    for each in state.lasting():
        if "AnnotationType_Designation" in each.type:
            kind = numbers_of(each).get("DesignationType", 0)
            if known.get(each.id) != kind:
                found = DESIGNATIONS.get(kind, found)
            if kind in DESIGNATIONS:
                known[each.id] = kind
                if len(known) > _KEPT:
                    del known[next(iter(known))]
    for annotation in state.annotations if annotated else ():
        if "AnnotationType_GainDesignation" in annotation.type:
            found = DESIGNATIONS.get(numbers_of(annotation).get("DesignationType", 0), found)
    return found
