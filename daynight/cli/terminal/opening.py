"""Opens a command's FILE: a record, or a log of another program, in which each game becomes a record."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from gettext import ngettext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from daynight.cards import bundled
from daynight.cli.terminal.exits import WrongFileError
from daynight.cli.terminal.output import error_line
from daynight.framework.language.errors import NotFoundError, RecordError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.records import Record

if TYPE_CHECKING:
    from daynight.importers.frame import Options
    from daynight.logs import Log

Command = TypeVar("Command", bound=Callable[..., Any])

CARDS = f"{__name__}.cards"
"""The key under which the context of a command line keeps the file with the names of card numbers."""

_GAME = f"{__name__}.game"
_HEAD = 2**10
_SURE = b'"game-started"'


def _remember(key: str, ctx: click.Context, param: click.Parameter, value: Any) -> None:
    ctx.meta[key] = value


_game = click.option(
    "--game",
    "of_a_log",
    metavar="GAME",
    expose_value=False,
    is_eager=True,
    callback=partial(_remember, _GAME),
    help="If FILE is a log: which of its games: its name, its number, last, -1 for the last one, or how its name"
    " begins.",
)
_cards = click.option(
    "--cards",
    metavar="FILE",
    expose_value=False,
    is_eager=True,
    callback=partial(_remember, CARDS),
    type=click.Path(dir_okay=False, path_type=Path),
    help="If FILE is a log: a file with the names of its card numbers, as for daynight import.",
)


def of_logs(command: Command) -> Command:
    """Add the options that only logs take: `--game` and `--cards`."""
    return _game(_cards(command))


def opened(name: str, ctx: click.Context | None) -> Record:
    """Return the file `name` as a `Record` or, if it may be a log, a `RecordOrLog`; `NAME#2` is game 2 of the log NAME.

    Raises:
        UsageError: where a game of a log was named, by `--game` or `#2`, but the file is plainly a record.
    """
    asked = {} if ctx is None else ctx.meta
    wanted: str | None = asked.get(_GAME)
    chosen = False
    path, mark, game = name.rpartition("#")
    if mark and game and not Path(name).exists() and Path(path).is_file():
        name, wanted, chosen = path, game, True
    if _is_plainly_a_record(name):
        if wanted is not None:
            raise _one_game_error(name)
        return Record(name)
    # Importers load slowly, and a record does not need them.
    from daynight.logs import RecordOrLog, known_of

    def options() -> Options:
        catalogue = None if ctx is None else ctx.params.get("catalogue")
        return known_of(catalogue or bundled(), asked.get(CARDS))

    return RecordOrLog(name, wanted=wanted, chosen=chosen, options=options, told=_tell)


def joined(ctx: click.Context, param: click.Parameter, value: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return the records; logs that continue one another become one record."""
    return tuple(_as_one(value))


def found(ctx: click.Context) -> Record:
    """Return one game of Arena's logs on this machine: that of `--game`, or the last; print from which log it is.

    It is taken from the latest log or, as long as that has no game, from the log before it.

    Raises:
        NotFoundError: where there is no log (the error lists the places that were searched), or the logs are empty.
    """
    there = found_logs()
    logs = [log for log in there if log.stat().st_size]
    if not logs:
        raise NotFoundError(_("{file} is empty; start Arena, and play a game").format(file=there[-1]))
    sentence = _("no FILE was given, so this is the last game of {file}")
    if _GAME not in ctx.meta or ctx.meta[_GAME] is None:
        ctx.meta[_GAME] = "last"
    else:
        sentence = _("no FILE was given, so this is a game of {file}")
    records = _as_one([opened(str(log), ctx) for log in logs])
    if len(records) > 1 and not _has_games(records[-1]) and _has_games(records[0]):
        records, logs = records[:1], logs[:1]
    error_line(sentence.format(file=logs[-1]))
    return records[-1]


def _has_games(record: Record) -> bool:
    is_log: Callable[[], bool] | None = getattr(record, "is_log", None)
    try:
        return is_log is not None and is_log() and bool(games_of([record]))
    except RecordError:
        return False


def found_logs() -> tuple[Path, ...]:
    """Return Arena's logs on this machine: the log of the previous session, if there is one, and the latest log.

    Raises:
        NotFoundError: where there is no log; it lists the places that were searched.
    """
    from daynight.importers.arena.places import find_logs

    logs, tried = find_logs()
    if logs:
        return logs
    sentence = _("no log of Magic Arena was found; looked for {files}. Give its path")
    if not tried:
        raise NotFoundError(_("no log of Magic Arena was found, for nobody's home folder is known; give its path"))
    raise NotFoundError(sentence.format(files=commas([str(file) for file in tried])))


