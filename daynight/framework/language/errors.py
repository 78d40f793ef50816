"""All errors about records, as a tree.

```
DaynightError
├── RecordError            one line of a record is refused; exit code 3
│   ├── UnreadableError    it is not an event of the language at all (JSON, tags, fields, types, bounds)
│   │   ├── UpcastError    it has an old tag, and the upcasters of this code do not make an event of it
│   │   └── TagError       it has a tag that this code does not know; newer code of the mechanic may know it
│   ├── ImpossibleError    it is an event, but not one that can happen here (an unknown player, a turn too low)
│   └── MechanicError      the code of the mechanic failed at it (a KeyError in its step, in a part, in what it says)
│       └── AnswerError    a function of it returned a value that it may not return
├── NotFoundError          what was asked for is not there (a position, a card); exit code 4
└── AskedError             what was asked makes no sense (no position, words not understood); exit code 2
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daynight.framework.language.wording import _

__all__ = [
    "AnswerError",
    "AskedError",
    "DaynightError",
    "ImpossibleError",
    "MechanicError",
    "NotFoundError",
    "RecordError",
    "TagError",
    "UnreadableError",
    "UpcastError",
    "failed",
    "locating",
    "tame",
    "whole",
]

LONGEST = 1000
"""The most characters of a sentence or a path that an error shows."""

_WILD = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def tame(text: str) -> str:
    """Return a text cut to `LONGEST` characters; line feeds, control and bidi characters are escaped by their code."""
    if len(text) > LONGEST:
        text = text[: LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return _WILD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def whole(text: str) -> str:
    """Return the whole text, with the same characters escaped as by `tame`, but without a cut."""
    return "".join(tame(text[start : start + LONGEST]) for start in range(0, len(text), LONGEST))


class DaynightError(Exception):
    """The base class of every error that this package raises on purpose."""


class RecordError(DaynightError):
    """A line of a record is refused: `sentence` says what was expected and what to try.

    `path` is the place inside the line (`$.player`), `line` its number (from 1; also the event's number), `file` the
    record's name; the last two are None until they are known. A record in words has a `column` (from 1) in place of a
    path, and its `line` is a line of that text. If the sentence compares with an earlier event, `earlier` is that
    event's number, and `first` the path inside it.
    """

    def __init__(
        self,
        sentence: str,
        *,
        path: str = "$",
        line: int | None = None,
        file: str | None = None,
        column: int | None = None,
        earlier: int | None = None,
        first: str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = tame(sentence)
        self.path = tame(path)
        self.line = line
        self.file = file
        self.column = column
        self.earlier = earlier
        self.first = first

    def located(self, *, line: int | None = None, file: str | None = None) -> RecordError:
        """Add line and file to the error where they are not known yet; return the same error."""
        if self.line is None:
            self.line = line
        if self.file is None:
            self.file = file
        return self

    def __str__(self) -> str:
        place = [part for part in (self.file and tame(self.file), self.line and str(self.line)) if part]
        if self.column is not None:
            return ": ".join([":".join([*place, str(self.column)]), self.sentence])
        return ": ".join([":".join(place), self.path, self.sentence] if place else [self.path, self.sentence])


@contextmanager
def locating(*, line: int | None = None, file: str | None = None) -> Iterator[None]:
    """Add line and file to each `RecordError` that is raised in this context, where they are not known yet."""
    try:
        yield
    except RecordError as error:
        raise error.located(line=line, file=file) from None


class UnreadableError(RecordError):
    """The line is not an event of the language: not JSON, an unknown tag, an unknown field, beyond a bound."""


class ImpossibleError(RecordError):
    """The line is an event, but it cannot happen in this game at this point."""


class UpcastError(UnreadableError):
    """The line has an old tag, and its upcaster fails, or returns no event of the current language."""


class TagError(UnreadableError):
    """The line has a `tag` that this code does not know; a newer version of the mechanic may know it."""

    def __init__(self, sentence: str, tag: str) -> None:
        super().__init__(sentence, path="$.type")
        self.tag = tag


class MechanicError(RecordError):
    """The code of the mechanic failed at this event; `__cause__` is the exception that it raised."""

    def __str__(self) -> str:
        # There is no path: no field is wrong. Most sentences name the event.
        number = None if self.line is None or f"event {self.line}" in self.sentence else str(self.line)
        place = ":".join(part for part in (self.file and tame(self.file), number) if part)
        return f"{place}: {self.sentence}" if place else self.sentence


class AnswerError(MechanicError, TypeError):
    """A function of the mechanic returned a value that it may not return."""


def failed(code: str, error: Exception, line: int | None = None) -> MechanicError:
    """Return a `MechanicError`: `code`, a function of a mechanic such as "step", raised `error` at event `line`."""
    sentence = _("{code} failed: {kind}: {error}").format(code=code, kind=type(error).__name__, error=error)
    return MechanicError(sentence + place_of(error), line=line)


def place_of(error: BaseException) -> str:
    """Return ` (FILE, LINE)` of an error's last frame outside daynight and Python's library, or else of its last."""
    import traceback  # Only needed for a failure.

    frames = list(traceback.extract_tb(error.__traceback__))
    ours, python = str(Path(__file__).parents[2]), str(Path(traceback.__file__).parent)

    def is_theirs(file: str) -> bool:
        return not file.startswith((ours, "<")) and (not file.startswith(python) or "site-packages" in file)

    found = [one for one in frames if is_theirs(one.filename)] or frames
    return f" ({Path(found[-1].filename).name}, {found[-1].lineno})" if found else ""


class NotFoundError(DaynightError):
    """The requested object does not exist: a position outside the record, an unknown card or file.

    `file` is the name of the missing record or file, or of the one that was searched, if the sentence names it.
    """

    def __init__(self, sentence: str, *, file: str | None = None) -> None:
        super().__init__(sentence)
        self.file = file


class AskedError(DaynightError, ValueError):
    """The request makes no sense for any record: a text that is no position, words that mean no event."""
