"""Detects long pauses and new logs: after these, a state that names no game may belong to another game."""

from __future__ import annotations

from daynight.importers.arena.messages import Wrapper, milliseconds

PAUSE = 300_000
"""Milliseconds without a message after which the next message may belong to another game."""

LONG = 1_800_000
"""Milliseconds after which it does belong to another game, unless something shows that the game continues."""


class Pauses:
    """Keeps the time of messages, and whether another game is suspected, until a state settles it (`settle`)."""

    def __init__(self) -> None:
        self._time = 0
        self._longest = 0
        self._is_next = False

    def next_log(self, open: bool) -> None:
        """Note that another log begins; `open`: a game has begun that may continue in it."""
        self._is_next = open

    def count(self, wrapper: Wrapper) -> None:
        """Save the time of a line, and the pause before it if that is the longest since `settle`."""
        now = milliseconds(wrapper.timestamp) or self._time
        if self._time and abs(now - self._time) > PAUSE:
            self._longest = max(self._longest, abs(now - self._time))
        self._time = now

    @property
    def suspect(self) -> bool:
        """Return whether a state that names no game may belong to another game."""
        return self._is_next or self._longest > PAUSE

    @property
    def long(self) -> bool:
        """Return whether the pause was so long that another game began, unless a state shows that this one goes on."""
        return self._longest > LONG

    def settle(self) -> None:
        """Note that it is certain which game continues."""
        self._is_next, self._longest = False, 0
