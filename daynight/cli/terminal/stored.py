"""The stores of a command line: each is opened when it is first asked for, and closed at the command's end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _
from daynight.records import STORED, Record

if TYPE_CHECKING:
    from daynight.cards import Catalogue
    from daynight.framework.mechanic import Mechanic
    from daynight.game import Game as Played
    from daynight.store import Key, Store
    from daynight.store.database.settings import Settings

# The store brings libraries along that no other command needs: it is imported where one is opened, and nowhere else.

_PLACE, _OPENED = f"{__name__}.place", f"{__name__}.opened"


class Game(Record):
    """A game of a store as a record, `db:GAME`; the store is opened when it is read."""

    def __init__(self, game: str, where: str) -> None:
        super().__init__(f"{STORED}{game}")
        self.game = game
        self.where = where
        self._until: int | None = None
        self._found: Record | None = None

    def until(self, number: int) -> Game:
        """The game up to event `number`: what comes after it is not read."""
        found = Game(self.game, self.where)
        found._until = number
        return found

    @property
    def last(self) -> int:
        """The number of the last event.

        Raises:
            NotFoundError, StoreError: as `open`.
        """
        return reading(self.where).head(self.game).number

    @contextmanager
    def recent(self, catalogue: Catalogue) -> Iterator[Played]:
        """The game, of which no more is read than a question about its last events needs.

        Raises:
            LooksBackError: where it needs to be read from the beginning.
            NotFoundError, StoreError: as `open`.
        """
        from daynight.game import Game as Played
        from daynight.store.database.guard import guarded
        from daynight.store.moments.past import Past
        from daynight.store.moments.recent import recent

        with guarded(game=self.game):
            past = Past(reading(self.where).recorder, self.game, checked=True)
            yield recent(past, self._until or self.last, Played(catalogue=catalogue))

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes of the record from their beginning, up to what was the last event the first time.

        Raises:
            NotFoundError: where there is no such store, or no such game in it.
            StoreError: where the store is damaged, or does not answer.
        """
        if self._found is None:
            self._found = reading(self.where).record(self.game, until=self._until, checked=True)
        with self._found.open() as stream:
            yield stream


def remember(ctx: click.Context, param: click.Parameter, where: str | None) -> None:
    """Keep the place that the option `param` names, for all of this command line."""
    if where is not None:
        ctx.meta[_PLACE] = where


def place() -> str:
    """The place of the store that this command line is about."""
    from daynight.store.database.settings import DEFAULT

    found: str = click.get_current_context().meta.get(_PLACE, DEFAULT)
    return found


def is_named() -> bool:
    """Whether this command line, or DAYNIGHT_DB, names a store."""
    return _PLACE in click.get_current_context().meta


def mechanic() -> Mechanic[Any, Any, Any] | None:
    """The mechanic of this command line; None is that of games."""
    found: Mechanic[Any, Any, Any] | None = click.get_current_context().find_root().obj
    return found


def settings_of(where: str) -> Settings:
    """The settings of a place.

    Raises:
        SettingsError: where it is spelled wrongly, or is memory: a command's memory ends with it.
    """
    from daynight.store import SettingsError
    from daynight.store.database.settings import Settings

    settings = Settings.parse(where)
    if settings.kind == "memory":
        raise SettingsError(_("memory: would be gone with this command; give a file, or postgresql://..."))
    return settings


def reading(where: str | None = None) -> Store:
    """The store of a place, for a command that only reads: no key is made, and no store.

    Raises:
        NotFoundError: where there is none.
        SettingsError, StoreError: where it cannot be opened.
    """
    return _opened(place() if where is None else where, lambda: None, begin=False)


def writing(key: Path | None, where: str | None = None, *, begin: bool = False) -> Store:
    """The store of a place, for a command that writes: it signs with the key of this user, or with that of a file.

    Raises:
        NotFoundError: where there is none, unless this command may `begin` one.
        SettingsError, StoreError: where it cannot be opened.
    """
    return _opened(place() if where is None else where, lambda: key_of(key), begin)


def key_of(key: Path | None) -> Key:
    """The key of a file, or this user's own; it is made where there is none.

    Raises:
        SettingsError: where the file holds no key.
    """
    from daynight.store import Key

    return Key.read(key_file(key))


def key_file(key: Path | None) -> Path:
    """The file of a key: the one given, or else this user's own."""
    return key or Path(click.get_app_dir("daynight"), "key.pem")


def _opened(where: str, key: Callable[[], Key | None], begin: bool) -> Store:
    from daynight.store import Store

    ctx = click.get_current_context()
    stores: dict[str, Store] = ctx.meta.setdefault(_OPENED, {})
    if where not in stores:
        settings = settings_of(where)
        if settings.kind == "sqlite" and not begin and not _is_there(Path(settings.path)):
            sentence = _("{place}: no store there; daynight new begins a game and its store, --db names another")
            if mechanic() is not None:
                sentence = _("{place}: no store there; {program} import makes one, --db names another")
            raise NotFoundError(sentence.format(place=settings.shown, program=ctx.find_root().info_name))
        stores[where] = Store(settings, key=key(), mechanic=mechanic())
        ctx.call_on_close(stores[where].close)
    return stores[where]


def _is_there(path: Path) -> bool:
    # An empty file is as good as none: opened, it would become a store.
    return path.exists() and not (path.is_file() and path.stat().st_size == 0)
