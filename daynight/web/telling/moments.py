"""Moments: a page of a game's log.

Each moment has the changes of the state, or the whole state, so that a client needs to know no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from daynight.web.file_game import Played
from daynight.web.shelf import Shelved
from daynight.web.telling.heads import heads_of
from daynight.web.telling.teller import Teller

MOST = 2**20
"""The most bytes of a page, unless its first moment alone has more."""

_ENCODER = msgspec.json.Encoder()


def moment_documents(
    game: Played, teller: Teller, after: int, lines: Iterable[bytes], before: dict[str, Any] | None = None, *,
    heads: Sequence[str] = (),
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Yield the JSON documents of the moments after event `after`, one for each of these lines.

    `before` is the document of the state after event `after`, if known; `heads` are the digests at these events.
    """
    stored = list(lines)
    if not stored:
        return
    if before is None and after:
        before = teller.now(game, after, game.at(after))
    for line, (moment, now) in zip(stored, teller.walk(game, after, after + len(stored)), strict=True):
        number, event = moment.number, moment.event
        found: dict[str, Any] = {
            "event": number,
            **({"head": heads[number - after - 1]} if heads else {}),
            "record": msgspec.Raw(line.strip()),
            "sentence": teller.sentence(game, number, event),
            "consequences": [teller.consequence(game, one) for one in moment.consequences],
        }
        delta = None if before is None or teller.starts_over(event) else teller.delta(before, now)
        found |= {"state": now} if delta is None else {"delta": delta}
        if (claim := teller.claim(game, number, event)) is not None:
            found["claim"] = claim
        yield found
        before = now


def page(shelved: Shelved, teller: Teller, first: int, last: int) -> bytes:
    """Return the moments from event `first` to event `last`, and the state before them, as JSON.

    At `MOST` bytes the page ends earlier; `to` is its last event. `last` is `first` - 1 for a page without moments.
    """

    def told(game: Played) -> bytes:
        before = teller.now(game, first - 1, game.at(first - 1)) if first > 1 else None
        head = {"game": shelved.name, "from": first}
        size = len(_ENCODER.encode(head | {"to": last, "before": before, "moments": []}))
        found: list[msgspec.Raw] = []
        lines = shelved.lines(first - 1, last)
        heads = heads_of(shelved, first - 1, last)
        for document in moment_documents(game, teller, first - 1, lines, before, heads=heads):
            data = _ENCODER.encode(document)
            size += len(data) + 1
            if found and size > MOST:
                break
            found.append(msgspec.Raw(data))
        return _ENCODER.encode(head | {"to": first - 1 + len(found), "before": before, "moments": found})

    return shelved.asked(max(last, 1), told)
