"""XMage's client log: a file for each game, as its client writes it beside itself, or text copied from its window.

It says in words when it becomes day or night. XMage (magefree/mage) is a free program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from msgspec.structs import replace as replace_event

from daynight.events.actions import GameStarted
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.frame import Finished, Importer, Item, Noted, Observed, Options, named_anew
from daynight.importers.sources import Source
from daynight.importers.xmage.game import retell
from daynight.importers.xmage.messages import MESSAGES, Message, in_words, looks_like, messages

_SAFE = re.compile(r"[^A-Za-z0-9._-]+")
_DATE = re.compile(r"(20[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])_[0-9]{6}_")


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Read the game of each log.

    Raises:
        UnreadableError: where no log has a game, saying what to do about it; where a game is too long.
    """
    names: set[str] = set()
    silent: list[Source] = []
    found = 0
    source = None
    for source in sources:
        said: list[Message] = _bounded(source)
        key, name = str(source.number), _named(source, names)
        is_told = False
        for item in retell(said, key, name, options) if said else ():
            is_told = is_told or isinstance(item, Observed)
            yield _told_apart(item, said, options)
        if is_told:
            yield Finished(key, said[-1].number)
            found += 1
        else:
            silent.append(source)
    if source is None:
        return
    if not found:
        sentence = _("no game in this log; give the .html file that XMage's client wrote into its folder gamelogs")
        raise UnreadableError(sentence, line=max(source.line, 1), file=source.name)
    for each in silent:
        yield Noted("empty", _("no game in {source}").format(source=each.name), max(each.line, 1))


def _bounded(source: Source) -> list[Message]:
    said: list[Message] = []
    for message in messages(source):
        if len(said) >= MESSAGES:
            sentence = counted("a game of more than {n} message", "a game of more than {n} messages", MESSAGES)
            raise UnreadableError(sentence, line=message.number, file=source.name)
        said.append(message)
    return said


def _named(source: Source, taken: set[str]) -> str:
    """A name for a game: that of its file, which has its date in it."""
    stem = source.name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    return named_anew(_SAFE.sub("-", stem)[:100].strip("-.") or "xmage", taken)


def _told_apart(item: Item, said: Sequence[Message], options: Options) -> Item:
    """The same; a game's first event says how its log begins, and by which edition it is judged."""
    if not isinstance(item, Observed) or not isinstance(item.event, GameStarted):
        return item
    about = {**(item.event.meta or {}), "xmage": {"beginning": _beginning(said)}}
    # The client calls its log `20261124_141300_Two Player Duel_1.html`.
    written = _DATE.match(item.event.game)
    edition = options.edition_at("-".join(written.groups())) if written is not None else None
    return replace(item, event=replace_event(item.event, meta=about, edition=edition))


def _beginning(said: Sequence[Message]) -> dict[str, str]:
    """Return what identifies a game, whatever the log's name: digests of its first 8, 16, 32... messages.

    The last message, which may be cut, is in none.
    """
    digests: dict[str, str] = {}
    digest = sha256()
    for number, message in enumerate(said[:-1], 1):
        ids = " ".join(each.key for each in message.references)
        digest.update(f"{message.turn}: {in_words(message)} {ids}\n".encode("utf-8", "surrogatepass"))
        if number >= 8 and not number & (number - 1):
            digests[str(number)] = digest.hexdigest()[:12]
    return digests


IMPORTER = Importer("xmage", "the log of XMage's client", looks_like, read)
