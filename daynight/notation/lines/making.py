"""Converts parts of a parsed line, such as names, words, numbers and JSON, to the fields of an event."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json import JSONDecodeError, loads
from typing import Any, TypeAlias

import msgspec
from lark import Token, Tree
from msgspec.structs import replace

from daynight.cards.catalogue import unknown as note_unknown
from daynight.events.language import read_line
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.alignment import column_of
from daynight.notation.lines.lines import TypedLine
from daynight.notation.lines.parsing import Branch
from daynight.notation.lookups import Lookups, none_of
from daynight.notation.spelling import WrittenName, unquoted

Fields: TypeAlias = dict[str, Any]
"""The fields of an event before strict decoding, `type` first; JSON from the line stays a msgspec.Raw."""

UNKNOWN = "unknown names"
"""The key in an event's fields that holds unknown card names: these are stored in its `meta`."""

_DESIGNATIONS = ("neither", "day", "night")
_NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class Making:
    """Converts the parts of one line; `lookups` finds the names in it."""

    line: TypedLine
    lookups: Lookups

    def said(self, name: Branch) -> WrittenName:
        """Return a name as written, with its columns; a text in quotation marks is literal."""
        tokens = [token for token in name.children if isinstance(token, Token)]
        first, last = tokens[0], tokens[-1]
        start, end = _column(first), _column(last) + len(last)
        if first.type == "QUOTED":
            try:
                return WrittenName(unquoted(str(first)), True, start, end)
            except ValueError:
                sentence = _('not a JSON string: write \\" for a quotation mark in it, and \\\\ for a backslash')
                raise UnreadableError(sentence, column=start) from None
        words = " ".join(" ".join(tokens).split())
        return WrittenName(words, False, start, end)

    def text(self, name: Branch | None) -> str | None:
        """Return the text of a name without looking it up; None for no name."""
        return None if name is None else self.said(name).text

    def player(self, name: Branch) -> str:
        """Return the player that a name means."""
        return self.lookups.player(self.said(name))

    def one(self, subjects: Branch) -> WrittenName:
        """Return the only name in `subjects`; raise UnreadableError for several names."""
        names = self.several(subjects)
        if len(names) > 1:
            raise UnreadableError(_("one name is expected here, and there are several"), column=names[1].column)
        return names[0]

    def several(self, subjects: Branch) -> list[WrittenName]:
        """Return the names in `subjects`; raise UnreadableError if a name has brackets or a controller beside it."""
        found = []
        for item in subjects.children:
            assert isinstance(item, Tree)
            first, *others = item.children if item.data == "item" else (item, None)
            assert isinstance(first, Tree)
            said = self.said(first)
            if any(other is not None for other in others):
                sentence = _("only what enters has a controller before it, or brackets behind it")
                raise UnreadableError(sentence, column=said.end)
            found.append(said)
        return self.joined(found)

    def joined(self, names: list[WrittenName]) -> list[WrittenName]:
        """Return the names; those that are parts of one known name, as in Arlinn, the Pack's Hope, are joined."""
        found: list[WrittenName] = []
        start = 0
        while start < len(names):
            for end in range(min(len(names), start + 4), start, -1):
                if (whole := self._whole(names[start:end])) is not None:
                    found.append(whole)
                    start = end
                    break
        return found

    def _whole(self, names: Sequence[WrittenName]) -> WrittenName | None:
        """Return the only name, or the known name whose parts these are; None if they are several names."""
        if len(names) == 1:
            return names[0]
        if any(name.literal for name in names):
            return None
        text = " ".join(self.line.text[names[0].column - 1 : names[-1].end - 1].split())
        return WrittenName(text, False, names[0].column, names[-1].end) if self.lookups.is_known(text) else None

    def permanents(self, names: list[WrittenName]) -> list[str]:
        """Return the ids of the permanents that these names mean."""
        return [self.lookups.permanent(said) for said in names]

    def word(self, name: Branch | WrittenName, words: Sequence[str]) -> str:
        """Return which of `words` the text of `name` is, or the only one that begins with it.

        Raises:
            UnreadableError: where the text is none of them, or begins several.
        """
        said = name if isinstance(name, WrittenName) else self.said(name)
        asked = said.text.casefold().rstrip("?")
        fits = [word for word in words if word == asked] or [word for word in words if word.startswith(asked)]
        if len(fits) == 1:
            return fits[0]
        raise none_of(said, asked, words, self.lookups.is_known)

    def designation(self, name: Branch | WrittenName) -> str:
        """Return which of neither, day and night a name is, as `word` does."""
        return self.word(name, _DESIGNATIONS)

    def json(self, token: Token) -> msgspec.Raw:
        """Return the JSON that was in the braces of a token, not decoded.

        Raises:
            UnreadableError: with the column of the error, where it is not valid JSON.
        """
        column = _column(token)
        text = self.line.json[column]
        try:
            loads(text)
        except JSONDecodeError as error:
            sentence = _("not JSON; in braces stand names in quotation marks and their values, as {example}")
            raise UnreadableError(sentence.format(example='{"table": 7}'), column=column + error.pos) from None
        except (RecursionError, ValueError):
            # Too deep, or too long a number: the strict reader reports that.
            pass
        return msgspec.Raw(text.encode("utf-8", "surrogatepass"))

    def behind(self, behind: Sequence[Any]) -> Fields:
        """Return the fields `at` (a time behind `@`) and `meta` (JSON in braces) from the end of a line."""
        found: Fields = {}
        for token in behind:
            key = "at" if token.type == "AT" else "meta"
            if key in found:
                raise UnreadableError(_("this stands twice on the line; once is meant"), column=_column(token))
            found[key] = str(token)[1:] if key == "at" else self.json(token)
        return found


