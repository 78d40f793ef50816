"""What a turn has left open: a line that has to be there, and is not."""

from __future__ import annotations

from collections.abc import Mapping

from daynight.events.terms import Designation, Face
from daynight.framework.language.wording import _
from daynight.importers.frame import Options
from daynight.importers.xmage.board import Board
from daynight.importers.xmage.telling import Telling

_FACES: Mapping[Designation, Face] = {Designation.DAY: Face.FRONT, Designation.NIGHT: Face.BACK}
"""The face that XMage tells of what has daybound or nightbound, once it is day or night."""


class Missing:
    """The spells of a turn that have not left the stack, and the faces that have not turned.

    A line that is missing is said, and that is all: nobody is suspected of anything, for a card may have lost its
    abilities, or something may keep it from transforming.
    """

    def __init__(self, tell: Telling, board: Board, options: Options) -> None:
        self._tell = tell
        self._board = board
        self._options = options
        self._cared_for = frozenset(options.catalogued.values())
        self._cast: dict[str, str] = {}
        self._told: set[tuple[str, Designation]] = set()

    def cast(self, key: str, name: str) -> None:
        """A card was cast; of cards that no catalogue knows nothing is expected, for half a card has another id."""
        if self._board.front(name) in self._cared_for:
            self._cast[key] = name

    def moved(self, key: str) -> None:
        """A card has left the stack, or was countered there."""
        self._cast.pop(key, None)

    def end_turn(self) -> None:
        """Say what is missing of the turn that ends."""
        for name in self._cast.values():
            sentence = _("{card} was cast in turn {n}, and what became of it is not in this log")
            self._tell.warn("unresolved", sentence.format(card=repr(name), n=self._tell.turn))
        self._cast.clear()
        now = self._tell.designation
        face = None if now is None else _FACES.get(now)
        if now is None or face is None or self._tell.lost:
            return
        for each in self._board.standing():
            is_bound = each.front in self._options.daybound and each.copied is None and not each.token
            if not is_bound or each.phased_out or each.face is face or (each.id, now) in self._told:
                continue
            self._told.add((each.id, now))
            day, night = (
                _("it is day, and that {card} transformed is not in this log"),
                _("it is night, and that {card} transformed is not in this log"),
            )
            sentence = day if now is Designation.DAY else night
            self._tell.warn("unturned", sentence.format(card=repr(each.front)))

    def begin_turn(self) -> None:
        """Nothing is on the stack."""
        self._cast.clear()
