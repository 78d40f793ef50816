"""The timeline: every change of the designation, in order."""

from __future__ import annotations

from daynight.events.consequences import Changed
from daynight.referee.worlds.chains import Chain, chained, unchained


class Timeline:
    """All changes so far, of all possibilities, without undone ones. If `remember` is False, none is kept."""

    __slots__ = ("_last", "_remember")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self._last: Chain[Changed] = None

    @classmethod
    def restored(cls, changes: tuple[Changed, ...]) -> Timeline:
        """Make a timeline of these changes."""
        timeline = cls()
        timeline._last = chained(changes)
        return timeline

    def fold(self, change: Changed) -> None:
        """Add a change."""
        if self._remember:
            self._last = (change, self._last)

    def forget(self, since: int) -> None:
        """Remove every change of event `since` and later: the possibilities in which they happened were excluded."""
        while self._last is not None and self._last[0].event >= since:
            self._last = self._last[1]

    @property
    def changes(self) -> tuple[Changed, ...]:
        """The changes, the oldest first."""
        return unchained(self._last)

    def copy(self) -> Timeline:
        """Return an independent copy; the changes so far are shared."""
        other = Timeline(self._remember)
        other._last = self._last
        return other
