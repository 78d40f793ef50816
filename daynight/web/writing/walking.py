"""What-ifs to look through: a branch is served like a game, although nothing of it is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from daynight.framework.branches import Branch, LeftOut, branched
from daynight.framework.edits import Edit, drop
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import language
from daynight.store.threads import Lately
from daynight.web.file_game import GameInMemory, Played
from daynight.web.shelf import Shelved
from daynight.web.writing.tries import NAME, AskedEdit, edits_of

KEPT = 4
"""The number of cached what-ifs, so that each request about one does not replay it."""

OF_THE_RECORD = ("dispute-", "note-")
"""The prefixes of event types that no back-up undoes."""

Asked = Annotated[str, Meta(max_length=1000)]


class Walked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"start": "from"}):
    """Edits to try, and the query parameters of the route that then reads the branch like a game.

    `leave_out` leaves out events that become impossible; without it the branch ends before the first of them.
    """

    edits: list[AskedEdit]
    leave_out: bool = False
    at: Asked | int | UnsetType = UNSET
    start: Asked | int | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    after: Asked | UnsetType = UNSET
    kind: Asked | UnsetType = UNSET
    edition: Asked | UnsetType = UNSET
    permanent: Asked | UnsetType = UNSET
    part: Asked | UnsetType = UNSET
    subject: Asked | UnsetType = UNSET

    def asked(self) -> dict[str, Any]:
        """Return the parameters that were given, by their names in a query string; positions become text."""
        names = {field.encode_name: getattr(self, field.name) for field in msgspec.structs.fields(self)}
        given = {name: value for name, value in names.items() if name not in ("edits", "leave_out")}
        numbers = ("at", "from")
        return {name: str(value) if name in numbers else value for name, value in given.items() if value is not UNSET}


class TriedGame(GameInMemory):
    """A branch of a game, served like a file; `impossible` are the game's events that are impossible on the branch."""

    def __init__(self, of: Shelved, branch: Branch[Any], impossible: tuple[LeftOut, ...]) -> None:
        super().__init__(of.name, of.label, branch.game, encode_lines(branch.events).removesuffix(b"\n").split(b"\n"))
        self.branch, self.impossible = branch, impossible

    def document(self) -> dict[str, Any]:
        """Return what every answer adds about the what-if: its number of events, and its impossible events.

        `parted` is the last event that it shares with the game, `stopped` the impossible event before which it ends.
        """
        stopped = self.branch.stopped
        return {
            "events": self.last,
            "parted": self.branch.parted,
            "impossible": [_lost(one) for one in self.impossible],
            "stopped": None if stopped is None else _lost(stopped),
        }


_HELD: Lately[tuple[Any, ...], TriedGame] = Lately(KEPT)


def walked(of: Shelved, asked: Walked) -> TriedGame:
    """Return the branch that these edits make; events that were undone in the game are left out.

    Raises:
        Problem, AskedError, RecordError, NotFoundError: where an edit cannot be made.
    """
    # The reasons why events are impossible are in the language of the request.
    key = of.name, of.digest(of.last), json.dumps(msgspec.to_builtins(asked.edits)), asked.leave_out, language()
    found = _HELD.get(key)
    if found is None:
        for other, _tried in _HELD.items():
            if other[0] == key[0] and other[1] != key[1]:
                # The record has grown: nobody asks about its earlier end any more.
                _HELD.take(other)
        game = of.game()
        edits = edits_of(asked.edits)
        edits += [*_undone(game, edits)]
        lenient = branched(game, edits, name=NAME, leave_out=True)
        lost = lenient.left_out
        branch = lenient if asked.leave_out or not lost else branched(game, edits, name=NAME)
        found = TriedGame(of, branch, lost)
        _HELD.put(key, found)
    return found


def _undone(game: Played, edits: list[Edit]) -> Iterator[Edit]:
    """Yield edits that leave out undone events and back-ups, but not those that `edits` change, notes or disputes."""
    restores = game.mechanic.restores
    if all(restores(event) is None for event in game.events):
        return
    edited = {game.number(edit.at) for edit in edits if edit.kind != "insert"}
    for number, event in enumerate(game.events, 1):
        gone = restores(event) is not None or not game.stands(number)
        if gone and number not in edited and not str(tag_of(type(event))).startswith(OF_THE_RECORD):
            yield drop(number)


def _lost(lost: LeftOut) -> dict[str, Any]:
    return {"event": lost.number, "type": tag_of(type(lost.event)), "reason": lost.reason}