def joined_or_found(ctx: click.Context, param: click.Parameter, value: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return the records as `joined` does; without arguments, at a terminal, the one game that `found` returns.

    Raises:
        MissingParameter: without arguments, if standard input is no terminal.
        NotFoundError: where no log is found.
    """
    if value or ctx.resilient_parsing:
        return joined(ctx, param, value)
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise click.MissingParameter(ctx=ctx, param=param, param_hint=_hint(param), param_type="argument")
    return (found(ctx),)


def games_of(records: Sequence[Record]) -> list[Record]:
    """Return the records, with each game of a log as a record of its own.

    Raises:
        RecordError, NotFoundError, OSError: where a log can't be read, or has no game.
    """
    found: list[Record] = []
    for record in _as_one(records):
        games: Callable[[], Sequence[Record]] | None = getattr(record, "games", None)
        found += [record] if games is None else games()
    return found


def only(ctx: click.Context, param: click.Parameter, value: tuple[Record, ...]) -> Record:
    """Return the only record; logs that continue one another count as one record.

    Raises:
        UsageError: where there is a second record.
    """
    return _only(_as_one(value), ctx)


def with_a_name(ctx: click.Context, param: click.Parameter, value: tuple[Record, ...]) -> tuple[Record, str | None]:
    """Return the only record, and the name that follows it on the command line, such as a permanent's, or None.

    Raises:
        UsageError: as `only`; where there is no argument; where `--game` was given but the file is no log.
    """
    if not value:
        raise click.MissingParameter(ctx=ctx, param=param, param_hint=_hint(param), param_type="argument")
    first, *others = _as_one(value)
    if type(first) is Record:
        check_no_game(first.name, ctx)
    return _only([first, *others[1:]], ctx), others[0].name if others else None


def _hint(param: click.Parameter) -> str:
    """Return the quoted first word of an argument's translated metavar: `'FILE'` for `FILE [PERMANENT]` or `[FILE]`."""
    word = (param.metavar or "").partition(" ")[0]
    return f"'{word.replace('[', '').replace(']', '')}'"


def _only(records: Sequence[Record], ctx: click.Context) -> Record:
    first, *others = records
    if others:
        refuse_more([record.shown for record in others], ctx)
    return first


def refuse_more(words: Sequence[str], ctx: click.Context) -> NoReturn:
    """Refuse arguments that a command does not take.

    Raises:
        UsageError: always.
    """
    # click has a text for it, with translations.
    told = ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", len(words))
    ctx.fail(told.format(args=" ".join(words)))


def _as_one(records: Sequence[Record]) -> list[Record]:
    """Join neighbouring logs if their program splits one log into several files; leave other records alone."""
    if sum(type(record) is not Record for record in records) < 2:
        # Importers load slowly, and records do not need them.
        return [*records]
    from daynight.logs import joined

    return joined(records)


def names_a_game(ctx: click.Context) -> bool:
    """Return whether the command line has `--game`."""
    return ctx.meta.get(_GAME) is not None


def check_no_game(name: str, ctx: click.Context | None) -> None:
    """Refuse `--game` for the record `name`, which has one game only.

    Raises:
        UsageError: where `--game` was given.
    """
    if ctx is not None and names_a_game(ctx):
        raise _one_game_error(name)


def _one_game_error(name: str) -> WrongFileError:
    sentence = _("{file} is a record of one game; --game and FILE#2 are for logs")
    return WrongFileError(sentence.format(file=name), name)


def _is_plainly_a_record(name: str) -> bool:
    path = Path(name)
    if name == "-" or not path.is_file():
        return name != "-" and not path.is_fifo()
    with path.open("rb") as stream:
        return name.endswith((".dn", ".dn.gz")) or _SURE in stream.read(_HEAD).partition(b"\n")[0]


def _tell(log: Log) -> None:
    """Print the importer's report, and whose log it is, to standard error; standard output has only the answer."""
    for sentence in log.report.told():
        error_line(sentence)
    recorders = dict.fromkeys(game.recorder for game in log.games)
    for game in log.games[:1] if len(recorders) == 1 else log.games:
        if game.recorder is not None and len(recorders) == 1:
            error_line(_("you are {player}").format(player=game.recorder))
        elif game.recorder is not None:
            error_line(_("you are {player} in {game}").format(player=game.recorder, game=game.name))
