"""Stored branches: a branch of a stored game is stored as a separate game, such as `friday/b2`.

The first line of the stored branch names its parent game, the event after which it was branched from, and the SHA-256
of the parent's lines up to that event. A stored branch can be appended to, verified, exported, and branched from.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daynight.framework.branches import Branch, Origin, digest_of, fits, origin_of
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.framework.positions import Position, PositionError
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import game_name
from daynight.store.database.rows import Head
from daynight.store.errors import ConflictError, DamagedError
from daynight.store.given import RANDOM
from daynight.store.proving.signing import followed
from daynight.store.store import AnyStore


class BranchNameError(AskedError):
    """A branch cannot be stored under this name: empty, too long, with a slash, or a position (`e18`); exit code 2."""


class StoredBranch(Struct, frozen=True, kw_only=True):
    """A branch in a store: game `game`, with `events` events, branched from game `origin.game`.

    `intact`: that game still has the events up to `origin.event` from which the branch was made.
    """

    game: str
    events: int
    origin: Origin
    intact: bool


def keep(store: AnyStore, branch: Branch[Any], game: str) -> Head:
    """Store a branch of the stored game `game` as a game such as `friday/b2`: the game's name, then the branch's.

    Return the `Head` of the new game. If the same branch is stored already, nothing more is stored.

    Raises:
        BranchNameError: where `check_name` refuses the branch's name.
        NotFoundError: where there is no such game.
        ConflictError: where a game with other events has the new name.
        NotSignedError, NotAcceptedError: where the store's key refuses to sign the parent game.
        DamagedError: where the parent's last event is not what was stored or, if the store has a key, the parent's
            events are not those from which the branch was made.
    """
    check_name(branch.name, game)
    origin = Origin(branch.name, game, branch.parted, _digest(store, game, branch.parted))
    name = game_name(origin.full_name)
    first, *others = branch.record(origin.digest)
    # In a store the parent is the game of that name, whatever its first line calls it.
    parent = {**first.meta["branched_from"], "game": game}
    # It draws random bits of its own.
    meta = {name: value for name, value in first.meta.items() if name != RANDOM}
    events = [replace(first, meta={**meta, "branched_from": parent}), *others]
    command = f"branch-{sha256(encode_lines(events)).hexdigest()}"
    if store.command(name, command) is None:
        # Otherwise the key would vouch for the common beginning.
        _check_parent(store, branch, game)
    try:
        # The rules of its places have accepted the branch when it was made.
        asked = store.application.writer.asked(name, events, command=command, expected=0, placed=True, begins=True)
        store.put(asked)
    except ConflictError:
        sentence = _("there is another branch {name} already; give this one a name of its own")
        raise ConflictError(sentence.format(name=repr(branch.name)), game=game) from None
    return store.head(name)


def _check_parent(store: AnyStore, branch: Branch[Any], game: str) -> None:
    recorder = store.recorder
    with guarded(game=game), recorder.transaction(write=False) as cursor:
        followed(recorder, game, recorder.last(cursor, game), None)
        if recorder.signer is not None and [*store.events(game, 0, len(branch.parent))] != [*branch.parent]:
            raise DamagedError(_("it is not the game any more that the branch was made of"), game=game)


def branches(store: AnyStore, game: str) -> Iterator[StoredBranch]:
    """Yield the branches of a stored game, and the branches of its branches, by name.

    Raises:
        NotFoundError: where there is no such game.
    """
    store.head(game)
    for name, last in store.games(f"{game}/"):
        if (origin := _named(store, name)) is not None:
            yield StoredBranch(game=name, events=last, origin=origin, intact=_fits(store, name, origin))


def parent_of(store: AnyStore, game: str) -> str | None:
    """Return the name of the game that a game was branched from; None if there is none, or their beginnings differ.

    Raises:
        NotFoundError: where there is no such game.
    """
    origin = _named(store, game)
    return origin.game if origin is not None and _fits(store, game, origin) else None


def _named(store: AnyStore, game: str) -> Origin | None:
    """Return the `Origin` in the first line of `game`; None if there is none, or its `full_name` is not `game`."""
    origin = origin_of(next(store.events(game, 0, 1)))
    return origin if origin is not None and origin.full_name == game else None


def _fits(store: AnyStore, game: str, origin: Origin) -> bool:
    return fits(origin, _beginning(store, game, origin), _beginning(store, origin.game, origin))


def check_name(name: str, game: str) -> None:
    """Check the name of a branch of `game`, because positions such as `branch:b2/e18` contain it.

    Raises:
        BranchNameError: where it is empty, has a slash, reads like a position, or is too long after the game's name.
    """
    spelled = True
    try:
        Position.parse(name)
    except PositionError:
        spelled = False
    if len(game) + 1 + len(name) > NAME_LENGTH:
        sentence = _("with its branch's name {game} has more than {most} characters; give it a shorter one")
        raise BranchNameError(sentence.format(game=repr(game), most=NAME_LENGTH))
    if spelled or not name or "/" in name:
        sentence = _("a branch that is kept cannot be called {name}: no slash, and nothing like e18 or turn:4")
        raise BranchNameError(sentence.format(name=repr(name)))


def _beginning(store: AnyStore, game: str, origin: Origin) -> list[Any]:
    """Return the events of `game` up to event `origin.event`; empty if the store has no such game."""
    try:
        return [*store.events(game, 0, origin.event)]
    except NotFoundError:
        return []


def _digest(store: AnyStore, game: str, until: int) -> str:
    """Return the hexadecimal SHA-256 of a game's lines up to event `until`; NotFoundError if that event is missing."""
    head = store.head(game)
    if until > head.number:
        sentence = _("{game}: no event {event}; the last one is {last}")
        raise NotFoundError(sentence.format(game=game, event=until, last=head.number))
    return digest_of(store.record(game, until=until), until)
