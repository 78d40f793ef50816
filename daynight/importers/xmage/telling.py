"""Collects the items of a game, in order; after a missing message it adds no more claims."""

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


_SHUFFLED = ("order", "repeated", "gap")
"""The kinds of problems that show that a log's messages are not complete and in order."""

_BEFORE = (
    actions.GameStarted, actions.GameJoined, actions.TurnBegan, actions.StepBegan, actions.PermanentsLeft,
    actions.ControlChanged, actions.PlayerLeft, GameBackedUp,
)  # fmt: skip


class Telling:
    """The items of a game so far, in order.

    `line` is the line of the message that is being read, `count` the number of the last event. `turn` and `active`
    belong to the latest recorded turn, `left` are the players who left, `designation` is the latest one in the log,
    `joined`: the log lacks the beginning. `lost`: other messages are missing, and the log's statements on day, night
    and faces no longer become claims. `shuffled`: messages are repeated or misplaced, which a rollback does not repair.
    `untapping` is called before an event that shows that the untap step is over.
    """

    def __init__(self, key: str, players: Sequence[str], line: int = 1) -> None:
        self.key = key
        self.line = line
        self.items: list[Item] = []
        self.count = 0
        self.turn = 0
        self.active = ""
        self.designation: Designation | None = None
        self.joined = self.lost = self.shuffled = False
        self.left: set[str] = set()
        self.players = tuple(players)
        self._doubted = False
        self._turn_at = 0
        self.untapping: Callable[[], None] = lambda: None

    def put(self, event: Event, confidence: Confidence = Confidence.STATED) -> None:
        """Add an event; if it cannot come before the end of the untap step, call `untapping` first."""
        if not isinstance(event, _BEFORE):
            self.untapping()
        self.count += 1
        self.items.append(Observed(self.key, event, self.line, confidence))

    def begin_turn(self, number: int, player: str, confidence: Confidence = Confidence.STATED) -> None:
        """Add the beginning of a turn."""
        self._turn_at = len(self.items)
        self._doubted = False
        self.turn, self.active = number, player
        self.put(actions.TurnBegan(turn=number, active=(player,)), confidence)

    def skip_step(self, step: Step) -> None:
        """Add `step` to the skipped steps in the last event that began a turn."""
        item = self.items[self._turn_at]
        assert isinstance(item, Observed)
        assert isinstance(item.event, actions.TurnBegan)
        if step not in item.event.skips:
            event = replace_event(item.event, skips=(*item.event.skips, step))
            self.items[self._turn_at] = replace(item, event=event)

    def claim(self, event: Event) -> None:
        """Add a claim by the log; if an earlier message is missing, add a note instead."""
        if not self.lost:
            self.put(event)
            return
        sentence = _(
            "from here on what XMage says of day, night and faces is not compared: something before it is missing"
        )
        self.note("unheld", sentence)

    def warn(self, kind: str, sentence: str) -> None:
        """Warn that something is missing or not certain."""
        self.items.append(Warned(kind, sentence, self.line, self.key))

    def note(self, kind: str, sentence: str, line: int | None = None) -> None:
        """Add a remark for the report, at `line` or the current line; it does not mean that something is missing."""
        self.items.append(Noted(kind, sentence, line or self.line, self.key))

    def skip(self, sentence: str) -> None:
        """Add to the items that the current line was skipped as unreadable."""
        self.items.append(Skipped(self.line, sentence))

    def lose(self, kind: str, sentence: str) -> None:
        """Warn that messages are missing: add no more claims; in this turn every player may have cast spells."""
        self.warn(kind, sentence)
        self.lost = True
        self.shuffled = self.shuffled or kind in _SHUFFLED
        self.doubt()

    def misplaced(self, sentence: str) -> None:
        """Warn that the message cannot come at this place, which means that messages are missing."""
        self.lose("order", sentence)

    def doubt(self) -> None:
        """Add, once per turn, an event for each present player: they may have cast further spells."""
        if not self.turn or self._doubted:
            return
        self._doubted = True
        for player in self.players:
            if player not in self.left:
                self.put(actions.SpellsUncertain(player=player, at_least=0), Confidence.DOUBTFUL)

    def go_back(self, turn: int, active: str) -> None:
        """Set `turn` and `active` back after a rollback; the items stay. If `shuffled`, still no claims are added."""
        self.turn, self.active = turn, active
        self.lost = self.lost or self.shuffled
        # Until that turn begins, messages belong to no turn.
        self._doubted = True
