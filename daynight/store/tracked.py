"""How far the events were read into a table, and which version of the mechanic made its rows.

`library:4` in the table `tracking` has the place of the last event that version 4 of the mechanic took in. Rows of an
older version are made anew, and those of a newer one are left alone. `library:4 left` has the place of the first event
that this code could not read; another process tries again from there.
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
    """Return the version in a tracked name; that of rows made before versions were written down is the least."""
    return tuple(int(part) for part in name.partition(":")[2].split(".") if part.isdecimal())


class Tracked:
    """How far the events were read into a table of a view, by this version of the mechanic."""

    def __init__(self, recorder: GamesRecorder, view: str, table: str, version: Version) -> None:
        self._recorder = recorder
        self._view = view
        self._table = table
        self._name = f"{table}:{spelled(version)}"

    def place(self) -> int:
        """Return the place of the last event that was taken in; 0 before the first.

        Raises:
            ConflictError: where newer code keeps the table.
            DamagedError: where the place is none.
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
        """Return whether this version made the rows."""
        return self._name in self._found()

    def older(self) -> str | None:
        """Return the older version that made the rows, if one did; "" if that is not known."""
        return next((name.partition(":")[2] for name in self._found() if name != self._name), None)

    def track(self, cursor: Cursor, place: int) -> None:
        """Note the place of the last event that was taken in.

        Raises:
            IntegrityError: where somebody else has come as far already.
        """
        self._recorder.track(cursor, Tracking(self._name, place))

    def forget(self, cursor: Cursor) -> None:
        """Forget how far anybody has come."""
        forget_tracked(self._recorder, cursor, self._table)

    def left(self) -> int | None:
        """Return the place of the first event that this code could not read, if there was one."""
        found = self._recorder.select(
            "SELECT notification_id FROM tracking WHERE application_name = ?", f"{self._name}{_LEFT}"
        )
        return found[0][0] if found else None

    def lacks(self, game: str, number: int, place: int) -> bool:
        """Return whether a row that has a record's first `number` events lacks one that was taken in.

        `place` is how far events were taken in. What code could not read is no fault of the row: it is tried again.
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
        """Note that this code could not read an event; the first such place stays."""
        if place and self.left() is None:
            self._recorder.track(cursor, Tracking(f"{self._name}{_LEFT}", place))

    def arrive(self, cursor: Cursor) -> None:
        """Forget that events were left out."""
        statement = "DELETE FROM tracking WHERE application_name = ?"
        cursor.execute(self._recorder.sql(statement), (f"{self._name}{_LEFT}",))

    def _found(self) -> dict[str, Any]:
        """Return how far each version has come: one of them, or none."""
        beginning = f"{self._table}:"
        found = self._recorder.select(_OF_A_TABLE, self._table, len(beginning), beginning)
        return {str(name): place for name, place in found if not str(name).endswith(_LEFT)}


def not_followed(view: str) -> str:
    """Return the sentence about a row of a view, or its place in an index, that other events would have made."""
    return _("its row in the {view} does not follow from its events; rebuild the {view}").format(view=view)


def no_row(view: str) -> DamagedError:
    """The error for a row that no view wrote."""
    return DamagedError(_("the {view} has a row that is none; rebuild it").format(view=view))
