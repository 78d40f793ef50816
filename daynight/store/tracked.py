"""Tracks how far the events were read into a table, and which version of the mechanic made its rows.

The row `library:4` in the table `tracking` has the position of the last event that version 4 of the mechanic applied.
Rows of an older version are rebuilt, and those of a newer one are not touched. `library:4 left` has the position of the
first event that this code could not read; another process tries again from there.
"""

from __future__ import annotations

from typing import Any

from eventsourcing.persistence import Tracking

from daynight.framework.folding.marks import Version, spelled
from daynight.framework.language.wording import _
from daynight.store.database.declared import forget_tracked
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Cursor
from daynight.store.errors import ConflictError, DamagedError

_LEFT = " left"
_OF_A_TABLE = (
    "SELECT application_name, notification_id FROM tracking WHERE application_name = ?"
    " OR substr(application_name, 1, ?) = ?"
)


def _version_in(name: str) -> tuple[int, ...]:
    """Return the version in a tracked name; names without one, from older stores, count as the lowest version."""
    return tuple(int(part) for part in name.partition(":")[2].split(".") if part.isdecimal())


class Tracked:
    """The position up to which this version of the mechanic has applied events to a view's table."""

    def __init__(self, recorder: GamesRecorder, view: str, table: str, version: Version) -> None:
        self._recorder = recorder
        self._view = view
        self._table = table
        self._name = f"{table}:{spelled(version)}"

    def place(self) -> int:
        """Return the position of the last applied event; 0 before the first.

        Raises:
            ConflictError: where the table belongs to newer code.
            DamagedError: where the position is not valid.
        """
        found = self._found()
        if newer := [name for name in found if _version_in(name) > _version_in(self._name)]:
            sentence = _("newer code keeps the {view}, by rules {newer}; these are {ours}; rebuild it to take it back")
            versions = {"newer": newer[0].partition(":")[2], "ours": self._name.partition(":")[2]}
            raise ConflictError(sentence.format(view=self._view, **versions))
        place = found.get(self._name, 0)
        if type(place) is not int:
            raise no_row(self._view)
        return place

    def made(self) -> bool:
        """Return whether this version has applied events to the table."""
        return self._name in self._found()

    def older(self) -> str | None:
        """Return the older version that made the rows, if there is one; "" if it is unknown which."""
        return next((name.partition(":")[2] for name in self._found() if name != self._name), None)

    def track(self, cursor: Cursor, place: int) -> None:
        """Store the position of the last applied event.

        Raises:
            IntegrityError: where another process has stored this position, or a later one, already.
        """
        self._recorder.track(cursor, Tracking(self._name, place))

    def forget(self, cursor: Cursor) -> None:
        """Forget all positions of the table."""
        forget_tracked(self._recorder, cursor, self._table)

    def left(self) -> int | None:
        """Return the position of the first event that this code could not read, if there was one."""
        found = self._recorder.select(
            "SELECT notification_id FROM tracking WHERE application_name = ?", f"{self._name}{_LEFT}"
        )
        return found[0][0] if found else None

    def lacks(self, game: str, number: int, place: int) -> bool:
        """Return whether a row with a record's first `number` events should have the next event too.

        `place` is the position of the last applied event. Events from the first unreadable one on do not count: they
        are tried again.
        """
        statement = (
            f"SELECT {self._recorder.place} FROM stored_events WHERE originator_id = ? AND originator_version = ?"
        )
        found = self._recorder.select(statement, game, max(number, 0) + 1)
        if not found or found[0][0] > place:
            return False
        left = self.left()
        return type(left) is not int or left > found[0][0]

    def leave(self, cursor: Cursor, place: int) -> None:
        """Store `place`, the position of an unreadable event; do nothing if `place` is 0 or a position is stored."""
        if place and self.left() is None:
            self._recorder.track(cursor, Tracking(f"{self._name}{_LEFT}", place))

    def arrive(self, cursor: Cursor) -> None:
        """Delete the position that `leave` stored: all events could be read now."""
        statement = "DELETE FROM tracking WHERE application_name = ?"
        cursor.execute(self._recorder.sql(statement), (f"{self._name}{_LEFT}",))

    def _found(self) -> dict[str, Any]:
        """Return the position of each version by its row's name, `library:4`: there is one version, or none."""
        beginning = f"{self._table}:"
        found = self._recorder.select(_OF_A_TABLE, self._table, len(beginning), beginning)
        return {str(name): place for name, place in found if not str(name).endswith(_LEFT)}


def not_followed(view: str) -> str:
    """Return the sentence that a row of a view does not match its events, and that the view should be rebuilt."""
    return _("its row in the {view} does not follow from its events; rebuild the {view}").format(view=view)


def no_row(view: str) -> DamagedError:
    """Return the error for a row or a position that daynight never wrote."""
    return DamagedError(_("the {view} has a row that is none; rebuild it").format(view=view))
