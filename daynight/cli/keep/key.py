"""`daynight key`: the public half of the key that signs, for others to know, and where its file is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import answer
from daynight.framework.language.errors import NotFoundError, tame
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.store import Key


@click.command(epilog="\b\ndaynight key --new\ndaynight key")
@options.a_file("--key", "file", help="The file of the key; by default your own.")
@click.option("--new", is_flag=True, help="Make a key if there is none; nothing is overwritten.")
@click.option(
    "--forget",
    metavar="GAME",
    type=options.GAME,
    help="Let the key forget what it signed of a game; it then signs the game as it is now.",
)
@options.as_json
def key(file: Path | None, new: bool, forget: str | None, as_json: bool) -> int:
    """Show the public key that signs your games.

    daynight verify --signer takes this key. The private key stays in its file, and is never shown. Exit code 4 if there
    is no key yet: --new makes one, and so does every command that stores a game.

    In FILE.heads, the key remembers the last event that it signed of each game. It refuses to sign a game of that name
    without that event, so nobody can rewrite a game and get your signature. Use --forget after you restored an older
    copy on purpose, or to begin another game of the same name. Exit code 4 if the key remembers nothing of GAME.
    """
    from daynight.store import Key

    if new and forget is not None:
        raise click.UsageError(_("--new makes a key, which remembers nothing yet: leave out --forget"))
    place = stored.key_file(file)
    found = Key.make(place) if new else Key.kept(place)
    if forget is not None:
        return _forgotten(found, forget, as_json)
    public = found.key.hex()
    told = _("its private half is in {file}; daynight verify --signer {key} asks for it").format(file=place, key="KEY")
    return answer({"key": public, "file": str(place), "new": new}, public, told, as_json=as_json)


def _forgotten(key: Key, game: str, as_json: bool) -> int:
    from daynight.store.proving.chain import code_of

    head = key.forget(game)
    if head is None:
        sentence = _("{key}: remembers nothing of {game}")
        raise NotFoundError(tame(sentence.format(key=key.path, game=repr(game))))
    code = code_of(head.number, head.digest)
    told = _("{game}: forgotten; the last event that was signed of it is {event}, {code}")
    document = {"key": key.key.hex(), "game": game, "event": head.number, "code": code}
    return answer(document, told.format(game=game, event=head.number, code=code), as_json=as_json)
