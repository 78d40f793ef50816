"""The description of the events in a store, with which the current code is compared, and the store's format number."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from daynight.framework.language.shapes.describing import changes, description
from daynight.framework.language.wording import _, counted
from daynight.store.database.declared import FORMAT, LANGUAGE, own_tables
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import Cursor
from daynight.store.errors import DamagedError, LanguageError

NUMBER = 1
"""The format of a store's tables that this code writes."""


class Guarding:
    """Compares the current language with the description in the store, and stores the current description.

    Day and night stores no description: its record format is published, and a test of the project compares it. `error`
    is the error that `check` raises; None if the current code gives all stored lines the meaning that they had.
    """

    def __init__(self, recorder: GamesRecorder) -> None:
        self._recorder = recorder
        self._keeps = recorder.mechanic.language.marked
        self._written = not self._keeps
        self._others = set[str]()
        self.error: LanguageError | None = None
        if self._keeps:
            self._compare()

    def check(self) -> None:
        """Raise `error` if the current code would read stored lines with another meaning than they had.

        Raises:
            LanguageError: it names the changed field, and what to do.
        """
        if self.error is not None:
            raise self.error

    def knows(self, tag: object) -> bool:
        """Return whether a stored line may have this tag: a tag of this code, or of another version of the mechanic.

        Other versions stored the description of their tags. If the store of a mechanic other than day and night has no
        description, any tag may be in it.
        """
        if self._recorder.mechanic.language.knows(tag) or tag in self._others:
            return True
        if not self._keeps or not isinstance(tag, str):
            return False
        kept = _kept(self._recorder)
        if kept is None or tag in kept:
            self._others.add(tag)
            return True
        return False

    def keep(self, cursor: Cursor) -> None:
        """Store the current description and the format, inside a writing transaction, unless they are stored already.

        Raises:
            LanguageError: where the stored description is incompatible: another version may have stored it meanwhile.
        """
        if self._written:
            return
        kept = self._compare()
        self.check()
        recorder, own = self._recorder, own_tables(integer=self._recorder.integer)
        today = description(recorder.mechanic.language)
        if kept != today:
            if not recorder.has_table(LANGUAGE):
                recorder.make_table(cursor, LANGUAGE, own[LANGUAGE])
            cursor.execute(f"DELETE FROM {LANGUAGE}")
            # Tags that are old now stay described, should they ever come back.
            cursor.execute(recorder.sql(f"INSERT INTO {LANGUAGE} VALUES (?)"), (_written({**(kept or {}), **today}),))
        if not recorder.has_table(FORMAT):
            from daynight import __version__

            recorder.make_table(cursor, FORMAT, own[FORMAT])
            cursor.execute(recorder.sql(f"INSERT INTO {FORMAT} VALUES (?, ?)"), (NUMBER, __version__))
        if kept is None and recorder.select("SELECT 1 FROM stored_events LIMIT 1"):
            sentence = _("{place}: guarded from now on: code that would read its events otherwise is refused")
            recorder.say(sentence.format(place=recorder.shown))

        def noted() -> None:
            self._written = True

        # After a rollback it is not stored.
        recorder.once_stored(noted)

    def digest(self) -> str | None:
        """Return the SHA-256 of this code's description of the events, in hexadecimal; None if the store keeps none."""
        if not self._keeps or _kept(self._recorder) is None:
            return None
        return sha256(_written(description(self._recorder.mechanic.language)).encode()).hexdigest()

    def _compare(self) -> dict[str, Any] | None:
        kept = _kept(self._recorder)
        found = [] if kept is None else changes(kept, self._recorder.mechanic.language)
        if found:
            sentence = _("the events of this code are not those of the store: {change}").format(change=found[0])
            if more := len(found) - 1:
                sentence += " (" + counted("and {n} more change", "and {n} more changes", more) + ")"
            self.error = LanguageError(sentence)
        return kept


def _written(described: dict[str, Any]) -> str:
    return msgspec.json.encode(described, order="sorted").decode()


def _kept(recorder: GamesRecorder) -> dict[str, Any] | None:
    if not recorder.has_table(LANGUAGE):
        return None
    found = recorder.select(f"SELECT description FROM {LANGUAGE}")
    try:
        kept = [msgspec.json.decode(row[0], type=dict[str, dict[str, dict[str, Any]]]) for row in found]
    except (msgspec.MsgspecError, TypeError, ValueError):
        kept = []
    if len(kept) != 1 or any("type" not in field for fields in kept[0].values() for field in fields.values()):
        raise DamagedError(_("{table}: a row that daynight never wrote").format(table=LANGUAGE))
    described: dict[str, Any] = kept[0]
    return described
