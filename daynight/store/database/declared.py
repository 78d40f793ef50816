"""The tables that a store creates on demand: for its mechanic, views, rules, language, format and list of games.

A store without these tables, as all older stores are, keeps games of day and night, and its only view is the list of
games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from daynight.framework.folding.marks import spelled
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Cursor
from daynight.store.errors import ConflictError, DamagedError, StoreError

UNMARKED = "daynight"
"""The mechanic of a store that does not name one."""

MECHANIC, VIEWS, RULES = "daynight_mechanic", "daynight_views", "daynight_rules"
"""The tables of the mechanic's name, of the views, and, for a mechanic without `check`, of the rules of each append."""

LANGUAGE, FORMAT = "daynight_language", "daynight_format"
"""Two tables: the description of the events; the number of the store's format, and the daynight that wrote it."""

LISTED = "daynight_listed"
"""The table of (player, verdict, game); it is created at the first search for the games of a player or of a verdict."""

_VERSION = re.compile(r"[1-9][0-9]*(\.[1-9][0-9]*)*")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_COLUMN = re.compile(r"([a-z][a-z0-9_]{0,39}) (INTEGER|TEXT)")


def own_tables(*, integer: str) -> dict[str, str]:
    """Return the tables that a store creates on demand: the SQL columns of each table, by its name."""
    return {
        MECHANIC: "name TEXT NOT NULL, PRIMARY KEY (name)",
        LANGUAGE: "description TEXT NOT NULL, PRIMARY KEY (description)",
        FORMAT: f"format {integer} NOT NULL, daynight TEXT NOT NULL, PRIMARY KEY (format)",
        RULES: f"game TEXT NOT NULL, event {integer} NOT NULL, version TEXT NOT NULL, PRIMARY KEY (game, event)",
        LISTED: "player TEXT NOT NULL, verdict TEXT NOT NULL, game TEXT NOT NULL, PRIMARY KEY (player, verdict, game)",
        VIEWS: f"name TEXT NOT NULL, version {integer} NOT NULL, columns TEXT NOT NULL, PRIMARY KEY (name)",
    }


def view_table(name: str) -> str:
    """Return the name of the SQL table of the view `name`: `daynight_view_` and the name."""
    return f"daynight_view_{name}"


def view_columns(columns: str, *, integer: str) -> str:
    """Return all SQL columns of a view's table: `game`, `events`, then `columns` (`casts INTEGER, leader TEXT`)."""
    parts = [column.partition(" ") for column in columns.split(", ")]
    own = "".join(f' "{column}" {kind.replace("INTEGER", integer)},' for column, _space, kind in parts)
    return f"game TEXT NOT NULL, events {integer} NOT NULL,{own} PRIMARY KEY (game)"


def listed(name: str, columns: Mapping[str, type]) -> str:
    """Return the columns of a view in the form in which the store lists them: `casts INTEGER, leader TEXT`.

    Raises:
        ValueError: where there is no column, one has another type than `int` and `str` or is called `game` or `events`,
            or a name is not 1 to 40 small letters, digits and underscores that begin with a letter.
    """
    kinds = {int: "INTEGER", str: "TEXT"}
    found = ", ".join(f"{column} {kinds.get(kind, kind.__name__)}" for column, kind in columns.items())
    if not is_listed(name, found):
        raise ValueError(f"no view: {name} ({found}); names are small words, and columns int or str")
    return found


