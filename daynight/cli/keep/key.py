"""`daynight key`: shows or makes the signing key; makes it forget a game, accept events, or trust another key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import answer
from daynight.framework.language.errors import NotFoundError, tame
from daynight.framework.language.wording import _
from daynight.machine.program import program

if TYPE_CHECKING:
    from daynight.store import Key


def _public(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch("[0-9a-f]{64}", value.lower()):
        sentence = _("a public key has 64 hexadecimal digits; {program} key shows them")
        raise click.BadParameter(sentence.format(program=program()))
    if value is None:
        return None
    stored.check_signer(value)
    return value.lower()


@click.command(epilog="\b\ndaynight key --new\ndaynight key")
@options.a_file("--key", "file", help="The file of the key; by default your own.")
@click.option("--new", is_flag=True, help="Make a key if there is none; nothing is overwritten.")
@click.option(
    "--forget",
    metavar="GAME",
    type=options.GAME,
    help="Forget what the key signed of GAME, and of other games of that name; it then signs GAME as it is now.",
)
@click.option(
    "--accept",
    "accepted",
    metavar="GAME CODE",
    type=(options.GAME, str),
    help="Sign what others undid, overruled or closed in GAME, up to the event whose code is CODE.",
)
@click.option(
    "--trust",
    "trusted",
    metavar="KEY",
    callback=_public,
    help="Count the signatures of this public key in --game GAME.",
)
@click.option("--game", metavar="GAME", type=options.GAME, help="The game for --trust.")
@options.db
@options.as_json
def key(
    file: Path | None, new: bool, forget: str | None, accepted: tuple[str, str] | None, trusted: str | None,
    game: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Show the public key that signs your games.

    daynight verify --signer takes this key. The private key stays in its file, and is never shown. Exit code 4 if there
    is no key yet: --new makes one, and so does every command that stores a game.

    The file FILE.heads has the last event that the key signed of each game. The key does not sign a game that lacks
    this event, so nobody can rewrite a game and get your signature. If you restored an older copy on purpose, --forget
    GAME removes the game from FILE.heads; exit code 4 if the game is not there.

    If somebody without this key stores a back-up, a ruling, or the end of a dispute or a game, the key signs nothing
    more in that game until you accept these events. Look at them, then give --accept the code that was shown. If the
    event has another code now, somebody replaced it meanwhile: exit code 5. --trust makes the signatures of a judge's
    key count in a game, so that you need not accept the judge's events.
    """
    from daynight.store import Key

    if sum([new, forget is not None, accepted is not None, trusted is not None]) > 1:
        raise click.UsageError(_("--new, --forget, --accept and --trust are four things to do; give one of them"))
    if (trusted is None) is not (game is None):
        raise click.UsageError(_("--trust KEY and --game GAME belong together"))
    place = stored.key_file(file)
    found = Key.make(place) if new else Key.kept(place)
    if forget is not None:
        return _forgotten(found, forget, as_json)
    if accepted is not None:
        return _accepted(found, *accepted, as_json=as_json)
    if trusted is not None and game is not None:
        found.trust(game, bytes.fromhex(trusted))
        told = _("{game}: signatures of {key} count beside those of this key")
        document = {"key": found.key.hex(), "game": game, "trusted": trusted}
        return answer(document, told.format(game=game, key=trusted), as_json=as_json)
    public = found.key.hex()
    told = _("its private half is in {file}; {program} verify --signer {key} asks for it")
    told = told.format(file=place, program=program(), key="KEY")
    return answer({"key": public, "file": str(place), "new": new}, public, told, as_json=as_json)


def _accepted(key: Key, game: str, code: str, *, as_json: bool) -> int:
    from daynight.store.database.guard import guarded
    from daynight.store.database.mapper import game_name
    from daynight.store.proving.signing import accept

    store = stored.reading()
    store.head(game)
    store.recorder.signer = key
    with guarded(game=game):
        acts = accept(store.recorder, key, game_name(game), code)
    lines = [
        _("{game}: event {event} ({type}) is signed, {code}").format(
            game=game, event=act.event, type=act.type, code=act.code
        )
        for act in acts
    ]
    accepted = [{"event": act.event, "type": act.type, "code": act.code} for act in acts]
    return answer({"key": key.key.hex(), "game": game, "accepted": accepted}, *lines, as_json=as_json)


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
