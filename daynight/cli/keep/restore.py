"""`daynight restore`: puts a back-up in place of a store."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import answer
from daynight.framework.language.wording import _, counted
from daynight.machine.program import program


@click.command(epilog="\b\ndaynight restore copy.db\ndaynight restore copy.db --db daynight.db")
@click.argument("backup", type=click.Path(dir_okay=False, path_type=Path))
@options.db
@options.as_json
def restore(backup: Path, as_json: bool) -> int:
    """Put a back-up in the place of a store.

    The old store is kept beside it under another name, which restore prints. While another program uses the store,
    restore refuses: exit code 5. If a key has signed later events of a game than the back-up has, it refuses to sign
    that game, until daynight key --forget GAME.

    Do not copy a store with cp, and do not put one back with cp or mv: the latest events may be in a file beside it,
    with the same name and the ending -wal. An old file of that kind that stays beside a copy damages it. daynight
    backup and daynight restore handle this file; nobody can detect afterwards that cp lost events.
    """
    from daynight.store import SettingsError
    from daynight.store.files.copies import restored

    settings = stored.settings_of(stored.place())
    if settings.kind != "sqlite":
        sentence = _("{place}: restore puts files back; {program} import takes an archive into an empty server")
        raise SettingsError(sentence.format(place=settings.shown, program=program()))
    copied = restored(backup, Path(settings.path))
    many = counted("{n} game", "{n} games", copied.games)
    events = counted("{n} event", "{n} events", copied.events)
    sentence = _("{file}: {games} with {events}")
    told = sentence.format(file=settings.path, games=many, events=events)
    kept = None if copied.kept is None else str(Path(settings.path).with_name(copied.kept.name))
    if kept is not None:
        told += "; " + _("what was there is now {kept}").format(kept=kept)
    document = {
        "file": settings.path, "games": copied.games, "events": copied.events, "from": str(backup),
        "kept": kept,
    }  # fmt: skip
    return answer(document, told, as_json=as_json)
