"""Reads one record for a corpus, as strictly as everywhere: into its row and columns, or a refusal."""

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
from daynight.corpus.tables import GameRow
from daynight.events import Event, GameBackedUp, GameStarted, OfTheRecord
from daynight.events.language import LANGUAGE, read_blocks
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import anew
from daynight.framework.language.wording import _
from daynight.records import Held
from daynight.referee.referee import run
from daynight.referee.state import State
from daynight.replay import replay

_SLOW = frozenset((GameBackedUp, *get_args(OfTheRecord)))
"""Types of events that `run` does not check; records with one of them are replayed."""


def taken(
    data: bytes, game: int, source: str, first_line: int, catalogue: Catalogue | None = None
) -> tuple[GameRow, Columns, bytes]:
    """Return the row and the columns of a record, and its lines, each with its newline.

    Raises:
        RecordError: with its line in the record, where it is refused.
    """
    _check_size(data)
    events = _events(data, bundled() if catalogue is None else catalogue)
    final = data.endswith(b"\n")
    data = data if final else data + b"\n"
    started = events[0]
    assert isinstance(started, GameStarted)
    row = GameRow(
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
    """Return the error for a record that has more bytes than a corpus takes."""
    return UnreadableError(_("a record of a corpus may have {most} bytes, unpacked").format(most=SIZE), line=line)


def _events(data: bytes, catalogue: Catalogue) -> Sequence[Event]:
    """Return the events of a record, with their permanents filled in, after the referee accepted all of them."""
    events = LANGUAGE.vouched(data)
    if events and _SLOW.isdisjoint(map(type, events)):
        fill = anew(catalogue.fill)
        filled = [fill(event) if type(event) in catalogue.fill.kinds else event for event in events]
        # Refuses the same events as a replay does, with their lines.
        run(State(remember=False), filled, 0)
        return filled
    record = Held("", data)
    replay(record, catalogue=catalogue, remember=False)
    events = list(chain.from_iterable(read_blocks(BytesIO(data))))
    return [*map(anew(catalogue.fill), events)]
