"""Destinations for the games of a log: a folder, or a store. Other games in them are not touched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec.structs import replace

from daynight.events import GameStarted, read
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.framework.language.wording import _
from daynight.importers.importing import ImportedGame
from daynight.keeping.files import written
from daynight.keeping.growing import store_game
from daynight.keeping.sameness import Relation, candidates, compare, from_a_source

if TYPE_CHECKING:
    from daynight.games import Store

_UNSAFE = re.compile(r"[^\w.+-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class Destination(Protocol):
    """Where imported games go: a folder, a store, or standard output."""

    quiet: ClassVar[bool]
    """Whether the destination writes to standard output itself, so that no report is printed there."""

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Store a game; called again whenever the game has grown. Return fields for the report, such as its file."""
        ...

    def close(self, *, whole: bool = True) -> None:
        """End the import: `keep` got all games or, if not `whole`, only those before an error."""
        ...


@dataclass
class Files:
    """Stores each game in a file in a folder; the file is replaced in one step, and never another game's file."""

    folder: Path
    quiet: ClassVar[bool] = False
    taken: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    _editions: dict[str, str | None] = field(default_factory=dict)

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Store a game; return its `file`, and whether it was `written`.

        `beside`: the file has another name than the game, because another game has that. `part`: nothing was written,
        because the game and its file each have turns that the other lacks.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        name, relation = self.chosen(game)
        self._keep_edition(game, name)
        path = self.folder / f"{name}.jsonl"
        kept: dict[str, object] = {"file": str(path), "written": relation in (None, Relation.MORE)}
        if kept["written"]:
            with written(path) as stream:
                stream.write(encode_lines(game.events))
        if name != _file_name(game.name):
            kept["beside"] = True
        if relation is Relation.PART:
            kept["part"] = True
        return kept

    def _keep_edition(self, game: ImportedGame, name: str) -> None:
        """Set the game's edition to that of its file (None if the file names none); without a file change nothing."""
        first = game.events[0]
        if name in self._editions and isinstance(first, GameStarted):
            game.events[0] = replace(first, edition=self._editions[name])

    def close(self, *, whole: bool = True) -> None:
        """Do nothing: `keep` has written all games."""

    def chosen(self, game: ImportedGame) -> tuple[str, Relation | None]:
        """Return the name of a game's file, without suffix, and how the game relates to that file (None: no file).

        Raises:
            UnreadableError: where the file with the game's own name holds something else, or no name is free.
        """
        base = _file_name(game.name)
        for name in candidates(base):
            if self.owners.get(name.casefold(), game.key) != game.key:
                continue
            path = self.folder / f"{name}.jsonl"
            relation = self._relation(path, game, named=name == base) if path.exists() else None
            if relation is not Relation.OTHER:
                self.taken[game.key] = name
                self.owners[name.casefold()] = game.key
                return name, relation
        raise _stays(self.folder / f"{base}.jsonl")

    def _relation(self, path: Path, game: ImportedGame, *, named: bool) -> Relation:
        try:
            with path.open("rb") as stream:
                there = list(read(stream))
        except RecordError:
            there = []
        first = there[0] if there else None
        if isinstance(first, GameStarted):
            self._editions[path.stem] = first.edition
        if named and (not isinstance(first, GameStarted) or first.game != game.name):
            raise _stays(path)
        if not all(from_a_source(event) for event in there):
            # Somebody else has edited it.
            return Relation.OTHER
        return compare(game.events, there, same_game=self.taken.get(game.key) == path.stem)


def _stays(path: Path) -> UnreadableError:
    sentence = _("something else than this game is there, and stays; give another folder with -o")
    return UnreadableError(sentence, file=str(path))


def _file_name(game: str) -> str:
    name = _UNSAFE.sub("-", game).strip("-.")[:120] or "game"
    return f"game-{name}" if _RESERVED.fullmatch(name) else name


@dataclass
class Stores:
    """Stores games in a store, which is opened only when there is something to store."""

    opened: Callable[[], Store]
    by: str
    quiet: ClassVar[bool] = False
    taken: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)

    def keep(self, game: ImportedGame) -> dict[str, object]:
        """Store a game, or its new events, under its name, or under a similar name if another game has it.

        Return how many of its events are `stored`, `appended` now and `taken_back`, and the special cases:
        `signed` (False), another name (`stored_as`), or `part` (see `Stored`).

        Raises:
            ConflictError: where too many games have its name.
        """
        from daynight.store.errors import ConflictError

        store = self.opened()
        for name in candidates(game.name):
            if self.owners.get(name, game.key) != game.key:
                continue
            same_game = self.taken.get(game.key) == name
            found = store_game(store, name, game.events, by=self.by, same_game=same_game)
            if found is not None:
                self.taken[game.key], self.owners[name] = name, game.key
                kept: dict[str, object] = {
                    "stored": found.events, "appended": found.appended, "taken_back": found.undone
                }  # fmt: skip
                if name in store.recorder.unsigned:
                    kept["signed"] = False
                if name != game.name:
                    kept["stored_as"] = name
                if found.part:
                    kept["part"] = True
                return kept
        raise ConflictError(_("there are too many games of that name; give another store"), game=game.name)

    def close(self, *, whole: bool = True) -> None:
        """Do nothing: `keep` has stored all games."""
