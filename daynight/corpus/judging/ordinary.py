"""The ordinary referee over a game of a corpus: the audit and the statistics in one replay."""

from __future__ import annotations

from daynight.audit.audit import Auditor
from daynight.audit.findings import Audit
from daynight.events.terms import Designation
from daynight.questions.statistics import Statistics, Taken
from daynight.records import Record
from daynight.replay import replay


class Ordinary:
    """Judges one game after another; `edition` and `assumed` as everywhere."""

    def __init__(self, edition: str | None = None, assumed: Designation | None = None) -> None:
        self._auditor = Auditor(edition)
        self._assumed = assumed
        self._taken = Taken(self._auditor.handlers(assumed))

    def judged(self, record: Record) -> tuple[Audit, Statistics]:
        """The audit of a record and its statistics.

        Raises:
            RecordError: at the first line that is refused.
        """

        def begin() -> None:
            self._auditor.begin(record.shown, self._assumed)
            self._taken.begin()

        state = replay(record, handlers=self._taken.handlers, begin=begin, about=self._auditor.about)
        return self._auditor.concluded(state), self._taken.concluded(state, record.shown, self._assumed)