def list_view(recorder: GamesRecorder, name: str, version: int, columns: str, *, back: bool = False) -> bool:
    """Register a view with this version and these columns in the store, and create its table, empty.

    If the store lists an older version of the view, that version's table is deleted; with `back` also a newer one's.
    Return whether the store lists this version with these columns now; a read-only store is not changed.

    Raises:
        ConflictError: without `back`, where the store lists a newer version, or this version with other columns.
    """

    def is_there() -> bool:
        return recorder.has_table(VIEWS) and has_view(recorder, name, version, columns)

    if is_there() or recorder.fixed:
        return is_there()
    with recorder.transaction(write=True) as cursor:
        # Nobody else writes now.
        if is_there():
            return True
        if not back:
            _check_newer(recorder, name, version)
        table = view_table(name)
        if not recorder.has_table(VIEWS):
            recorder.make_table(cursor, VIEWS, own_tables(integer=recorder.integer)[VIEWS])
        cursor.execute(recorder.sql(f"DELETE FROM {VIEWS} WHERE name = ?"), (name,))
        forget_tracked(recorder, cursor, table)
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        recorder.make_table(cursor, table, view_columns(columns, integer=recorder.integer))
        cursor.execute(recorder.sql(f"INSERT INTO {VIEWS} VALUES (?, ?, ?)"), (name, version, columns))
        return True


def _check_newer(recorder: GamesRecorder, name: str, version: int) -> None:
    """Raise ConflictError if the store lists a newer version of the view, or this version with other columns."""
    found = recorder.select(f"SELECT version FROM {VIEWS} WHERE name = ?", name) if recorder.has_table(VIEWS) else []
    there = found[0][0] if found else 0
    if there > version:
        sentence = _("newer code keeps the view {view}, in version {newer}; this is {ours}; rebuild it to take it back")
        raise ConflictError(sentence.format(view=name, newer=there, ours=version))
    if there == version:
        sentence = _("the view {view} has other columns in version {version}; raise its version")
        raise ConflictError(sentence.format(view=name, version=version))


def forget_tracked(recorder: GamesRecorder, cursor: Cursor, table: str) -> None:
    """Delete the tracked position of the view with this table, whichever version of the view stored it."""
    statement = "DELETE FROM tracking WHERE application_name = ? OR substr(application_name, 1, ?) = ?"
    cursor.execute(recorder.sql(statement), (table, len(table) + 1, f"{table}:"))


def has_view(recorder: GamesRecorder, name: str, version: int, columns: str) -> bool:
    """Return whether the table `VIEWS`, which must exist, lists the view with this version and these columns."""
    found = recorder.select(f"SELECT version, columns FROM {VIEWS} WHERE name = ?", name)
    return [tuple(row) for row in found] == [(version, columns)]


def view_tables(recorder: GamesRecorder) -> list[str]:
    """Return the names of the tables of all listed views, and `LISTED` if that table exists."""
    index = [LISTED] if recorder.has_table(LISTED) else []
    if not recorder.has_table(VIEWS):
        return index
    return [*index, *tables_of(recorder.select(f"SELECT name, columns FROM {VIEWS}"), integer=recorder.integer)]


def is_listed(name: object, columns: object) -> bool:
    """Return whether both are valid for a view: its name, and its columns in the form that `listed` returns."""
    if not isinstance(name, str) or not isinstance(columns, str) or not _NAME.fullmatch(name):
        return False
    found = [_COLUMN.fullmatch(column) for column in columns.split(", ")]
    names = [each[1] for each in found if each]
    return len({*names, "game", "events"}) == len(found) + 2


def tables_of(views: Iterable[tuple[object, object]], *, integer: str) -> dict[str, str]:
    """Return the tables of `views` (name, listed columns): the SQL columns of each table, by its name.

    Raises:
        DamagedError: where a listed entry is no valid view.
    """
    found = {}
    for name, columns in views:
        if not is_listed(name, columns):
            raise DamagedError(_("{table}: a row that daynight never wrote").format(table=VIEWS))
        found[view_table(str(name))] = view_columns(str(columns), integer=integer)
    return found


def note_rules(recorder: GamesRecorder, cursor: Cursor, game: str, event: int) -> None:
    """Store the current version of the rules as the one that checks a game's events from number `event` on.

    Nothing is stored if the last row of the game names this version; nor for day and night, whose rules have editions,
    nor for a mechanic with a `check`, whose events name their version themselves.
    """
    mechanic = recorder.mechanic
    if mechanic.check is not None or not mechanic.language.marked:
        return
    version = spelled(mechanic.version)
    if rules_of(recorder, game, event) != version:
        note_version(recorder, cursor, game, event, version)


