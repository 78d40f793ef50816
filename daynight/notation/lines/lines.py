"""Splits a line before parsing: its comment, its JSON, and its words."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.spelling import quoted, unquoted

WORDS_LENGTH = 2**15
"""The most characters of a line without its JSON and its comment; a longer event must be written as JSON."""


_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|["{}]|(?:(?<=[ \t])|^)#')
_BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|["{}]')
_NOT_PLAIN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


class TypedLine(NamedTuple):
    """A line: its words, at their original columns and with JSON blanked out; its JSON by column; its comment.

    `comment` is the text behind the `#`, None if there is no comment.
    """

    text: str
    json: dict[int, str]
    comment: str | None

    @property
    def note(self) -> str | None:
        """The note of the line's event: the comment, or the text between its quotation marks; None if it is empty."""
        if self.comment is None:
            return None
        note = self.comment.strip(" \t\r")
        if note.startswith('"') and note.endswith('"') and len(note) > 1:
            try:
                return unquoted(note)
            except ValueError:
                return note
        return note or None


def parted(line: str) -> TypedLine:
    """Split a line into its words, its JSON and its comment.

    Raises:
        UnreadableError: with the column, where a quotation mark or a brace has no partner, or the line is too long.
    """
    pieces: list[str] = []
    json: dict[int, str] = {}
    comment: str | None = None
    end = 0
    while (found := _MARKS.search(line, end)) is not None:
        start, mark = found.start(), found[0]
        pieces.append(line[end:start])
        if mark == "#":
            comment = line[start + 1 :]
            end = len(line)
            break
        end = found.end()
        if mark == "{":
            end = _closed(line, start)
            json[start + 1] = line[start:end]
            pieces.append("{" + " " * (end - start - 2) + "}")
        elif mark in '"}':
            raise UnreadableError(
                _("a quotation mark that is never closed; close it before the end of the line")
                if mark == '"'
                else _("a brace that was never opened; write { before it, or the name in quotation marks"),
                column=start + 1,
            )
        else:
            pieces.append(mark)
    pieces.append(line[end:])
    length = sum(map(len, pieces)) - sum(map(len, json.values()))
    if length > WORDS_LENGTH:
        sentence = _("a line may have {most} characters besides JSON, this one has {found}; write the event as JSON")
        raise UnreadableError(sentence.format(most=WORDS_LENGTH, found=length), column=1)
    return TypedLine("".join(pieces).rstrip(" \t\r"), json, comment)


def _closed(line: str, start: int) -> int:
    """Return the index after the brace that closes the one at index `start`; raise UnreadableError if there is none."""
    depth = 0
    for found in _BRACES.finditer(line, start):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if depth == 0:
                return found.end()
        elif found[0] == '"':
            break
    raise UnreadableError(_("a brace that is never closed; the JSON in it ends with its line"), column=start + 1)


def commented(note: str) -> str:
    """Return a note as the comment behind an event: `  # note`, in quotation marks if it would be read otherwise."""
    plain = note and note == note.strip() and not note.startswith('"') and _NOT_PLAIN.search(note) is None
    return f"  # {note if plain else quoted(note)}"


def behind_words(line: TypedLine) -> tuple[str, dict[str, Any]]:
    """Return the words of a line, and the time and the object behind them."""
    found = _AT_AND_META.fullmatch(line.text)
    behind: dict[str, Any] = {}
    if found is None or len(line.json) > (found["meta"] is not None):
        return line.text if not line.json else "{", behind
    if found["at"] is not None:
        behind["at"] = found["at"]
    if found["meta"] is not None:
        behind["meta"] = msgspec.Raw(line.json[found.start("meta") + 1].encode("utf-8", "surrogatepass"))
    return _SAID_TIME.sub(r"\1", found["words"]), behind


_AT_AND_META = re.compile(r"(?P<words>[^@{}]*?)(?:[ \t]+@(?P<at>[0-9][-0-9T:.Z+]*))?(?:[ \t]+(?P<meta>\{ *\}))?[ \t]*")
# A time in quotation marks is what somebody said, and no name.
_SAID_TIME = re.compile(
    r'"((?:it(?:\'s| is) |il fait |c\'est )?(?:day|night|jour|nuit|昼|夜)(?:だ|です)?)[.!]?"', re.IGNORECASE
)
