"""Gives the tables of a corpus to duckdb, polars, pandas or Arrow, joined to the table of games on request.

Arrow's types are kept: a column of integers with nulls stays integer, and a column of words stays a dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset

from daynight.corpus.manifest import Manifest
from daynight.corpus.schema import TABLES
from daynight.corpus.sources import addresses
from daynight.corpus.trust import file_of, opened_table, reading
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.machine.installing import needing

_EXTRAS: dict[str, str] = {"duckdb": "analysis", "pandas": "analysis", "polars": "analysis"}


class Corpus:
    """The tables of the corpus in `folder`: `games`, `events`, `turns` and `lines`.

    >>> import daynight.corpus, tempfile
    >>> from daynight.corpus.building.build import build
    >>> place = Path(tempfile.mkdtemp()) / "c"
    >>> manifest = build(["examples/games"], place)
    >>> corpus = daynight.corpus.load(place)
    >>> corpus.sql("SELECT count(*) FROM turns WHERE ended = 'night' AND NOT undone").fetchall()
    [(17,)]
    >>> corpus.polars("turns", columns=["turn", "ended"], games=["verdict"]).columns
    ['turn', 'ended', 'verdict']
    """

    def __init__(self, folder: str | Path) -> None:
        """Read `corpus.json`.

        Raises:
            NotFoundError, UnreadableError: where there is no such corpus, or another version of the rules made it.
            AskedError: where it is not finished.
        """
        self.folder = str(folder)
        self.manifest = Manifest.read(self.folder)
        self.manifest.check(self.folder)
        self._sound: set[str] = set()

    def __repr__(self) -> str:
        """Return the call that makes this object."""
        return f"daynight.corpus.load({self.folder!r})"

    def arrow(self, table: str, columns: Sequence[str] | None = None, games: Sequence[str] = ()) -> Any:
        """Return a table, or some of its `columns`, as a `pyarrow.Table`.

        `games` names columns of the table of games to add. The SHA-256 and the columns of each file are checked.

        Raises:
            AskedError: where there is no such table or column, or `games` names a column that the table has, too.
            Damage: where a file is missing or damaged.
        """
        wanted = self._wanted(table, columns, games)
        found = self._whole(table, [*dict.fromkeys((*wanted, "game"))] if games else wanted)
        if not games:
            return found
        about = self._whole("games", ["game", *dict.fromkeys(games)])
        # Both are sorted by game.
        places = np.searchsorted(about.column("game").to_numpy(), found.column("game").to_numpy())
        found, about = found.select(wanted), about.take(pa.array(places))
        for name in dict.fromkeys(games):
            found = found.append_column(about.schema.field(name), about.column(name))
        return found

    def polars(self, table: str, columns: Sequence[str] | None = None, games: Sequence[str] = ()) -> Any:
        """Return the table of `arrow` as a `polars.DataFrame`; columns of words are `Categorical`.

        Raises:
            AskedError: as `arrow`, and where polars is not installed.
            Damage: as `arrow`.
        """
        with needing(_EXTRAS):
            import polars
        return polars.from_arrow(self.arrow(table, columns, games))

    def pandas(self, table: str, columns: Sequence[str] | None = None, games: Sequence[str] = ()) -> Any:
        """Return the table of `arrow` as a `pandas.DataFrame` with the types of Arrow: no integer becomes a float.

        Raises:
            AskedError: as `arrow`, and where pandas is not installed.
            Damage: as `arrow`.
        """
        with needing(_EXTRAS):
            import pandas
        return self.arrow(table, columns, games).to_pandas(types_mapper=pandas.ArrowDtype)

    def duckdb(self, table: str, columns: Sequence[str] | None = None, games: Sequence[str] = ()) -> Any:
        """Return the table of `arrow` as a relation of duckdb, which reads the data as it needs them.

        Their files are checked the first time, as by `sql`.

        Raises:
            AskedError: as `arrow`, and where duckdb is not installed.
            Damage: as `arrow`.
        """
        chosen = [f't."{name}"' for name in self._wanted(table, columns, games)]
        chosen += [f'g."{name}"' for name in dict.fromkeys(games)]
        joined = " JOIN games g USING (game)" if games else ""
        connection = self._checked(table, "games") if games else self._checked(table)
        return connection.sql(f"SELECT {', '.join(chosen)} FROM {table} t{joined}")  # noqa: S608  # names of the schema

    def sql(self, query: str) -> Any:
        """Return the relation of duckdb for a query over `games`, `events`, `turns` and `lines`.

        The files of each table that the query names, also as a column, are checked as by `arrow`: each is read and
        hashed the first time. What changes later is not seen, and a query given to `connection` is not checked.

        Raises:
            AskedError: where duckdb is not installed.
            Damage: where a file is missing or damaged.
            duckdb.Error: where duckdb refuses the query.
        """
        named = query.casefold()
        return self._checked(*[table for table in TABLES if table in named]).sql(query)

    @cached_property
    def connection(self) -> Any:
        """The connection of duckdb; the four tables are views in it, whose files are not checked before.

        Raises:
            AskedError: where duckdb is not installed.
        """
        with needing(_EXTRAS):
            import duckdb
        connection = duckdb.connect()
        for table in TABLES:
            connection.register(table, self._dataset(table))
        return connection

    def _dataset(self, table: str) -> Any:
        """Return the files of a table as a dataset, read on demand; an empty table if the corpus has no parts."""
        names = [addresses.joined(self.folder, file_of(table, part.part)) for part in self.manifest.parts]
        if not names:
            return TABLES[table].empty_table()
        if not addresses.is_remote(self.folder):
            return pyarrow.dataset.dataset([str(Path(name).absolute()) for name in names], TABLES[table])
        from fsspec.core import url_to_fs

        system, _path = url_to_fs(self.folder)
        files = [url_to_fs(name)[1] for name in names]
        return pyarrow.dataset.dataset(files, TABLES[table], filesystem=system)

    def _wanted(self, table: str, columns: Sequence[str] | None, games: Sequence[str]) -> list[str]:
        """Return the names of the requested `columns` of a table, of all of them if it is None; check those of `games`.

        Raises:
            AskedError: where there is no such table or column, or a column would be there twice.
        """
        if table not in TABLES:
            sentence = _("a corpus has no table {table}; there are: {known}")
            raise AskedError(sentence.format(table=table, known=", ".join(TABLES)))
        wanted = TABLES[table].names if columns is None else list(dict.fromkeys(columns))
        for one, asked in ((table, wanted), ("games", games)):
            for name in asked:
                if name not in TABLES[one].names:
                    sentence = _("the table {table} has no column {column}; there are: {known}")
                    known = ", ".join(TABLES[one].names)
                    raise AskedError(sentence.format(table=one, column=name, known=known))
        if twice := [name for name in games if name in wanted]:
            sentence = _("the column {column} would be there twice; name only one of both")
            raise AskedError(sentence.format(column=twice[0]))
        return wanted

    def _checked(self, *tables: str) -> Any:
        """Check the files of tables, unless that was done before; return `connection`.

        Raises:
            AskedError: where duckdb is not installed.
            Damage: where a file is missing or damaged.
        """
        connection = self.connection
        for table in tables:
            if table not in self._sound:
                for part in self.manifest.parts:
                    opened_table(self.folder, part, table)
                self._sound.add(table)
        return connection

    def _whole(self, table: str, columns: Sequence[str]) -> Any:
        """Read some columns of a table from each part, and return them as one `pyarrow.Table`."""
        schema = pa.schema([TABLES[table].field(name) for name in columns])
        pieces = [schema.empty_table()]
        for part in self.manifest.parts:
            with reading(file_of(table, part.part)):
                found = opened_table(self.folder, part, table).read(columns=list(columns))
                pieces.append(found.select(columns).cast(schema))
        return pa.concat_tables(pieces).unify_dictionaries()
