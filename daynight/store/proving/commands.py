"""The rows of a game's commands, compared with the events that they say they stored.

The seal of a row contains no secret: somebody with write access to the database can plant a row for a future command,
with its seal. That command would then count as stored before, without any event of it. So a row is also compared with
the lines of its events: by `verify`, and before a command counts as repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.machine.program import program
from daynight.store.database.rows import Command, Cursor, Row, blob, typed
from daynight.store.errors import DamagedError, Fault
from daynight.store.proving.chain import seal


class Rows(Protocol):
    """The interface of the recorder that the rows of commands need."""

    def select(self, statement: str, *params: Any) -> list[Any]:
        """Return the rows that a statement finds."""
        ...

    def sql(self, statement: str) -> str:
        """Return the statement with the placeholders of this database."""
        ...

    def digest(self, game: str, number: int) -> bytes | None:
        """Return the digest stored with an event, if there is one."""
        ...


_COMMAND = "SELECT command, first_event, last_event, request, seal FROM commands"


def add_command(rows: Rows, cursor: Cursor, game: str, command: Command, digest: bytes) -> None:
    """Store the row of a command; `digest` is the digest of its last event.

    Raises:
        IntegrityError: where the command has a row already.
    """
    sealed = seal(game, command.id, command.first, command.last, command.request, digest)
    statement = rows.sql("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)")
    cursor.execute(statement, (game, command.id, command.first, command.last, blob(command.request), blob(sealed)))


def stored_command(rows: Rows, game: str, id: str) -> Command | None:
    """Return the row of a command; None if it stored nothing.

    Raises:
        DamagedError: where its seal does not fit, its events are missing, or another row names the same events.
    """
    found = rows.select(f"{_COMMAND} WHERE game = ? AND command = ?", game, id)
    if not found:
        return None
    command = Command(*typed("commands", found[0], str, int, int, bytes, bytes))
    overlapping = "SELECT 1 FROM commands WHERE game = ? AND command <> ? AND first_event <= ? AND last_event >= ?"
    others = rows.select(overlapping, game, id, command.last, command.first)
    if others or not is_sealed(game, command, rows.digest(game, command.last)):
        sentence = _("{said}; {program} verify says more").format(said=said(command), program=program())
        raise DamagedError(sentence, game=game, event=command.first)
    return command


def command_at(rows: Rows, game: str, number: int) -> Command | None:
    """Return the row of the command that stored event `number`; None if no row names that event.

    Raises:
        DamagedError: as `stored_command`.
    """
    latest = "SELECT command FROM commands WHERE game = ? AND first_event <= ? AND last_event >= ?"
    found = rows.select(latest, game, number, number)
    return None if not found else stored_command(rows, game, *typed("commands", found[0], str))


def stored_commands(rows: Rows, game: str) -> list[Command]:
    """Return the rows of a game's commands, by id."""
    found = rows.select(f"{_COMMAND} WHERE game = ?", game)
    commands = [Command(*typed("commands", row, str, int, int, bytes, bytes)) for row in found]
    return sorted(commands, key=lambda command: command.id)


def said(command: Command) -> str:
    """Return the sentence about a row that contradicts the events."""
    sentence = _("command {command} is said to have stored events {first} to {last}")
    return sentence.format(command=repr(command.id), first=command.first, last=command.last)


def is_sealed(game: str, command: Command, digest: bytes | None) -> bool:
    """Return whether the seal of a row is right; `digest` is the digest of its last event, if there is one."""
    if digest is None or not 1 <= command.first <= command.last:
        return False
    return command.seal == seal(game, command.id, command.first, command.last, command.request, digest)


class Commands:
    """Checks the commands of one game while its events are read."""

    def __init__(self, mechanic: Mechanic[Any, Any, Any], game: str, commands: Sequence[Command]) -> None:
        self._game = game
        self._tags = mechanic.language.tags
        self._filled: frozenset[type] | None = getattr(mechanic.fill, "kinds", None)
        """The event types that the mechanic's `fill` completes; None if it, or older code, may complete any type."""
        if mechanic.language.marked and (mechanic.version != 1 or mechanic.language.upcasters):
            self._filled = None
        self._commands = sorted(commands, key=lambda command: command.first)
        self._next = 0
        self._rows: list[Row] = []
        self._other: set[str] = set()
        """The ids of the commands whose stored events do not match their request, a SHA-256 of the requested lines."""

    def take(self, rows: Sequence[Row]) -> None:
        """Take the next rows of the game; add to `_other` the ids of commands whose request asked for other events."""
        at, commands = 0, self._commands
        while at < len(rows) and self._next < len(commands):
            command = commands[self._next]
            if command.last < (number := rows[at].number):
                # Its events are missing, or belong to another command: see `fault`.
                self._next, self._rows = self._next + 1, []
            elif command.first > number:
                at += command.first - number
            else:
                end = at + command.last - number + 1
                self._rows += rows[at:end]
                at = end
                if end <= len(rows):
                    self._conclude(command)

    def _conclude(self, command: Command) -> None:
        rows, self._rows = self._rows, []
        self._next += 1
        lines = [row.line for row in rows]
        if _digests_to(lines, command.request) or self._was_made_of_more(rows):
            return
        self._other.add(command.id)

    def _was_made_of_more(self, rows: Sequence[Row]) -> bool:
        """Return whether the stored events may differ from the request: code completed them, or a server made them.

        A server turns a request in words into events, and notes the author of the request in their `meta`.
        """
        if self._filled is None:
            return True
        kinds = [self._tags.get(row.tag) for row in rows]
        is_filled = any(kind is None or kind in self._filled for kind in kinds)
        return is_filled or any(b'"meta":' in row.line for row in rows)

    def fault(self, digests: dict[int, bytes], last: int) -> Fault | None:
        """Return the fault of the first command whose events, seal or request is wrong; None if all are right.

        `digests` are the digests by event number; event `last` is the last one.
        """
        reached = 0
        for command in self._commands:
            if not 1 <= command.first <= command.last <= last:
                event = last + 1 if command.last > last else min(max(command.first, 1), last)
                return Fault(event, said(command))
            if command.first <= reached or not is_sealed(self._game, command, digests[command.last]):
                return Fault(command.first, said(command))
            if command.id in self._other:
                sentence = _("{said}; these are not the events that it asked for").format(said=said(command))
                return Fault(command.first, sentence)
            reached = command.last
        return None


def _digests_to(lines: Sequence[bytes], request: bytes) -> bool:
    """Return whether the joined lines, perhaps without the `rules` field of the first, have the SHA-256 `request`."""
    if any(sha256(written).digest() == request for written in _written(lines)):
        return True
    # The mark of the rules was added to the first line when it was stored.
    first = _unmarked(lines[0])
    return first is not None and any(sha256(each).digest() == request for each in _written([first, *lines[1:]]))


def _written(lines: Sequence[bytes]) -> tuple[bytes, bytes]:
    # The first releases included the last line feed.
    together = b"\n".join(lines)
    return together, together + b"\n"


def _unmarked(line: bytes) -> bytes | None:
    if b'"rules":' not in line:
        return None
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return None
    del fields["rules"]
    return msgspec.json.encode(fields)
