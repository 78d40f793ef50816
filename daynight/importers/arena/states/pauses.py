"""Long pauses in a log, and the beginnings of further logs: after these, a change may be one of another game."""

from __future__ import annotations

from daynight.importers.arena.messages import Wrapper, milliseconds

PAUSE = 300_000
"""After how many milliseconds without a message of a game the next one may be another game's..."""

LONG = 1_800_000
"""...and after how many it is, if nothing says that the game goes on."""


class Pauses:
    """The clock of the messages of games, until a state agrees with the game (`settle`)."""

    def __init__(self) -> None:
        self._time = 0
        self._longest = 0
        self._is_next = False

    def next_log(self, open: bool) -> None:
        """Another log begins; `open`: within a game."""
        self._is_next = open

    def count(self, wrapper: Wrapper) -> None:
        """Read the time of a line with messages of a game."""
        now = milliseconds(wrapper.timestamp) or self._time
        if self._time and abs(now - self._time) > PAUSE:
            self._longest = max(self._longest, abs(now - self._time))
        self._time = now

    @property
    def suspect(self) -> bool:
        """Whether a change may be one of another game."""
        return self._is_next or self._longest > PAUSE

    @property
    def long(self) -> bool:
        """Whether the pause was so long that another game began, unless something shows that this one continues."""
        return self._longest > LONG

    def settle(self) -> None:
        """The game goes on, or another one began."""
        self._is_next, self._longest = False, 0
