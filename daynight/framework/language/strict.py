"""Reads one line of a record, and checks everything in it.

This slow reader gives a sentence and a path for every refusal. `reader` decodes whole blocks at once and comes here
for each line of a block that it does not accept. Both accept and refuse the same lines.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import EnumType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, get_args

import msgspec
from msgspec.structs import fields as fields_of

from daynight.framework.language.errors import TagError, UnreadableError, UpcastError
from daynight.framework.language.grammar import commas
from daynight.framework.language.happening import field_names
from daynight.framework.language.kinds import NAME_LENGTH, SAYING_LENGTH
from daynight.framework.language.names import forbidden_character, names_in
from daynight.framework.language.shapes.lifting import encoded, lift
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.framework.language.language import Language


LINE_LENGTH = 2**20
"""The most bytes a line may have, without its line feed."""

NESTING = 64
"""The most objects and arrays inside one another on a line, the event itself included."""

_Event = TypeVar("_Event")
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_DIGITS = 4300
"""The most characters a whole number may have; as in msgspec, a minus sign counts too."""


def read_line(language: Language[_Event], line: bytes) -> _Event:
    """Read the event on one line.

    Raises:
        UnreadableError: with the path and a sentence, if the line is no valid event of the language.
    """
    if len(line) > LINE_LENGTH:
        _refuse(_("a line may have {most} bytes, this one has {found}"), most=LINE_LENGTH, found=len(line))
    fields = read_json(line)
    if not isinstance(fields, dict):
        _refuse(_("expected an object with a type, found {kind}"), kind=_kind(fields))
    if _checked_tag(language, fields)["type"] in language.upcasters:
        return _read_old(language, fields)
    return _read_fields(language, fields, line)


def _read_old(language: Language[_Event], fields: dict[str, Any]) -> _Event:
    """Return the event that the upcasters make of `fields`, the JSON object of an old tag; check it like any line.

    Raises:
        UpcastError: where an upcaster fails, or its result is refused.
    """
    old = fields["type"]
    lifted = lift(fields, language.upcasters)
    try:
        return _read_fields(language, _checked_tag(language, lifted), encoded(lifted, old))
    except UpcastError:
        raise
    except UnreadableError as error:
        raise UpcastError(error.sentence, path=error.path) from error


def _read_fields(language: Language[_Event], fields: dict[str, Any], line: bytes) -> _Event:
    _check_fields(language, fields)
    kind = language.tags[fields["type"]]
    # A long line may hold very many values: do not keep them twice.
    del fields
    event = _decode(language, kind, line)
    _check_text(event)
    return event


def read_json(data: bytes) -> Any:
    """Read an untrusted JSON value: UTF-8, no key twice in one object, no NaN, nested no deeper than a line may be.

    Raises:
        UnreadableError: where it is not such a value.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        _refuse(_("a byte order mark; save the file as UTF-8 without one"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        _refuse(_("not UTF-8 at byte {place}; save the file as UTF-8"), place=error.start + 1)
    if not text.strip(" \t\r\n"):
        _refuse(_("an empty line; expected one event, and no blank lines between events"))
    if _depth(data) > NESTING:
        _refuse(_("nested more than {most} deep"), most=NESTING)
    return _parse(text)


def _refuse(sentence: str, path: str = "$", **values: object) -> NoReturn:
    raise UnreadableError(sentence.format(**values) if values else sentence, path=path) from None


def _depth(line: bytes) -> int:
    deepest = depth = 0
    for token in _BRACKETS.finditer(line):
        first = token[0][0]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first != 0x22:
            depth -= 1
    return deepest


def _parse(text: str) -> Any:
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_int=_whole, parse_float=_fraction, parse_constant=_constant
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        _refuse(_("not JSON at column {column}; expected one event as one object"), column=error.colno)
    except UnicodeEncodeError:
        _refuse(_("half a surrogate pair, which is no character"))
    return value


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        _refuse(_("a number of more than {most} digits"), most=_DIGITS - digits.startswith("-"))
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        _refuse(_("a number out of range: {found}"), found=digits[:40])
    return number


def _constant(word: str) -> NoReturn:
    _refuse(_("{found} is not JSON; expected a number"), found=word)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        times = Counter(key for key, _value in pairs)
        twice = next(key for key in times if times[key] > 1)
        _refuse(_("the key {key} stands twice in one object"), key=repr(twice[:NAME_LENGTH]))
    return fields


def _checked_tag(language: Language[Any], fields: dict[str, Any]) -> dict[str, Any]:
    if "type" not in fields:
        sentence = _("missing field {field}; expected an event with its tag, such as {tag}")
        _refuse(sentence, field="type", tag=language.example)
    tag = fields["type"]
    if not isinstance(tag, str):
        _refuse(_("expected a tag such as {tag}, found {kind}"), "$.type", tag=language.example, kind=_kind(tag))
    if not language.knows(tag):
        told, near = _unknown(language, tag)
        sentence = told.format(tag=repr(tag[:NAME_LENGTH]), near=near, tags=", ".join(language.tags))
        if not language.marked:
            # The events of a published format are known to all code of it.
            raise UnreadableError(sentence, path="$.type") from None
        raise TagError(sentence, tag) from None
    return fields


def _unknown(language: Language[Any], tag: str) -> tuple[str, str]:
    """Return the sentence about an unknown tag, with placeholders, and the tag for its `{near}`, or an empty text."""
    stem, number = _numbered(tag)
    if number > 1 and language.knows(stem):
        # Day and night has no version of rules: its language is daynight's own.
        if language.marked:
            return _("unknown tag {tag}: newer code of this mechanic may have written it; use that code"), stem
        return _("unknown tag {tag}: it looks newer than this version of daynight; try a newer daynight"), stem
    if language.marked and (newer := next((one for one in language.tags if _is_newer(one, tag)), "")):
        return _("unknown tag {tag}: it looks like an older shape of {near}; give it an upcaster"), newer
    if near := _near(tag, language.tags):
        return _("unknown tag {tag}: it looks foreign; did you mean {near}?"), near
    if language.marked:
        return _("unknown tag {tag}: it looks foreign; the tags are {tags}; an older tag needs an upcaster"), ""
    return _("unknown tag {tag}: it looks foreign; the tags are {tags}"), ""


def _is_newer(one: str, tag: str) -> bool:
    """Return whether the tag `one` is `tag` with a later number: `lent.3` is newer than `lent` and `lent.2`."""
    (stem, number), (older, before) = _numbered(one), _numbered(tag)
    return stem == older and number > before


def _numbered(tag: str) -> tuple[str, int]:
    stem, dot, number = tag.rpartition(".")
    return (stem, int(number[:9])) if dot and number.isascii() and number.isdigit() else (tag, 1)


def _check_fields(language: Language[Any], fields: dict[str, Any]) -> None:
    known = ("type", *field_names(language.tags[fields["type"]]))
    for field, value in fields.items():
        if field not in known:
            sentence = _("unknown field {field}; {tag} has {fields}")
            if near := _near(field, known):
                sentence = _("unknown field {field}; did you mean {near}?")
            told = {"field": repr(field[:NAME_LENGTH]), "tag": fields["type"], "near": near}
            # Only the framework writes `rules`.
            _refuse(sentence, f"$.{field}", **told, fields=", ".join(name for name in known if name != "rules"))
        if field != "meta" or value is None:
            _check_null(value, f"$.{field}")


def _near(word: str, known: Iterable[str]) -> str:
    """Return the word in `known` that was probably meant by `word`; an empty text if none is similar."""
    from difflib import get_close_matches  # Only needed for a refusal.

    return next(iter(get_close_matches(word[:NAME_LENGTH], [*known], n=1)), "")


def _check_null(value: Any, path: str) -> None:
    if value is None:
        _refuse(_("null; expected a value, or no such field"), path)
    elif isinstance(value, dict):
        for field, inner in value.items():
            _check_null(inner, f"{path}.{field}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check_null(inner, f"{path}[{index}]")


def _decode(language: Language[_Event], kind: type[Any], line: bytes) -> _Event:
    try:
        return language.decoder.decode(line)
    except msgspec.MsgspecError as error:
        sentence, _at, place = str(error).rpartition(" - at `")
        if not sentence:
            sentence, place = place, "$"
        if place == "$.says`" and sentence.startswith("Expected `str` of length >= 1"):
            _refuse(_("nothing is said; expected 1 to {most} characters"), "$.says", most=SAYING_LENGTH)
        place = place.rstrip("`")
        wrong = re.fullmatch("Invalid enum value ('(.*)')", sentence, re.DOTALL)
        if wrong and (known := _words(_types(kind, place))):
            if near := _near(wrong[2], known) or _near(wrong[2].lower(), known):
                _refuse(_("no such value: {found}; did you mean {near}?"), place, found=wrong[1], near=near)
            _refuse(_("no such value: {found}; expected {known}"), place, found=wrong[1], known=commas(known))
        if unknown := re.fullmatch("Object contains unknown field `(.*)`", sentence, re.DOTALL):
            known = [each.name for one in _structs(_types(kind, place)) for each in fields_of(one)]
            near, field = _near(unknown[1], known), unknown[1][:NAME_LENGTH]
            if near:
                _refuse(
                    _("unknown field {field}; did you mean {near}?"), f"{place}.{field}", field=repr(field), near=near
                )
            _refuse(_("unknown field {0}").format(repr(field)), f"{place}.{field}")
        missing = re.fullmatch("Object missing required field `(.*)`", sentence)
        _refuse(in_our_words(sentence), place + (f".{missing[1]}" if missing else ""))


def _types(kind: Any, place: str) -> list[Any]:
    """Return the types that the field at path `place` of the event type `kind` allows, and the types inside those."""
    found = [kind]
    for name in re.findall(r"[.](\w+)", place):
        fields = [field for each in _structs(found) for field in fields_of(each)]
        found = [one for field in fields if field.name == name for one in _in(field.type)]
    return found


def _structs(kinds: Iterable[Any]) -> list[type[msgspec.Struct]]:
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]


def _in(kind: Any) -> Iterator[Any]:
    """Yield this type, and the types inside it."""
    yield kind
    for inner in get_args(kind):
        yield from _in(inner)


def _words(kinds: Iterable[Any]) -> list[str]:
    """Return the texts that the enumerations and literals among these types allow; empty if there are none."""
    return [
        word for kind in kinds for word in (kind if isinstance(kind, EnumType) else [kind]) if isinstance(word, str)
    ]


# The sentences of msgspec are English only, so each is replaced by a translated one.
_SAYINGS: tuple[tuple[str, Any], ...] = (
    (r"Object missing required field `(.*)`", lambda: _("missing field {0}")),
    (r"Object contains unknown field `(.*)`", lambda: _("unknown field {0}")),
    (r"Expected `(.*)`, got `(.*)`", lambda: _("expected {0}, found {1}")),
    (r"Invalid enum value (.*)", lambda: _("no such value: {0}")),
    (r"Expected `str` of length >= 1", lambda: _("an empty name; expected 1 to 200 characters")),
    (rf"Expected `str` of length <= ({SAYING_LENGTH})", lambda: _("what somebody says may have {0} characters")),
    (r"Expected `str` of length <= (.*)", lambda: _("a name may have {0} characters")),
    (r"Expected `str` matching regex .*", lambda: _("no RFC 3339 time; expected one like 2024-06-07T19:30:00Z")),
    (r"Expected `int` >= 0", lambda: _("a negative number; expected 0 or more")),
    (r"Expected `(?:int|float)` <= (.*?)(?:[.]0)?", lambda: _("a number out of range; expected at most {0}")),
    (r"Expected `(?:int|float)` >= (.*?)(?:[.]0)?", lambda: _("a number out of range; expected at least {0}")),
    (r"Expected `(?:int|float)` > (.*?)(?:[.]0)?", lambda: _("a number out of range; expected more than {0}")),
)


def in_our_words(said: str) -> str:
    """Return daynight's translated sentence for `said`, a message of msgspec; `said` itself if there is none."""
    for pattern, sentence in _SAYINGS:
        if found := re.fullmatch(pattern, said.replace(" | null", ""), re.DOTALL):
            return str(sentence()).format(*found.groups())
    return said


def _check_text(event: Any) -> None:
    for path, name in names_in(event):
        if (character := forbidden_character(name)) is not None:
            sentence = (
                _("the character {character} may not stand in what somebody says; put it on one line")
                if path == "$.says"
                else _("the character {character} may not stand in a name")
            )
            _refuse(sentence, path, character=character)


def _kind(value: Any) -> str:
    kinds = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
    return kinds.get(type(value), "null")
