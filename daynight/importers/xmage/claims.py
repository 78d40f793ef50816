"""Claims from XMage's log about day and night, and their probable causes, which the log does not name."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events import Designation, actions
from daynight.events.claims import DesignationClaimed
from daynight.events.terms import Switch
from daynight.framework.language.wording import _
from daynight.importers.frame import Confidence, Options
from daynight.importers.xmage.board import Board
from daynight.importers.xmage.field import Field
from daynight.importers.xmage.telling import XMAGE, Telling


def word_of(designation: Designation) -> str:
    """Return the word for day or night in the reader's language; XMage reports nothing else."""
    words = {Designation.DAY: _("day"), Designation.NIGHT: _("night")}
    return words.get(designation, designation.value)


class Claims:
    """Records the claims of a game about day and night, and the probable causes of the changes."""

    def __init__(self, tell: Telling, board: Board, field: Field, options: Options) -> None:
        self._tell = tell
        self._board = board
        self._field = field
        self._options = options

    def is_new(self, designation: Designation) -> bool:
        """Return whether this is a change; if not, warn that a message is missing, as XMage reports only changes."""
        if designation is not self._tell.designation:
            return True
        sentence = _("it becomes {designation} twice; what was between is not in this log")
        self._tell.lose("repeated", sentence.format(designation=word_of(designation)))
        return False

    def find_cause(self, designation: Designation, names: Sequence[str]) -> None:
        """Record the probable cause of a designation, or warn that the log lacks it; `names`: the cards just arrived.

        If one of these cards makes it day or night for the first time, record nothing: its arrival is the cause.
        """
        arrived = [self._board.front(name) for name in names]
        begins = any(each in self._options.daybound or each in self._options.starting for each in arrived)
        if self._tell.designation is None and begins:
            return
        cause = self._field.causes.of(designation)
        if cause is not None:
            event = actions.EffectResolved(becomes=cause.becomes, source=cause.card)
            self._tell.put(event, Confidence.INFERRED)
            return
        card = next((each for each in arrived if self._options.effects.get(each) == designation), None)
        if card is not None:
            becomes: Switch = "day" if designation is Designation.DAY else "night"
            self._tell.put(actions.EffectResolved(becomes=becomes, source=card), Confidence.INFERRED)
            return
        sentence = _("what made it {designation} is not in this log")
        self._tell.lose("uncaused", sentence.format(designation=word_of(designation)))

    def claim(self, designation: Designation) -> None:
        """Record XMage's claim that the game has this designation now."""
        self._field.missing.change()
        self._tell.claim(DesignationClaimed(designation=designation, by=XMAGE))
        self._tell.designation = designation
