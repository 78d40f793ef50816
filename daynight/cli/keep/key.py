"""`daynight key`: the public half of the key that signs, for others to know, and where its file is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import console, print_json
from daynight.framework.language.errors import NotFoundError, tame
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.store import Key


@click.command()
@click.option(
    "--key",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the key; your own if not given.",
)
@click.option("--new", is_flag=True, help="Make one where there is none; nothing is overwritten.")
@click.option(
    "--forget",
    metavar="GAME",
    type=options.GAME,
    help="Let the key forget what it has signed of a game, so that it signs whatever there is of it now.",
)
@options.as_json
def key(file: Path | None, new: bool, forget: str | None, as_json: bool) -> int:
    """Show the public key that signs your games, which is what daynight verify --signer takes.

    The private one stays in its file, and is never shown. Exit code 4 where there is none yet: --new makes one, and so
    does whatever stores a game.

    Beside it, in FILE.heads, the key remembers the last event that it has signed of each game, and signs no game of
    that name without that event: so nobody can write a game anew and have you sign it. --forget is for who restored an
    older copy on purpose, or begins another game of the same name. Exit code 4 where nothing is remembered of GAME.
    """
    from daynight.store import Key

    if new and forget is not None:
        raise click.UsageError(_("--new makes a key, which remembers nothing yet: leave out --forget"))
    place = stored.key_file(file)
    found = Key.make(place) if new else Key.kept(place)
    if forget is not None:
        return _forgotten(found, forget, as_json)
    public = found.key.hex()
    if as_json:
        print_json({"key": public, "file": str(place), "new": new})
        return 0
    console().print(public)
    told = _("its private half is in {file}; daynight verify --signer {key} asks for it")
    console().print(tame(told.format(file=place, key="KEY")))
    return 0


def _forgotten(key: Key, game: str, as_json: bool) -> int:
    from daynight.store.proving.chain import code_of

    head = key.forget(game)
    if head is None:
        sentence = _("{key}: remembers nothing of {game}")
        raise NotFoundError(tame(sentence.format(key=key.path, game=repr(game))))
    code = code_of(head.number, head.digest)
    if as_json:
        print_json({"key": key.key.hex(), "game": game, "event": head.number, "code": code})
        return 0
    told = _("{game}: forgotten; the last event that was signed of it is {event}, {code}")
    console().print(tame(told.format(game=game, event=head.number, code=code)))
    return 0
