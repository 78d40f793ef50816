"""Splits XMage's client log into messages, from its HTML, or from text copied from its window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from daynight.importers.sources import Source

LETTERS = 20_000
"""The most characters of a message that are read."""

MESSAGES = 250_000
"""The most messages that a game may have."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A card as a message names it: the name of the face that is up, its full id, and the first three digits of that.

    An id is empty if the log does not have it.
    """

    name: str
    short: str = ""
    full: str = ""

    @property
    def key(self) -> str:
        """The key of the card: the available part of its id, else its name."""
        return self.full or self.short or self.name


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the log: the line where it begins, from 1, and its text, on one line and without markup.

    `turn` and `step` come from its stamp. In `text`, each of the `references` from the markup is written as its number
    between two signs that no log has (`MARKS`); other cards stay as they were written. `damaged`: a part of it is
    missing or wrong; `torn`: so is a part of its markup, and as nobody can write markup in a chat, it is not chat.
    `loose`: it is a line without a stamp. `chat`: a person wrote this.
    """

    number: int
    text: str
    turn: int | None = None
    step: str | None = None
    references: tuple[Reference, ...] = ()
    damaged: bool = False
    torn: bool = False
    chat: bool = False
    loose: bool = False


MARKS = ("\ue000", "\ue001")
"""The marks before and after the number of a reference."""

_BEGINS = re.compile(r'<font color="#CCCC33">', re.I)
_ENDS = re.compile(r"</body|<!--", re.I)
_STAMP = re.compile(r"(?P<clock>[^<>]{0,60}?)(?:, T(?P<turn>\d{1,9})(?:\.(?P<step>\w{1,4}))?)?: ?")
_CLOCK = re.compile(r"\D{0,12}\d{1,2}\D{1,4}\d{2}(?:\D{1,6}\d{2})?\D{0,12}")
_PLAIN = re.compile(
    r"\s{0,8}[^\n<>:,\[\]]{0,12}?\d{1,2}(?:[:.]| ?h ?)\d{2}(?:[:.]\d{2})?[^\n:<>,\[\]]{0,12}?"
    r"(?:, T(?P<turn>\d{1,9})(?:\.(?P<step>\w{1,4}))?)?: (?P<text>\S.*)"
)
_FONT = re.compile(r"<font\b([^<>]*)>([^<]*(?:<(?!/?font)[^<]*)*)</font>", re.I)
_OBJECT = re.compile(r'\bobject_id="([^"]*)"')
_FULL = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LINK = re.compile(r"<a\b", re.I)
_TALK = re.compile(r'\s*<font color="#(?:FF7F50|7FFFD4)"', re.I)
_TAG = re.compile(r"<[^<>]*>")
_NAMELESS = re.compile(r"[^\s(]\[[0-9a-f]{3}\]")
_PAIRED = re.compile(r"<(/?)(font|a)\b")
_SPACE = re.compile(r"\s+")
_SHORT = re.compile(r"\ue000(\d+)\ue001 \[([0-9a-f]{3})\]")
_NUMBERED = re.compile(r"\ue000(\d+)\ue001")
_MARKED = re.compile(r"(\ue000\d+\ue001)")
_INNER = re.compile(r", T\d{1,9}(?:\.\w{1,4})?: |\d: (?:TURN|Turn) \d")
_UNREAD = re.compile("[\x00\ufffd]")
_SERVER_CHAT = re.compile(r"\[CHAT\]")


def looks_like(head: bytes) -> bool:
    """Return whether a file begins like such a log: an HTML message with a clock, or a line with clock and turn."""
    text = head.decode("utf-8", "replace")
    for found in _BEGINS.finditer(text):
        stamp = text[found.end() : found.end() + 200].partition("</font>")[0]
        if _stamped(unescape(stamp)) is not None:
            return True
    return any((plain := _PLAIN.fullmatch(line)) is not None and plain["turn"] for line in text.splitlines()[:200])


def messages(source: Source) -> Iterator[Message]:
    """Yield the messages of a log, in order."""
    begun: list[str] | None = None
    letters = number = 0
    for line, raw in source.lines():
        text = raw[: 8 * LETTERS].decode("utf-8", "replace")
        if begun is not None and "<" not in text and _PLAIN.fullmatch(text) is not None:
            yield _marked_up(number, "\n".join(begun))
            begun = None
        while True:
            found = _BEGINS.search(text)
            rest = text if found is None else text[: found.start()]
            ended = _ENDS.search(rest)
            if begun is None:
                if rest.strip() and "<" not in rest:
                    yield _plain(line, rest)
            elif letters < LETTERS:
                begun.append(rest if ended is None else rest[: ended.start()])
                letters += len(rest)
            if begun is not None and (found is not None or ended is not None):
                yield _marked_up(number, "\n".join(begun))
                begun = None
            if found is None:
                break
            begun, letters, number = [], 0, line
            text = text[found.end() :]
    if begun is not None:
        yield _marked_up(number, "\n".join(begun))


