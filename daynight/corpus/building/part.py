"""Makes a part of a corpus from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from daynight.cards import doubting
from daynight.corpus.manifest import WholePart
from daynight.corpus.parts import PartWriter
from daynight.corpus.reading import taken
from daynight.corpus.sources import addresses, kept, listing, logs
from daynight.corpus.sources.listing import File
from daynight.corpus.sources.planning import Planned, Segment
from daynight.corpus.sources.splitting import split
from daynight.framework.language.errors import DaynightError, RecordError
from daynight.framework.language.grammar import also
from daynight.framework.language.wording import _
from daynight.keeping.files import written
from daynight.languages.speaking import speaking
from daynight.machine.memory import settled
from daynight.records import Held, Record


class PartTask(NamedTuple):
    """A task: make the part `planned` of the corpus in `folder`.

    The list of refused records, and the file that marks the part as complete, are written into the folder `work`.
    """

    folder: str
    work: str
    planned: Planned


class _Found(NamedTuple):
    """Record number `game`, from line `first_line` of `source`: its bytes, or the `problem` in reading it."""

    game: int
    source: str
    first_line: int
    data: bytes
    problem: DaynightError | None = None
    record: Record | None = None
    """The file if it is in the notation, else None; `record.located(error)` finds the line and column of an error."""


def make(making: PartTask) -> WholePart:
    """Make and return a part: first its files, then the list of its refused records, last the mark that it is complete.

    Raises:
        OSError: where a file cannot be read or written.
    """
    planned, work = making.planned, Path(making.work)
    refused: list[dict[str, Any]] = []
    writer = PartWriter(Path(making.folder), planned.part)
    # The list of refused records is in English, whatever language the person speaks.
    with speaking("en"), doubting(), settled():
        try:
            for record in _records(planned.segments):
                try:
                    if record.problem is not None:
                        raise record.problem
                    game = taken(record.data, record.game, record.source, record.first_line)
                except DaynightError as error:
                    refused.append(_refusal(record, error))
                    continue
                writer.add(game)
            sums = writer.finish()
        except BaseException:
            writer.close()
            raise
    with written(work / bad_name(planned.part)) as stream:
        stream.write(b"".join([msgspec.json.encode(one) + b"\n" for one in refused]))
    part = WholePart(
        part=planned.part,
        first=planned.first,
        records=planned.records,
        refused=len(refused),
        **writer.rows,
        sha256=sums,
    )
    with written(work / done_name(planned.part)) as stream:
        stream.write(msgspec.json.encode(part))
    return part


def bad_name(part: int) -> str:
    """Return the name of the file that lists a part's refused records."""
    return f"bad-{part:05d}.jsonl"


def done_name(part: int) -> str:
    """Return the name of the file that marks a part as complete."""
    return f"part-{part:05d}.json"


def _refusal(record: _Found, error: DaynightError) -> dict[str, Any]:
    line, path, problem = 1, "$", str(error)
    if isinstance(error, RecordError):
        error = error if record.record is None else record.record.located(error)
        line, problem = error.line or 1, error.sentence
        path = error.path if error.column is None else str(error.column)
        if line == 1 and path in _STRANGE and _is_strange(record.data):
            problem = also(_("a record of another mechanic, it seems, and not of day and night"), problem)
    return {
        "game": record.game,
        "record": record.source,
        "first_line": record.first_line,
        "line": line,
        "path": path,
        "problem": problem,
    }


_STRANGE = ("$.type", "$.format")


def _is_strange(data: bytes) -> bool:
    """Return whether line 1 of a record seems to be an event of another mechanic: it has a `type` and no `format`."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        event = msgspec.json.decode(data.partition(b"\n")[0])
        return isinstance(event, dict) and isinstance(event.get("type"), str) and "format" not in event
    return False


def _records(segments: tuple[Segment, ...]) -> Iterator[_Found]:
    for segment in segments:
        games = range(segment.game, segment.game + segment.records)
        yield from _of(segment, games)


def _of(segment: Segment, games: range) -> Iterator[_Found]:
    file = segment.file
    if file.kind == "lines":
        with addresses.opened(file.address) as stream:
            records = split(stream, offset=segment.offset, line=segment.line)
            for game, raw in zip(games, islice(records, len(games)), strict=True):
                yield _Found(game, addresses.shown(file.address), raw.first_line, raw.take(), raw.problem)
    elif file.kind == "words":
        yield _in_words(games[0], file.address)
    elif file.kind in _REFUSED:
        yield _Found(games[0], addresses.shown(file.address), 1, b"", _REFUSED[file.kind](file))
    elif file.kind == "corpus":
        found = kept.lines(file, segment.offset, len(games))
        for game, (source, first_line, data) in zip(games, found, strict=True):
            yield _Found(game, source, first_line, data)
    else:
        yield _stored(games[0], addresses.shown(file.address), file.inside, file.where)


_REFUSED: dict[str, Callable[[File], DaynightError]] = {
    "archive": kept.refusal, "log": logs.refusal, "foreign": listing.refusal,
}  # fmt: skip
"""For each kind of file that could not be read, the function that returns why; a readable one became its games."""


def _in_words(game: int, address: str) -> _Found:
    # The name says that it is in words, whatever the file's is.
    record = Held(f"{address.removesuffix('.gz').removesuffix('.dn')}.dn", addresses.read(address))
    try:
        with record.open() as stream:
            return _Found(game, addresses.shown(address), 1, stream.read(), record=record)
    except RecordError as error:
        return _Found(game, addresses.shown(address), 1, b"", error, record)


def _stored(game: int, address: str, name: str, place: str) -> _Found:
    from daynight.games import Store
    from daynight.store import StoreError

    with Store.open(place) as store:
        try:
            with store.record(name, checked=True).open() as stream:
                return _Found(game, address, 1, stream.read())
        except (StoreError, DaynightError) as error:
            return _Found(game, address, 1, b"", error)