def note_version(recorder: GamesRecorder, cursor: Cursor, game: str, event: int, version: str) -> None:
    """Store that this version of the rules checks appends to a game from this event on."""
    if not recorder.has_table(RULES):
        recorder.make_table(cursor, RULES, own_tables(integer=recorder.integer)[RULES])
    cursor.execute(recorder.sql(f"INSERT INTO {RULES} VALUES (?, ?, ?)"), (game, event, version))


def noted_rules(recorder: GamesRecorder, game: str) -> list[tuple[int, str]]:
    """Return (event, version) pairs: from that event on, a game was appended to under that version of the rules.

    Raises:
        DamagedError: where a row was not written by daynight.
    """
    if not recorder.has_table(RULES):
        return []
    found = recorder.select(f"SELECT event, version FROM {RULES} WHERE game = ? ORDER BY event", game)
    for event, version in found:
        if type(event) is not int or type(version) is not str or not _VERSION.fullmatch(version):
            raise DamagedError(_("{table}: a row that daynight never wrote").format(table=RULES), game=game)
    return [(event, version) for event, version in found]


def rules_of(recorder: GamesRecorder, game: str, event: int) -> str:
    """Return the version under which an event of a mechanic without `check` was appended; "" if unknown."""
    if not recorder.has_table(RULES):
        return ""
    statement = f"SELECT version FROM {RULES} WHERE game = ? AND event <= ? ORDER BY event DESC LIMIT 1"
    found = recorder.select(statement, game, event)
    return str(found[0][0]) if found else ""


def other_format(place: object, found: object, known: int, writer: str) -> str:
    """Return an error's sentence: daynight `writer` wrote the store at `place` in format `found`, not in `known`."""
    by = _("daynight {version}").format(version=tame(writer[:40])) if writer else _("another daynight")
    sentence = _(
        "{place}: written by {writer}: a store of version {version}, and this daynight knows {known}; use that one"
    )
    return sentence.format(place=place, writer=by, version=found, known=known)


def check_mechanic(recorder: GamesRecorder, name: str, place: str) -> None:
    """Check that a store keeps records of the mechanic `name`; write this name to an empty store that names none.

    Raises:
        StoreError: where it keeps records of another mechanic.
    """
    if _kept(recorder) == name:
        return
    if not recorder.fixed and not recorder.has_table(MECHANIC):
        with recorder.transaction(write=True) as cursor:
            # Nobody else writes now.
            if not recorder.has_table(MECHANIC) and not recorder.select("SELECT 1 FROM stored_events LIMIT 1"):
                recorder.make_table(cursor, MECHANIC, own_tables(integer=recorder.integer)[MECHANIC])
                cursor.execute(recorder.sql(f"INSERT INTO {MECHANIC} VALUES (?)"), (name,))
    check_kept(recorder, name, place)


def check_kept(recorder: GamesRecorder, name: str, place: str) -> None:
    """Check that a store keeps records of the mechanic `name`, and never write to the store.

    Raises:
        StoreError: where it keeps records of another mechanic.
    """
    kept = _kept(recorder)
    if kept != name:
        sentence = _("{place}: a store of {kept}, not of {name}; open it with its own mechanic")
        raise StoreError(sentence.format(place=place, kept=kept, name=name))


def _kept(recorder: GamesRecorder) -> str:
    if not recorder.has_table(MECHANIC):
        return UNMARKED
    found = [name for (name,) in recorder.select(f"SELECT name FROM {MECHANIC}")]
    if len(found) != 1 or not isinstance(found[0], str):
        raise DamagedError(_("{table}: a row that daynight never wrote").format(table=MECHANIC))
    return found[0]
