"""What an importer makes of a damaged or made-up log: games that can be played, or a refusal that can be printed."""

import io

from daynight.events.language import decode
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.importers.frame import Importer, Options
from daynight.importers.importing import Import
from daynight.importers.sources import Source


def answered(importer: Importer, data: bytes, options: Options) -> int:
    """Import a log; return the number of its games, or 0 if it is refused. Strict reader and referee must accept each.

    A refusal is a RecordError with a sentence of one line, without control characters.
    """
    running = Import(importer, options)
    try:
        games = list(running.games([Source("x", io.BytesIO(data))]))
    except RecordError as error:
        printable(error)
        return 0
    for game in games:
        Game([decode(encode(event)) for event in game.events])
    assert all(told.isprintable() for told in running.report.told())
    return len(games)


def printable(error: RecordError) -> None:
    """Assert that the sentence of an error is not empty and has no control characters."""
    assert error.sentence.strip()
    assert error.sentence.isprintable()
    assert str(error).isprintable()
