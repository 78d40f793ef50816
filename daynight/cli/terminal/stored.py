"""Keeps the stores of a command line: opens each when it is first used, and closes all at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from daynight.cli.terminal.output import error_line
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.source import STORED, Source
from daynight.framework.language.wording import _
from daynight.machine.program import program
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.framework.mechanic import Mechanic
    from daynight.framework.positions import Position
    from daynight.framework.recorded import Recorded
    from daynight.games import Store
    from daynight.store import Key
    from daynight.store.database.settings import Settings

# Import the store only where one is opened: it loads libraries that no other command needs.

Answer = TypeVar("Answer")
R = TypeVar("R", bound="Recorded[Any, Any, Any]")

_PLACE, _OPENED = f"{__name__}.place", f"{__name__}.opened"


class StoredRecord(Record):
    """A game of a store as a record, `db:GAME`. Reading it opens the store."""

    def __init__(self, game: str, where: str, until: int | None = None) -> None:
        super().__init__(f"{STORED}{game}")
        self.game = game
        self.where = where
        self._until = until
        self._found: Source | None = None

    def until(self, number: int) -> StoredRecord:
        """Return the game up to event `number`; later events are not read."""
        return StoredRecord(self.game, self.where, number)

    @property
    def last(self) -> int:
        """The number of the last event.

        Raises:
            NotFoundError, StoreError: as `open`.
        """
        return reading(self.where).head(self.game).number

    def on_branch(self, position: Position | None) -> tuple[StoredRecord, Position | None]:
        """Return the game that a position is in, and the position there; for one on a branch, the branch's game."""
        if position is None or position.branch is None:
            return self, position
        return StoredRecord(f"{self.game}/{position.branch}", self.where), position.on_branch

    def cut(self, number: int | None) -> tuple[StoredRecord, int]:
        """Return the game up to an event, and the number of the event; None is the last one. Later events are not read.

        Raises:
            NotFoundError: naming the game, where there is no such event.
            StoreError: as `open`.
        """
        last = self.last
        number = last if number is None else number
        if not 1 <= number <= last:
            sentence = _("no event {event}; the last one is {last}").format(event=number, last=last)
            raise NotFoundError(f"{self.name}: {sentence}", file=self.name)
        return self.until(number), number

    def asked(self, empty: R, load: Callable[[], R], ask: Callable[[R], Answer], *, forgotten: bool = False) -> Answer:
        """Return what `ask` answers for the game, without reading all of it if possible.

        `ask` gets a record like `empty`, read from the latest snapshot on. If that is not enough, it gets the game that
        `load` returns. `forgotten`: the answer may need data that most snapshots leave out, so a full snapshot is used;
        if `ask` raises NotFoundError even there, it gets the game that `load` returns.

        Raises:
            NotFoundError, StoreError: as `open`.
        """
        from daynight.store.database.guard import guarded
        from daynight.store.moments.past import Past
        from daynight.store.moments.recent import LooksBackError, recent

        with suppress(LooksBackError, *([NotFoundError] if forgotten else [])), guarded(game=self.game):
            reading(self.where).application.guarding.check()
            recalls = forgotten and empty.mechanic.remember is not None
            past = Past(reading(self.where).recorder, self.game, checked=True, recalls=recalls)
            return ask(recent(past, self._until or self.last, empty))
        return ask(load())

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes of the record, up to the event of `until` or else that which was last at the first opening.

        Raises:
            NotFoundError: where there is no such store, or it has no such game.
            StoreError: where the store is damaged, or does not answer.
        """
        if self._found is None:
            self._found = reading(self.where).record(self.game, until=self._until, checked=True)
        with self._found.open() as stream:
            yield stream


def remember(ctx: click.Context, param: click.Parameter, where: str | None) -> None:
    """Save `where`, the place of the store that `--db` or DAYNIGHT_DB names, for the whole command line."""
    if where is not None:
        ctx.meta[_PLACE] = where


def place() -> str:
    """Return the place of this command line's store, a path or the address of a server; by default `daynight.db`."""
    from daynight.store.database.settings import DEFAULT

    found: str = click.get_current_context().meta.get(_PLACE, DEFAULT)
    return found


def is_named() -> bool:
    """Return whether this command line, or DAYNIGHT_DB, names a store."""
    return _PLACE in click.get_current_context().meta


def mechanic() -> Mechanic[Any, Any, Any] | None:
    """Return the mechanic of this command line; None means the mechanic of games."""
    found: Mechanic[Any, Any, Any] | None = click.get_current_context().find_root().obj
    return found


def settings_of(where: str) -> Settings:
    """Return the settings of a place.

    Raises:
        SettingsError: where the place is not valid, or is `memory:`: such a store would vanish after the command.
    """
    from daynight.store import SettingsError
    from daynight.store.database.settings import Settings

    settings = Settings.parse(where)
    if settings.kind == "memory":
        raise SettingsError(_("memory: would be gone with this command; give a file, or postgresql://..."))
    return settings


def reading(where: str | None = None) -> Store:
    """Return the store of a place for a command that only reads; it creates no key and no store.

    Raises:
        NotFoundError: where there is no store.
        SettingsError, StoreError: where it cannot be opened.
    """
    return _opened(place() if where is None else where, begin=False)


