"""`daynight backup`: a copy of a store while it is in use."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import answer
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target
from daynight.machine.program import program


@click.command(epilog="\b\ndaynight backup copy.db")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@options.db
@options.as_json
def backup(file: Path, as_json: bool) -> int:
    """Copy a store that is in use.

    Others may go on writing to it. Check the copy with daynight verify --db FILE; daynight restore FILE puts it in
    the place of a store. Do not copy stores with cp: the latest events may be in a file beside the store.
    """
    from daynight.store import SettingsError
    from daynight.store.database.sqlite import SQLiteGames
    from daynight.store.files.copies import backed_up

    if not file.exists():
        # Only a new file needs this check: a backup overwrites nothing.
        check_target(file)
    store = stored.reading()
    if not isinstance(store.recorder, SQLiteGames):
        sentence = _("{place}: backup copies files; {program} export --all -o FILE takes all of a server's games")
        raise SettingsError(sentence.format(place=store.settings.shown, program=program()))
    try:
        copied = backed_up(store.recorder, file)
    except FileExistsError:
        sentence = _("{file}: there is one already, and a backup overwrites nothing")
        raise SettingsError(sentence.format(file=file)) from None
    many = counted("{n} game", "{n} games", copied.games)
    all_in_all = counted("{n} event", "{n} events", copied.events)
    sentence = _("{file}: {games} with {events}").format(file=file, games=many, events=all_in_all)
    return answer({"file": str(file), "games": copied.games, "events": copied.events}, sentence, as_json=as_json)