def _column(token: Token) -> int:
    assert token.column is not None
    return token.column


Maker: TypeAlias = Callable[..., Fields | list[Fields]]
"""Returns the fields of one kind of line; its arguments are the `Making` and each part that the grammar found."""


def event_of(fields: Fields, text: str) -> Event:
    """Return the event of these fields, read as strictly as a line of JSON; `text` is their source line.

    Raises:
        UnreadableError: with the column, where the fields are not a valid event.
    """
    unknown = fields.get(UNKNOWN, ())
    try:
        event = read_line(msgspec.json.encode({key: fields[key] for key in fields if key != UNKNOWN}))
        if not unknown:
            return event
        note_unknown(unknown)
        return replace(event, meta=with_unknown(event.meta, unknown))
    except UnicodeEncodeError:
        raise UnreadableError(_("half a surrogate pair, which is no character")) from None
    except RecordError as error:
        if error.column is None:
            error.column = column_of(text, error.path, fields)
        raise


def with_unknown(meta: Mapping[str, Any] | None, names: Sequence[str]) -> dict[str, Any]:
    """Return the `meta` of an event in which a person typed these unknown names.

    >>> with_unknown(None, ["Glum Wolf"])
    {'typed': {'unknown': ['Glum Wolf']}}
    """
    found = {**(meta or {})}
    typed = found.get("typed", {})
    before = typed.get("unknown", ()) if isinstance(typed, dict) else ()
    if isinstance(typed, dict) and isinstance(before, (list, tuple)):
        found["typed"] = {**typed, "unknown": [*before, *[name for name in names if name not in before]]}
    return found


def with_those(fields: Fields, **optional: Any) -> Fields:
    """Return the fields, with those values of `optional` added that are not None."""
    return fields | {name: value for name, value in optional.items() if value is not None}


def number(token: Token | None) -> int | None:
    """Return the whole number of a token, with or without an `e` before it; None without a token."""
    if token is None:
        return None
    found = _NUMBER.search(token)
    assert found is not None
    return int(found[0])
