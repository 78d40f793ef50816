"""Makes the frames of live streams: moments as in a page of the log, with the digest before them as `before`."""

from __future__ import annotations

from contextlib import nullcontext

from daynight.languages.speaking import speaking
from daynight.web.live.frames import Frame, moment
from daynight.web.shelf import Shelf
from daynight.web.telling.heads import head_of, heads_of
from daynight.web.telling.moments import moment_documents
from daynight.web.telling.teller import teller_of


def told(shelf: Shelf, name: str, first: int, last: int, language: str) -> list[Frame]:
    """Return the frames of the events from `first` to `last` of a game, in a language."""
    with shelf.alone or nullcontext(), speaking(language):
        shelved = shelf.find(name)
        teller = teller_of(shelved)
        lines, heads = shelved.lines(first - 1, last), heads_of(shelved, first - 1, last)
        documents = shelved.asked(
            last, lambda game: list(moment_documents(game, teller, first - 1, lines, heads=heads))
        )
        before = [head_of(shelved, first - 1), *heads]
    return [
        moment(number, document | {"before": before[number - first]})
        for number, document in enumerate(documents, first)
    ]
