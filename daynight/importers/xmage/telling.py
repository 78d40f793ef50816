"""The items of a game as they are told, and what is not claimed any more because something is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_event

from daynight.events import Event, actions
from daynight.events.rulings import GameBackedUp
from daynight.events.terms import Designation, Step
from daynight.framework.language.wording import _
from daynight.importers.frame import Confidence, Item, Noted, Observed, Skipped, Warned

XMAGE = "xmage"
"""The `by` of the claims in XMage's logs."""


_BEFORE = (
    actions.GameStarted, actions.GameJoined, actions.TurnBegan, actions.StepBegan, actions.PermanentsLeft,
    actions.ControlChanged, actions.PlayerLeft, GameBackedUp,
)  # fmt: skip


class Telling:
    """What is told of a game, in order.

    `line` is where the message stands that is being read, `count` the number of the last event. `turn` and `active` are
    those of the turn that was told last, `left` the players who left, `designation` what the log said last, `joined`
    whether the beginning is missing. `lost`: something else is missing, and what the log says of day, night and faces
    is not held against what is there. `untapping` is called before an event that shows that the untap step is over.
    """

    def __init__(self, key: str, players: Sequence[str], line: int = 1) -> None:
        self.key = key
        self.line = line
        self.items: list[Item] = []
        self.count = 0
        self.turn = 0
        self.active = ""
        self.designation: Designation | None = None
        self.joined = self.lost = False
        self.left: set[str] = set()
        self.players = tuple(players)
        self._doubted = False
        self._turn_at = 0
        self.untapping: Callable[[], None] = lambda: None

    def put(self, event: Event, confidence: Confidence = Confidence.STATED) -> None:
        """Tell an event."""
        if not isinstance(event, _BEFORE):
            self.untapping()
        self.count += 1
        self.items.append(Observed(self.key, event, self.line, confidence))

    def begin_turn(self, number: int, player: str, confidence: Confidence = Confidence.STATED) -> None:
        """Tell that a turn began."""
        self._turn_at = len(self.items)
        self._doubted = False
        self.turn, self.active = number, player
        self.put(actions.TurnBegan(turn=number, active=(player,)), confidence)

    def skip_step(self, step: Step) -> None:
        """The turn that was told last skips a step."""
        item = self.items[self._turn_at]
        assert isinstance(item, Observed)
        assert isinstance(item.event, actions.TurnBegan)
        if step not in item.event.skips:
            event = replace_event(item.event, skips=(*item.event.skips, step))
            self.items[self._turn_at] = replace(item, event=event)

    def claim(self, event: Event) -> None:
        """Tell what the log says the state was, unless something is missing before it."""
        if not self.lost:
            self.put(event)
            return
        sentence = _(
            "from here on what XMage says of day, night and faces is not compared: something before it is missing"
        )
        self.note("unheld", sentence)

    def warn(self, kind: str, sentence: str) -> None:
        """Say that something is missing or not certain."""
        self.items.append(Warned(kind, sentence, self.line, self.key))

    def note(self, kind: str, sentence: str, line: int | None = None) -> None:
        """Say something of which nothing is missing."""
        self.items.append(Noted(kind, sentence, line or self.line, self.key))

    def skip(self, sentence: str) -> None:
        """Say that a message could not be read."""
        self.items.append(Skipped(self.line, sentence))

    def lose(self, kind: str, sentence: str) -> None:
        """Say that something is missing: nobody is accused from here on, and anybody may have cast spells."""
        self.warn(kind, sentence)
        self.lost = True
        self.doubt()

    def misplaced(self, sentence: str) -> None:
        """Say that a message can't stand where it does."""
        self.lose("order", sentence)

    def doubt(self) -> None:
        """Tell, once a turn, that every player may have cast further spells."""
        if not self.turn or self._doubted:
            return
        self._doubted = True
        for player in self.players:
            if player not in self.left:
                self.put(actions.SpellsUncertain(player=player, at_least=0), Confidence.DOUBTFUL)

    def go_back(self, turn: int, active: str) -> None:
        """Stand again where a turn was about to begin."""
        self.turn, self.active = turn, active
        # Until that turn begins nothing is of any turn.
        self._doubted = True
