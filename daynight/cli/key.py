"""`daynight key`: the public half of the key that signs, for others to know, and where its file is."""

from __future__ import annotations

from pathlib import Path

import click

from daynight.cli import options, stored
from daynight.cli.output import console, print_json
from daynight.events.errors import tame
from daynight.events.wording import _

__all__ = ["key"]


@click.command()
@click.option(
    "--key",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the key; your own if not given.",
)
@click.option("--new", is_flag=True, help="Make one where there is none; nothing is overwritten.")
@options.as_json
def key(file: Path | None, new: bool, as_json: bool) -> int:
    """Show the public key that signs your games, which is what daynight verify --signer takes.

    The private one stays in its file, and is never shown. Exit code 4 where there is none yet: --new makes one, and so
    does whatever stores a game.
    """
    from daynight.store import Key

    place = stored.key_file(file)
    found = Key.make(place) if new else Key.kept(place)
    public = found.key.hex()
    if as_json:
        print_json({"key": public, "file": str(place), "new": new})
        return 0
    console().print(public)
    told = _("its private half is in {file}; daynight verify --signer {key} asks for it")
    console().print(tame(told.format(file=place, key="KEY")))
    return 0
