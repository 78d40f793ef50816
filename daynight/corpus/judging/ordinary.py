"""Judges games of a corpus by the ordinary referee: audit and statistics in one replay."""

from __future__ import annotations

from daynight.corpus.schema import ENDED
from daynight.events.terms import Designation
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit
from daynight.projections.statistics import Taken
from daynight.records import Record
from daynight.replay import Replayer

CASTS = ("none", "one", "two_or_more", "uncertain")
"""How many spells the active player of a turn cast: the words in the names of the columns `active_casts_...`."""


class Ordinary:
    """Judges one game after another; `edition` (of the rules) is cited, `assumed` is the designation at the start."""

    def __init__(self, edition: str | None = None, assumed: Designation | None = None) -> None:
        self._auditor = Auditor(edition, assume=assumed)
        self._taken = Taken()
        self._replayer = Replayer((self._taken, self._auditor), assume=assumed, about=self._auditor.about)

    def judged(self, record: Record) -> tuple[Audit, dict[str, int]]:
        """Return the audit of a record, and its statistics as a count for each column of the verdicts.

        Raises:
            RecordError: at the first line that is refused.
        """
        state = self._replayer.replay(record)
        turns = self._taken.until(state)
        counts = _NOTHING | {"turns": len(turns)}
        counts["flips"] = sum([change.was is not Designation.NEITHER for change in state.timeline.changes])
        for turn in turns:
            counts["spells"] += turn.spells
            counts[_ENDED[turn.designation]] += 1
            counts[_CASTS[turn.casts]] += 1
        return self._auditor.concluded(state, record), counts


_ENDED = {designation: f"ended_{word}" for designation, word in zip((*Designation, None), ENDED, strict=True)}
_CASTS = {casts: f"active_casts_{word}" for casts, word in zip((0, 1, 2, None), CASTS, strict=True)}
_NOTHING = dict.fromkeys(("flips", "spells", *_ENDED.values(), *_CASTS.values()), 0)
