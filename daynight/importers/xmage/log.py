"""XMage's client log: a file for each game, as its client writes it beside itself, or text copied from its window.

It says in words when it becomes day or night. XMage (magefree/mage) is a free program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_event

from daynight.events.actions import GameStarted
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _, counted
from daynight.importers.frame import Finished, Importer, Item, Noted, Observed, Options
from daynight.importers.naming import named_after, told_apart
from daynight.importers.sources import Source
from daynight.importers.xmage.game import retell
from daynight.importers.xmage.messages import MESSAGES, Message, in_words, looks_like, messages

_DATE = re.compile(r"(20[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])_[0-9]{6}_")


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Read the game of each log.

    Raises:
        UnreadableError: where no log has a game (the error says what to do), or a game is too long.
    """
    names: set[str] = set()
    silent: list[Source] = []
    found = 0
    source = None
    for source in sources:
        said: list[Message] = _bounded(source)
        key, name = str(source.number), named_after(source, "xmage", names)
        is_told = False
        for item in retell(said, key, name, options) if said else ():
            is_told = is_told or isinstance(item, Observed)
            yield _dated(told_apart(item, "xmage", _words(said)), options)
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
        yield Noted("empty", _("no game in {source}").format(source=each.name), max(source.line, 1))


def _bounded(source: Source) -> list[Message]:
    said: list[Message] = []
    for message in messages(source):
        if len(said) >= MESSAGES:
            sentence = counted("a game of more than {n} message", "a game of more than {n} messages", MESSAGES)
            raise UnreadableError(sentence, line=message.number, file=source.name)
        said.append(message)
    return said


def _dated(item: Item, options: Options) -> Item:
    """Return the item; add the edition of the rules to a game's first event."""
    if not isinstance(item, Observed) or not isinstance(item.event, GameStarted):
        return item
    # The client calls its log `20261124_141300_Two Player Duel_1.html`.
    written = _DATE.match(item.event.game)
    edition = options.edition_at("-".join(written.groups())) if written is not None else None
    return replace(item, event=replace_event(item.event, edition=edition))


def _words(said: Sequence[Message]) -> Iterator[str]:
    """Yield each message's turn, words and ids for the game's digests, without the last, which may be truncated."""
    for message in said[:-1]:
        ids = " ".join(each.key for each in message.references)
        yield f"{message.turn}: {in_words(message)} {ids}"


IMPORTER = Importer("xmage", "the log of XMage's client", looks_like, read)
