"""One record read as strictly as everywhere, for a corpus: refused, or its events and its row."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from itertools import chain
from typing import get_args

import msgspec

from daynight.cards import Catalogue, bundled
from daynight.corpus.columns import Columns, columns
from daynight.corpus.schema import EVENTS, SIZE
from daynight.corpus.tables import Row
from daynight.events import Event, GameBackedUp, GameJoined, GameStarted, OfTheRecord, PermanentsEntered
from daynight.events.language import LANGUAGE, read_blocks
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.records import Held
from daynight.referee.referee import run
from daynight.referee.state import State
from daynight.replay import replay

_SLOW = frozenset((GameBackedUp, *get_args(OfTheRecord)))
"""What a plain run over the events does not check by itself."""

_FILLED = (PermanentsEntered, GameJoined)


def taken(
    data: bytes, game: int, source: str, first_line: int, catalogue: Catalogue | None = None
) -> tuple[Row, Columns, bytes]:
    """The row and the columns of a record, and its lines, each with its newline.

    Raises:
        RecordError: with its line in the record, where it is refused.
    """
    _check_size(data)
    events = _events(data, bundled() if catalogue is None else catalogue)
    final = data.endswith(b"\n")
    data = data if final else data + b"\n"
    started = events[0]
    assert isinstance(started, GameStarted)
    row = Row(
        game=game,
        name=started.game,
        source=source,
        first_line=first_line,
        players=started.players,
        teams=started.teams,
        edition=started.edition,
        format=started.format,
        at=started.at,
        meta=None if started.meta is None else msgspec.json.encode(started.meta).decode(),
        events=len(events),
        sha256=sha256(data).hexdigest(),
        final_newline=final,
    )
    return row, columns(events), data


def _check_size(data: bytes) -> None:
    if len(data) > SIZE:
        raise too_large(data.count(b"\n", 0, SIZE) + 1)
    if data.count(b"\n", 0, -1) >= EVENTS:
        sentence = _("a record of a corpus may have {most} events").format(most=EVENTS)
        raise UnreadableError(sentence, line=EVENTS + 1)


def too_large(line: int) -> UnreadableError:
    """A record has more bytes than a corpus takes."""
    return UnreadableError(_("a record of a corpus may have {most} bytes, unpacked").format(most=SIZE), line=line)


def _events(data: bytes, catalogue: Catalogue) -> Sequence[Event]:
    """The events of a record that the referee takes, its permanents filled in."""
    events = LANGUAGE.vouched(data)
    if events and _SLOW.isdisjoint(map(type, events)):
        filled = [catalogue.fill(event) if type(event) in _FILLED else event for event in events]
        # Whatever it refuses, the replay refuses too, and knows the line of it.
        run(State(remember=False), filled, 0)
        return filled
    record = Held("", data)
    replay(record, catalogue=catalogue, remember=False)
    events = list(chain.from_iterable(read_blocks(BytesIO(data))))
    return [catalogue.fill(event) for event in events]
