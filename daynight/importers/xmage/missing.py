"""Detects missing messages: lines that XMage must write in a turn, and that are not in the log."""

from __future__ import annotations

import re
from collections.abc import Mapping

from daynight.events.terms import Designation, Face
from daynight.framework.language.wording import _
from daynight.importers.frame import Options
from daynight.importers.xmage.board import Board
from daynight.importers.xmage.messages import Reference
from daynight.importers.xmage.telling import Telling

_FACES: Mapping[Designation, Face] = {Designation.DAY: Face.FRONT, Designation.NIGHT: Face.BACK}
"""The face that XMage reports for a card with daybound or nightbound, once it is day or night."""

_CHANGES = re.compile(r"^whenever day becomes night or night becomes day\b", re.I)
_ENDED = "The current turn ends"


class Missing:
    """The spells of a turn that have not left the stack, the faces that have not turned, and unreported changes.

    A spell that stays on the stack, or an ability that triggers on a change that was not reported, shows that lines are
    missing: after it, `Telling` adds no claims. A face that did not turn does not show that, for a card may have lost
    its abilities, or an effect may forbid it to transform; it is only a warning.
    """

    def __init__(self, tell: Telling, board: Board, options: Options) -> None:
        self._tell = tell
        self._board = board
        self._options = options
        self._cast: dict[str, tuple[str, str, bool]] = {}
        self._told: set[tuple[str, Designation]] = set()
        self._changed = False

    def cast(self, card: Reference, other: Reference | None, *, follows: bool) -> None:
        """Note that `card` was cast; if it is half of a card, `other` is that card.

        `follows`: a later message must report that the spell leaves the stack, else the turn ends with a warning.
        """
        self._cast[card.key] = card.name, "" if other is None else other.key, follows

    def moved(self, card: Reference) -> bool:
        """Note that a card left the stack, or was countered there; return whether this turn's log has its cast.

        The message about a spell that was cast as a half names the whole card, which has another id.
        """
        if self._cast.pop(card.key, None) is not None:
            return True
        halves = card.name.split(" // ")
        for key, (name, other, _follows) in self._cast.items():
            if other == card.key or (len(halves) > 1 and name in halves):
                del self._cast[key]
                return True
        return False

    def change(self) -> None:
        """Note that it became day or night."""
        self._changed = True

    def trigger(self, says: str) -> None:
        """Note that messages are missing if an ability triggers on a change of day and night that the log lacks."""
        if _CHANGES.search(says) is not None and not self._changed:
            sentence = _("an ability triggers as day becomes night or night becomes day, and that is not in this log")
            self._tell.lose("untold", sentence)

    def see(self, text: str) -> None:
        """Forget the spells on the stack if a message says that the turn ends: they are exiled without own messages."""
        if text.startswith(_ENDED):
            self._cast.clear()

    def leave(self) -> None:
        """Forget the spells on the stack, of all players, because a player left: theirs leave without messages."""
        self._cast.clear()

    def end_turn(self) -> None:
        """Warn about each spell of the ending turn whose end is not in the log, and each face that did not turn."""
        for name, _other, follows in self._cast.values():
            if follows:
                sentence = _("{card} was cast in turn {n}, and what became of it is not in this log")
                self._tell.lose("unresolved", sentence.format(card=repr(name[:60]), n=self._tell.turn))
        now = self._tell.designation
        face = None if now is None else _FACES.get(now)
        if now is None or face is None or self._tell.lost:
            return
        for each in self._board.standing():
            is_bound = each.front in self._options.daybound and each.copied is None and not each.token
            if (
                each.controller in self._tell.left
                or not is_bound
                or each.phased_out
                or each.face is face
                or (each.id, now) in self._told
            ):
                continue
            self._told.add((each.id, now))
            day, night = (
                _("it is day, and that {card} transformed is not in this log"),
                _("it is night, and that {card} transformed is not in this log"),
            )
            sentence = day if now is Designation.DAY else night
            self._tell.warn("unturned", sentence.format(card=repr(each.front)))

    def begin_turn(self) -> None:
        """Begin a turn: no spell is on the stack, and no change of day and night was reported."""
        self._cast.clear()
        self._changed = False
