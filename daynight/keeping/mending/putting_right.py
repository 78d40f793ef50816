"""Stores a correction of a stored game as one command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from daynight.framework.edits import Edit, Recordable
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.keeping.mending.correcting import Played, changes, corrected
from daynight.store import Appended, ConflictError

_TRIES = 20


def _understood(game: Played, said: Recordable, by: str) -> Sequence[Any]:
    """Return the events of an inserted text; each has the person who corrects as `by` in its `meta`."""
    return [changed(event, meta={**(event.meta or {}), "by": by}) for event in game.understood(said)]


def put_right(store: Store, game: str, edits: Sequence[Edit], by: str, *, command: str | None = None) -> Appended:
    """Store a correction of a game: all of it, or nothing; return the numbers of its events.

    The same correction with the same `command` is stored once. If another process stores events meanwhile, the
    correction is made again.

    Raises:
        RecordError, AskedError, NotFoundError: where an edit cannot be made, or a later event becomes impossible.
        ConflictError: where the id `command` was used for something else, or others store events again and again.
        StoreError: where the store refuses the correction.
    """
    told = [edit.document() for edit in edits]
    request = sha256(msgspec.json.encode({"edits": told}, order="sorted")).digest()
    for left in reversed(range(_TRIES)):
        found = None if command is None else store.command(game, command)
        if found is not None and command is not None:
            if found.request != request:
                sentence = _("the command id {id} was used for something else; take a new one")
                raise ConflictError(sentence.format(id=repr(command)), game=game)
            return Appended(game=game, first=found.first, last=found.last, command=command, repeated=True)
        there = store.load(game)
        events = corrected(there, changes(there, edits), by, {"edits": told}, partial(_understood, by=by))
        asked = store.application.writer.asked(
            game, events, command=command, expected=len(there), request=request, placed=True
        )
        try:
            return store.put(asked)
        except ConflictError:
            # Somebody else stored events meanwhile: it is made again, from the game as it is now.
            if not left or store.last(game) == len(there):
                raise
    raise AssertionError
