"""The notation for people as a source: its lines become events; lines that cannot be read are skipped and reported.

As a record (`daynight replay game.dn`), a file in the notation is refused at its first bad line. An import keeps all
readable lines, and the report lists the others. A file may have several games; each begins with its line `game`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from daynight.events.language import decode
from daynight.framework.language.errors import RecordError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.strict import LINE_LENGTH
from daynight.framework.language.wording import _
from daynight.importers.frame import Finished, Importer, Item, Observed, Options, Skipped
from daynight.importers.sources import Source
from daynight.notation import Reading, looks_like

MOST = 1_000
"""The number of bad lines after which reading ends: the file then is something else."""


def read(sources: Iterable[Source], options: Options) -> Iterator[Item]:
    """Yield the events, the skipped lines and the ends of the games in these files, in order."""
    for source in sources:
        yield from _file(source)


def _file(source: Source) -> Iterator[Item]:
    reading = Reading()
    games = 0
    for found in _taken(source, reading):
        if isinstance(found, Skipped):
            yield found
            continue
        data, line = found
        event = decode(data)
        if tag_of(type(event)) == "game-started":
            if games:
                yield Finished(f"{source.number}.{games}", line)
            games += 1
        if games:
            yield Observed(f"{source.number}.{games}", event, line)
        else:
            yield Skipped(line, _("it stands before the line game; a record begins with the lines game and players"))
    if games:
        yield Finished(f"{source.number}.{games}", source.line)


def _taken(source: Source, reading: Reading) -> Iterator[tuple[bytes, int] | Skipped]:
    """Yield the events of a file as JSON, each with its line, and the lines that are not events."""
    skipped = 0
    for number, line in source.lines():
        if len(line) > LINE_LENGTH:
            yield Skipped(number, _("a line may have {most} bytes").format(most=LINE_LENGTH))
            continue
        try:
            found = reading.take(line.decode(), number)
        except (UnicodeDecodeError, RecordError) as error:
            skipped += 1
            yield _told(error, number)
            if skipped == MOST:
                sentence = _("{most} lines of this file are none; the rest of it is not read")
                yield Skipped(number, sentence.format(most=MOST))
                break
        else:
            yield from found
    try:
        found = reading.finish()
    except RecordError as error:
        yield Skipped(error.line or source.line, error.sentence)
    else:
        yield from found


def _told(error: UnicodeDecodeError | RecordError, number: int) -> Skipped:
    if isinstance(error, RecordError):
        return Skipped(error.line or number, error.sentence)
    return Skipped(number, _("not UTF-8; save the file as UTF-8"))


IMPORTER = Importer("notation", "the notation for people, .dn", looks_like, read)