def writing(
    key: Path | None,
    where: str | None = None,
    *,
    begin: bool = False,
    adds: bool = True,
    game: str | None = None,
    patience: int | None = None,
) -> Store:
    """Return the store of a place for a command that writes; it signs with the key in file `key`, or the user's own.

    A missing key is made only after the store is known to have the `game` and, if the command `adds` something, to be
    writable. The store waits at most `patience` seconds for its database.

    Raises:
        NotFoundError: where there is no store, unless this command may `begin` one.
        SettingsError, StoreError: where it cannot be opened.
    """
    from daynight.store import Key, SettingsError
    from daynight.store.database.guard import guarded

    where = place() if where is None else where
    settings = settings_of(where)
    if settings.kind == "sqlite" and Path(settings.path).resolve() == key_file(key).resolve():
        sentence = _("{file}: a key is a file of its own, and not the store: name another with --key")
        raise SettingsError(sentence.format(file=settings.path))
    has_key = True
    try:
        # An invalid key is refused before a store is made, and a key is made only when there is a store.
        Key.kept(key_file(key))
    except NotFoundError:
        has_key = False
        if begin:
            Key.check_place(key_file(key))
    store = _opened(where, begin, patience)
    if not has_key and game is not None:
        store.head(game)
    if not has_key and adds:
        with guarded(game=game), store.recorder.transaction(write=True):
            pass  # Where nothing may be written, this raises.
    say_who_may(store)
    if store.recorder.signer is None:
        store.recorder.signer = key_of(key)
        store.recorder.tell = error_line
    return store


def say_who_may(store: Store) -> None:
    """Warn if other users can read a store, or write to it; change nothing."""
    if store.settings.kind != "sqlite" or os.name != "posix":
        return
    mode = Path(store.settings.path).stat().st_mode
    if mode & 0o022:
        sentence = _("{place}: others may write to this store; if they should not, chmod 600 {place}")
    elif mode & 0o077:
        sentence = _("{place}: others may read this store; if they should not, chmod 600 {place}")
    else:
        return
    error_line(sentence.format(place=store.settings.shown))


def key_of(key: Path | None) -> Key:
    """Return the key in a file, or the user's own; make it if it is missing, and say so.

    Raises:
        SettingsError: where the file holds no key, or none can be made there.
    """
    from daynight.store import Key

    found = Key.read(key_file(key))
    file, memory = key_file(key).absolute(), found.memory
    if memory is not None and found.is_new:
        sentence = _(
            "made the key {file}: it signs what you record, and notes in {memory} what it has signed; keep both"
        )
        error_line(sentence.format(file=file, memory=memory.name))
    elif memory is not None and not memory.exists():
        # It is made only when something is signed.
        sentence = _("made {memory}, where the key {file} notes what it has signed; keep both")
        told = sentence.format(memory=memory, file=file.name)
        click.get_current_context().call_on_close(lambda: error_line(told) if memory.exists() else None)
    return found


def check_signer(digits: str) -> None:
    """Check the 64 digits of a public key before its signatures count.

    Raises:
        BadParameter: where anybody can forge signatures of such a key.
    """
    from daynight.store.errors import SettingsError
    from daynight.store.proving.keys import check_signer as check

    try:
        check(bytes.fromhex(digits))
    except SettingsError as error:
        raise click.BadParameter(str(error)) from None


def key_file(key: Path | None) -> Path:
    """Return the file of a key: the given one, else the user's own."""
    return key or own_folder() / "key.pem"


def own_folder() -> Path:
    """Return the folder for a user's own files.

    Raises:
        AskedError: where no folder is known, as for a container's user without a home directory.
    """
    from daynight.store.proving.keys import HOME

    folder = Path(click.get_app_dir("daynight"))
    if os.environ.get(HOME) == "" and not folder.is_absolute():
        # An empty variable counts as unset; click would take it for the working folder.
        folder = Path(os.path.expanduser("~/.config/daynight"))  # noqa: PTH111  # as click does: this raises nothing
    if folder.parts[0] == "~":
        sentence = _(
            "no folder for your own files, such as your key, is known here: set {variable} in the environment, or give"
            " --key FILE"
        )
        raise AskedError(sentence.format(variable=HOME))
    return folder


def _opened(where: str, begin: bool, patience: int | None = None) -> Store:
    from daynight.games import Store

    ctx = click.get_current_context()
    stores: dict[str, Store] = ctx.meta.setdefault(_OPENED, {})
    if where not in stores:
        settings = settings_of(where)
        if patience is not None:
            settings = replace(settings, timeout=min(settings.timeout, patience))
        if settings.kind == "sqlite" and not begin and not _is_there(Path(settings.path)):
            sentence = _("{place}: no store there; {program} new begins a game and its store, --db names another")
            if mechanic() is not None:
                sentence = _("{place}: no store there; {program} import makes one, --db names another")
            raise NotFoundError(sentence.format(place=settings.shown, program=program()), file=settings.shown)
        is_new = settings.kind == "sqlite" and not _is_there(Path(settings.path))
        stores[where] = Store(settings, mechanic=mechanic())
        ctx.call_on_close(stores[where].close)
        if is_new:
            error_line(_("made the store {place}").format(place=Path(settings.path).absolute()))
            ctx.call_on_close(lambda: _take_back(stores[where]))
    return stores[where]


def _take_back(store: Store) -> None:
    """Remove a store that this command created if nothing was stored in it: a refused command leaves nothing behind."""
    from daynight.store.database.sqlite import SQLiteGames
    from daynight.store.files.copies import taken_back

    if isinstance(store.recorder, SQLiteGames) and taken_back(store.recorder):
        sentence = _("removed the store {place}: nothing was stored in it")
        error_line(sentence.format(place=Path(store.settings.path).absolute()))


def _is_there(path: Path) -> bool:
    try:
        # An empty file counts as missing: opening it would make it a store.
        return path.exists() and not (path.is_file() and path.stat().st_size == 0)
    except OSError:
        # Opening it gives the reason why it can't be read.
        return True
