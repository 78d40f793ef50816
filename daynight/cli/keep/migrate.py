"""`daynight migrate`: creates the tables of a store on a server."""

from __future__ import annotations

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import answer
from daynight.framework.language.wording import _


@click.command(
    epilog="\b\ndaynight migrate --db postgresql://localhost/games"
    "\ndaynight migrate --db 'postgresql://localhost/games?schema=league'"
)
@options.db
@options.as_json
def migrate(as_json: bool) -> int:
    """Create the tables of a store on a PostgreSQL server.

    Run it once, before the first game; a second run changes nothing. The tables go into the schema that the address
    names (?schema=NAME), or else into public. Each store of a database, and so each mechanic, needs a schema of its
    own.
    """
    from daynight.store import SettingsError
    from daynight.store.database.settings import no_driver

    settings = stored.settings_of(stored.place())
    if settings.kind != "postgresql":
        sentence = _("{place}: a file gets its tables on first use; migrate is for --db postgresql://...")
        raise SettingsError(sentence.format(place=settings.shown))
    try:
        from daynight.store.database import server
    except ImportError as error:
        raise no_driver(error) from None
    server.migrate(settings)
    sentence = _("{place}: ready, in the schema {schema}").format(place=settings.shown, schema=settings.schema)
    return answer({"store": settings.shown, "schema": settings.schema}, sentence, as_json=as_json)