def _stamped(text: str) -> tuple[int | None, str | None] | None:
    """Return the turn and step of a stamp; None if the text is no stamp."""
    found = _STAMP.fullmatch(_SPACE.sub(" ", text).lstrip())
    if found is None or _CLOCK.fullmatch(found["clock"]) is None:
        return None
    return (None if found["turn"] is None else int(found["turn"])), found["step"]


def _plain(number: int, line: str) -> Message:
    """Parse a line copied from the window."""
    found = _PLAIN.fullmatch(line)
    if found is None:
        text = _SPACE.sub(" ", line).strip()[:LETTERS]
        return Message(number, _unmarked(text), chat=_SERVER_CHAT.search(line) is not None, loose=True)
    turn = None if found["turn"] is None else int(found["turn"])
    text = _told(found["text"][:LETTERS])
    return Message(number, text, turn, found["step"], damaged=_INNER.search(text) is not None)


def _marked_up(number: int, raw: str) -> Message:
    """Parse a message in HTML: remove tags first, and unescape then, so that escaped markup in names stays text."""
    stamp, _end, rest = raw.partition("</font>")
    where = _stamped(unescape(_TAG.sub("", stamp)))
    names: list[tuple[str, str]] = []

    def kept(found: re.Match[str]) -> str:
        object_id = _OBJECT.search(found[1])
        if object_id is None and _LINK.search(found[2]) is None:
            return found[0]
        names.append((_told(_TAG.sub("", found[2])), "" if object_id is None else object_id[1]))
        return f" {MARKS[0]}{len(names) - 1}{MARKS[1]} "

    text = _TAG.sub("", _FONT.sub(kept, _unmarked(rest)))
    # What is escaped is read piece by piece, so that no escape can stand for a mark.
    spaced = _spaced("".join(piece if index % 2 else _read(piece) for index, piece in enumerate(_MARKED.split(text))))
    short: dict[int, str] = {}

    def joined(found: re.Match[str]) -> str:
        short[int(found[1])] = found[2]
        return f"{MARKS[0]}{found[1]}{MARKS[1]}"

    spaced = _SHORT.sub(joined, spaced)
    references = tuple(Reference(name, short.get(index, ""), full) for index, (name, full) in enumerate(names))
    torn = "<" in text or _is_torn(rest)
    damaged = (
        where is None
        or torn
        or _UNREAD.search(raw) is not None
        or _is_cut(spaced)
        or _INNER.search(spaced) is not None
        or any(map(_is_odd, references))
    )
    turn, step = where or (None, None)
    return Message(number, spaced, turn, step, references, damaged, torn, _TALK.match(rest) is not None)


def _is_torn(raw: str) -> bool:
    """Return whether a tag is truncated, or is not closed before the next one of its kind begins."""
    inside: set[str] = set()
    for end, name in _PAIRED.findall(raw):
        if (name in inside) is not (end != ""):
            return True
        inside ^= {name}
    return bool(inside) or any(tag.count('"') % 2 for tag in _TAG.findall(raw))


def _is_cut(text: str) -> bool:
    """Return whether a bracket is missing, or a card's name before its id."""
    return (
        _NAMELESS.search(text) is not None or text.count("(") != text.count(")") or text.count("[") != text.count("]")
    )


def _is_odd(found: Reference) -> bool:
    """Return whether a card's name contains markup or an unpaired bracket, or has invalid or different ids."""
    if "<" in found.name or ">" in found.name or _is_cut(found.name):
        return True
    if not found.full:
        return False
    return _FULL.fullmatch(found.full) is None or (found.short != "" and not found.full.startswith(found.short))


def _told(text: str) -> str:
    """Return the text on one line, with its HTML escapes resolved and without `MARKS`."""
    return _spaced(_read(text))


def _read(text: str) -> str:
    return _unmarked(unescape(text) if "&" in text else text)


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _unmarked(text: str) -> str:
    return text.replace(MARKS[0], "").replace(MARKS[1], "")


def in_words(message: Message) -> str:
    """Return the message's text with the names of its references, without their ids."""
    return _NUMBERED.sub(lambda found: _name(message, int(found[1])), message.text)


def _name(message: Message, index: int) -> str:
    return message.references[index].name if index < len(message.references) else "?"
