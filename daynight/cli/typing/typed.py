"""Reads events that a person types for a stored game, in words or JSON, in the state in which they happen."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from daynight.events import Event, decode
from daynight.framework.language.errors import NotFoundError, RecordError, UnreadableError
from daynight.framework.language.source import STORED
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.notation import Names
from daynight.notation.alignment import placed
from daynight.notation.lines.lines import parted
from daynight.notation.lines.parsing import tree_of
from daynight.notation.phrases import happening
from daynight.store import Appended, ConflictError

_TRIES = 20
_BLANK = b" \t\r"


def says_nothing(line: bytes) -> bool:
    """Return whether a line is blank, or a comment of the notation."""
    words = line.strip(_BLANK)
    return (not words or words.startswith(b"#")) and len(line) <= LINE_LENGTH


def unquoted_line(events: Sequence[str]) -> str | None:
    """Return the arguments joined into one line, if the shell seems to have split one line into words; else None."""
    line = " ".join(events)
    if len(events) != len(line.split()) or len(events) < 2 or len(line) > LINE_LENGTH:
        return None
    try:
        tree_of(parted(line).text)
    except RecordError:
        return None
    return line


class _Typed(NamedTuple):
    """An event, and the line of words that it came from; None if that was JSON."""

    event: Event
    words: str | None


class Typist:
    """Reads and stores the events that a person types for one stored game."""

    def __init__(self, store: Store, game: str) -> None:
        self._store = store
        self.game = game
        self._names: Names | None = None

    def append(self, lines: Sequence[bytes], command: str | None, expected: int | None) -> Appended | None:
        """Store the events of these lines together; return None if they mean no event: `Ana passes`, `Bo attacks`.

        Names are looked up in exactly the state to which the events are appended: if another client appended first, the
        words are read again. A repeated command is read in the state of its first run.

        Raises:
            RecordError: naming the game, the number that the refused event would have had and, for words, the column.
            NotFoundError, ConflictError, UnavailableError: as `Store.append`.
        """
        for left in reversed(range(_TRIES)):
            # Read this before looking for the command: if that is stored meanwhile, the append conflicts, and we retry.
            head = self._store.last(self.game)
            typed: list[_Typed] = []
            in_words = False
            try:
                after = self._after(head, command, expected)
                self._read(lines, after, typed)
                if not typed and lines:
                    return None
                in_words = any(one.words is not None for one in typed)
                events = [one.event for one in typed]
                at = head if in_words and expected is None else expected
                return self._store.append(self.game, events, command=command, expected=at)
            except RecordError as error:
                raise self._placed(error, typed, head) from None
            except ConflictError:
                # Only words are read again: JSON means the same after any event.
                if not in_words or expected is not None or not left or self._store.last(self.game) == head:
                    raise
        raise AssertionError

    def _after(self, head: int, command: str | None, expected: int | None) -> int:
        """Return the event after which the new events happen; for a repeated `command`, that of its first run."""
        before = None if command is None else self._store.command(self.game, command)
        if before is not None:
            return before.first - 1
        return head if expected is None else min(head, expected)

    def _read(self, lines: Sequence[bytes], after: int, typed: list[_Typed]) -> None:
        """Add the events of the lines to `typed`; each line is read in the state after the lines before it."""
        for line in lines:
            text = _words(line)
            if text is not None and says_nothing(line):
                sentence = _("only a comment; write what happens before it, as: Ana casts Opt  # countered")
                raise UnreadableError(sentence, column=text.find("#") + 1)
            if text is None:
                typed.append(_Typed(decode(line), None))
                continue
            if not after and not self._store.last(self.game):
                raise NotFoundError(_("no game {game}; begin it with daynight new").format(game=repr(self.game)))
            state = self._store.ahead(self.game, max(after, 1), [one.event for one in typed])
            self._names = self._names or Names(self._store.catalogue)
            typed += [_Typed(event, text) for event in happening(text, state, self._names)]

    def _placed(self, error: RecordError, typed: Sequence[_Typed], head: int) -> RecordError:
        """Return the error with its place: the number of its event and, for words, the column."""
        number = head + 1 + len(typed) if error.line is None else error.line
        index = number - head - 1
        if error.column is None and 0 <= index < len(typed) and (text := typed[index].words) is not None:
            placed(error, text, msgspec.to_builtins(typed[index].event))
        return error.located(file=f"{STORED}{self.game}", line=number)


def _words(line: bytes) -> str | None:
    """Return the text of a line in words; None for JSON, and for a line that is blank, too long or no UTF-8.

    The reader of JSON refuses the latter three.
    """
    if line.lstrip(_BLANK)[:1] in (b"", b"{", b"[") or line.startswith(BOM_UTF8) or len(line) > LINE_LENGTH:
        return None
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None
