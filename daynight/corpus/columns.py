"""Derives the columns of one game from its events; later questions read these columns instead of lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, get_args

from daynight.corpus import plain
from daynight.corpus.schema import WORDS
from daynight.events import actions, claims, rulings
from daynight.events.actions import GameStarted, SpellCast, StepBegan, TurnBegan
from daynight.events.language import TAGS
from daynight.events.vocabulary import DisputeAct, Event, OfTheRecord, untap_is_over
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _

LARGEST = 2**31 - 1
"""The largest number that a column holds."""

MOST_PLAYERS = 2**15 - 1
"""The most players that a game of a corpus may have."""

CODES = {kind: code for code, kind in enumerate(TAGS.values())}
"""The index of each type of event in `WORDS`."""

_STEP = {word: code for code, word in enumerate(WORDS["step"], 1)}
_DESIGNATION = {word: code for code, word in enumerate(WORDS["designation"], 1)}
_FACE = {word: code for code, word in enumerate(WORDS["face"], 1)}
_WRITTEN, _IMPLIED = 1, 2
_NO, _YES = 1, 2

_DISPUTES = frozenset(get_args(DisputeAct))


class Sparse:
    """The values of a column that is null for most events, and their `rows`, counted from 0."""

    __slots__ = ("rows", "values")

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.values: list[Any] = []

    def add(self, row: int, value: Any) -> None:
        """Add a value; rows come in order."""
        self.rows.append(row)
        self.values.append(value)


@dataclass(slots=True)
class Columns:
    """The events of one game as columns, and facts about the whole game.

    The columns of bytes have an entry for each event. `tag` holds indices into `WORDS`; `by_active` holds 1 for no and
    2 for yes; `undone` 0 for no and 1 for yes; the other byte columns hold indices into `WORDS` plus one. 0 is null in
    all but `tag` and `undone`.

    All other columns are sparse. A value of `turn` is valid up to the next row with a value. `turns`, `plain`,
    `because` and `cares` are the facts: the columns of these names in the table of games.
    """

    tag: bytes
    step: bytearray
    by_active: bytearray
    untap: bytearray
    designation: bytearray
    gives: bytearray
    face: bytearray
    shows: bytearray
    undone: bytearray
    turn: Sparse = field(default_factory=Sparse)
    player: Sparse = field(default_factory=Sparse)
    active: Sparse = field(default_factory=Sparse)
    card: Sparse = field(default_factory=Sparse)
    count: Sparse = field(default_factory=Sparse)
    at_most: Sparse = field(default_factory=Sparse)
    about_turn: Sparse = field(default_factory=Sparse)
    by: Sparse = field(default_factory=Sparse)
    turns: int = 0
    plain: bool = True
    because: str | None = None
    cares: bool = False


def tags(events: Sequence[Event]) -> bytes:
    """Return the type of each event, as an index into `WORDS`."""
    return bytes(map(CODES.__getitem__, map(type, events)))


def columns(events: Sequence[Event], tag: bytes) -> Columns:
    """Return the columns of a game; `tag` is `tags(events)`, and the permanents in the events must be complete.

    The referee must accept the events; otherwise the columns are meaningless, or an error is raised.

    Raises:
        UnreadableError: where a number, or the number of players, is too large for a column.
        LookupError: possibly, where the referee would refuse an event.
    """
    found = _Walk(events, tag)
    found.walk(events)
    return found.concluded()


class _Walk:
    """Walks once over the events of a game and fills in its columns."""

    def __init__(self, events: Sequence[Event], tag: bytes) -> None:
        length = len(events)
        started = events[0]
        assert isinstance(started, GameStarted)
        if len(started.players) > MOST_PLAYERS:
            sentence = _("a game of a corpus may have {most} players").format(most=MOST_PLAYERS)
            raise UnreadableError(sentence, path="$.players", line=1)
        step, by_active, untap, designation, gives, face, shows, undone = map(bytearray, (length,) * 8)
        self.columns = Columns(tag, step, by_active, untap, designation, gives, face, shows, undone)
        self.columns.turn.add(0, 0)
        self.players = {name: place for place, name in enumerate(started.players)}
        self.turn = 0
        self.active: tuple[str, ...] = ()
        self.due = False
        # What each permanent shows (see `plain.shows`), and the controller of each that turns.
        self.there: dict[str, int] = {}
        self.turning: dict[str, str | None] = {}
        # Whether an event makes it impossible to derive from columns which face is up.
        self.touched = False
        self.reason: str | None = None if started.teams is None else "teams"
        # Whether the game is not plain even if nothing in it cares about day and night.
        self.hopeless = started.teams is not None
        self.doubted = self.moved = self.claims_face = self.claims_tally = False
        # What backing up restores: turn, active players and `due` after each event. None if nothing backs up.
        self.past: list[tuple[int, tuple[str, ...], bool]] | None = None
        if _BACKED_UP in self.columns.tag:
            self.past = []

    def walk(self, events: Sequence[Any]) -> None:
        """Fill in the columns, event by event."""
        columns, past = self.columns, self.past
        step, untap, by_active = columns.step, columns.untap, columns.by_active
        player_row, player = columns.player.rows.append, columns.player.values.append
        card_row, card, players = columns.card.rows.append, columns.card.values.append, self.players
        due, active = False, self.active
        for row, event in enumerate(events):
            kind = type(event)
            if kind is StepBegan:
                name = event.step
                step[row] = _STEP[name]
                if name == "untap":
                    untap[row] = _WRITTEN
                    due = False
                    if event.phased_in or event.phased_out or event.stays_out:
                        self.breaks("phasing", moved=True)
                        self.touched = True
                elif due:
                    untap[row] = _IMPLIED
                    due = False
            else:
                if due and untap_is_over(event):
                    untap[row] = _IMPLIED
                    due = False
                if kind is SpellCast:
                    who = event.player
                    player_row(row)
                    player(players[who])
                    by_active[row] = _YES if who in active else _NO
                    if event.card is not None:
                        card_row(row)
                        card(event.card)
                else:
                    self.due = due
                    _HANDLERS.get(kind, _Walk.silent)(self, row, event)
                    due, active = self.due, self.active
            if past is not None:
                past.append((self.turn, active, due))

    def concluded(self) -> Columns:
        """Return the columns, with the facts about the whole game."""
        found = self.columns
        excused = (
            not (found.cares or self.hopeless)
            and not (self.doubted and self.claims_tally)
            and not (self.moved and self.claims_face)
        )
        if self.reason is not None:
            found.plain = excused
            found.because = plain.NOTHING_CARES if excused else self.reason
        if self.past is not None:
            found.turns -= sum(found.undone[row] for row, code in enumerate(found.tag) if code == _TURN_BEGAN)
        return found

    def breaks(self, reason: str, *, moved: bool = False, doubted: bool = False) -> None:
        """Note `reason`, why the game is not plain; it concerns only faces if `moved`, only unsure casts if `doubted`.

        In `concluded` such a reason does not count if nothing can make it day or night and nothing claims a face (or,
        for unsure casts, a tally). Any other reason always counts.
        """
        if self.reason is None:
            self.reason = reason
        self.moved = self.moved or moved
        self.doubted = self.doubted or doubted
        if not moved and not doubted:
            self.hopeless = True

    def silent(self, row: int, event: Event) -> None:
        """Handle an event that has no columns of its own; call `breaks` for it if its type is not in `PLAIN`."""
        kind = type(event)
        if kind in plain.PLAIN:
            return
        if kind in plain.TOUCHING:
            self.touched = True
            self.breaks(event.type, moved=True)
        else:
            self.breaks("dispute" if kind in _DISPUTES else event.type)

    # ------------------------------------------------------------------------------------------------ turns and spells

    def turn_began(self, row: int, event: actions.TurnBegan) -> None:
        if event.turn > LARGEST:
            _too_large(row, "$.turn")
        self.turn = event.turn
        self.active = event.active
        self.due = "untap" not in event.skips
        self.columns.turn.add(row, event.turn)
        self.columns.active.add(row, [self.players[name] for name in event.active])
        self.columns.turns += 1

    def spell_copied(self, row: int, event: actions.SpellCopied) -> None:
        self.by(row, event.player)
        if event.card is not None:
            self.columns.card.add(row, event.card)

    def spells_uncertain(self, row: int, event: actions.SpellsUncertain) -> None:
        self.by(row, event.player)
        self.columns.count.add(row, _held(row, "$.at_least", event.at_least))
        if event.at_most is not None:
            self.columns.at_most.add(row, _held(row, "$.at_most", event.at_most))
        self.breaks(event.type, doubted=True)

    def by(self, row: int, player: str) -> None:
        """Fill in the player who casts, copies, or may have cast at this row, and whether that player is active."""
        self.columns.player.add(row, self.players[player])
        self.columns.by_active[row] = _YES if player in self.active else _NO

    # ------------------------------------------------------------------------------------------------ permanents

    def permanents_entered(self, row: int, event: actions.PermanentsEntered) -> None:
        columns = self.columns
        columns.gives[row] = plain.gives(event)
        held = half = False
        for permanent in event.permanents:
            shows = plain.shows(permanent)
            self.there[permanent.id] = shows
            if shows == plain.TURNS:
                self.turning[permanent.id] = permanent.controller
            held = held or plain.holds(permanent)
            half = half or not shows
            columns.cares = columns.cares or plain.cares(permanent)
        if held:
            self.touched = True
            self.breaks("holds", moved=True)
        if half:
            self.breaks("half")

    def permanents_left(self, row: int, event: actions.PermanentsLeft) -> None:
        self.gone(event.permanents)

    def gone(self, ids: Sequence[str]) -> None:
        """Forget permanents that left the battlefield."""
        for id in ids:
            self.there.pop(id, None)
            self.turning.pop(id, None)

    def control_changed(self, row: int, event: actions.ControlChanged) -> None:
        for id in event.permanents:
            if id in self.turning:
                self.turning[id] = event.controller

    def player_left(self, row: int, event: actions.PlayerLeft) -> None:
        self.columns.player.add(row, self.players[event.player])
        self.gone(event.permanents)
        if event.player in self.turning.values():
            self.touched = True
            self.breaks("left-behind")

    def became_copy(self, row: int, event: actions.BecameCopy) -> None:
        self.columns.cares = self.columns.cares or plain.face_cares(event.front)
        self.silent(row, event)

    # ------------------------------------------------------------------------------------------------ designations

    def effect_resolved(self, row: int, event: actions.EffectResolved) -> None:
        self.columns.cares = True
        if event.becomes != "switch":
            self.columns.designation[row] = _DESIGNATION[event.becomes]
        if event.becomes == "switch" or event.only_if is not None:
            self.breaks("effect")

    def game_joined(self, row: int, event: actions.GameJoined) -> None:
        self.touched = True
        self.columns.cares = any(word != "neither" for word in event.possible) or any(
            map(plain.cares, event.permanents)
        )
        self.there.update((permanent.id, 0) for permanent in event.permanents)
        self.breaks(event.type)

    def game_restarted(self, row: int, event: actions.GameRestarted) -> None:
        self.turn, self.active, self.due, self.touched = 0, (), False, False
        self.there.clear()
        self.turning.clear()
        self.columns.turn.add(row, 0)
        self.breaks(event.type)

    # ------------------------------------------------------------------------------------------------ claims, rulings

    def designation_claimed(self, row: int, event: claims.DesignationClaimed) -> None:
        self.columns.designation[row] = _DESIGNATION[event.designation]
        self.columns.by.add(row, event.by)

    def face_claimed(self, row: int, event: claims.FaceClaimed) -> None:
        self.columns.face[row] = _FACE[event.face]
        self.columns.shows[row] = 0 if self.touched else self.there.get(event.permanent, 0)
        self.columns.by.add(row, event.by)
        self.claims_face = True

    def tally_claimed(self, row: int, event: claims.TallyClaimed) -> None:
        self.columns.player.add(row, self.players[event.player])
        self.columns.count.add(row, _held(row, "$.spells", event.spells))
        self.columns.about_turn.add(row, self.turn if event.turn is None else event.turn)
        self.columns.by.add(row, event.by)
        self.claims_tally = True

    def judge_ruled(self, row: int, event: rulings.JudgeRuled) -> None:
        self.columns.cares = True
        self.columns.designation[row] = _DESIGNATION[event.designation]
        self.columns.by.add(row, event.by)
        self.breaks(event.type)

    def game_backed_up(self, row: int, event: rulings.GameBackedUp) -> None:
        columns = self.columns
        assert self.past is not None
        self.turn, self.active, self.due = self.past[event.to - 1]
        self.touched = True
        columns.turn.add(row, self.turn)
        columns.by.add(row, event.by)
        for undone in range(event.to, row):
            columns.undone[undone] = columns.tag[undone] not in _OF_THE_RECORD
        self.breaks(event.type)


_OF_THE_RECORD = frozenset(CODES[kind] for kind in get_args(OfTheRecord))
_TURN_BEGAN, _BACKED_UP = CODES[TurnBegan], CODES[rulings.GameBackedUp]
_HANDLERS: dict[type, Callable[[_Walk, int, Any], None]] = {
    actions.TurnBegan: _Walk.turn_began,
    actions.SpellCopied: _Walk.spell_copied,
    actions.SpellsUncertain: _Walk.spells_uncertain,
    actions.PermanentsEntered: _Walk.permanents_entered,
    actions.PermanentsLeft: _Walk.permanents_left,
    actions.ControlChanged: _Walk.control_changed,
    actions.PlayerLeft: _Walk.player_left,
    actions.BecameCopy: _Walk.became_copy,
    actions.EffectResolved: _Walk.effect_resolved,
    actions.GameJoined: _Walk.game_joined,
    actions.GameRestarted: _Walk.game_restarted,
    claims.DesignationClaimed: _Walk.designation_claimed,
    claims.FaceClaimed: _Walk.face_claimed,
    claims.TallyClaimed: _Walk.tally_claimed,
    rulings.JudgeRuled: _Walk.judge_ruled,
    rulings.GameBackedUp: _Walk.game_backed_up,
}


def _held(row: int, path: str, number: int) -> int:
    return number if number <= LARGEST else _too_large(row, path)


def _too_large(row: int, path: str) -> NoReturn:
    sentence = _("a corpus holds numbers up to {most} here").format(most=LARGEST)
    raise UnreadableError(sentence, path=path, line=row + 1)
