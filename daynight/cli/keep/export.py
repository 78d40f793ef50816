"""`daynight export`: writes games as files: their lines with a proof, or a page that opens in any browser."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.opening import check_no_game, names_a_game, of_logs, opened
from daynight.cli.terminal.output import answer, waiting
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target, written
from daynight.records import DEMO, Record

if TYPE_CHECKING:
    from daynight.games import Store

PAGES = (".html", ".htm")
"""The endings of file names that mean a page."""


@click.command(
    epilog="\b\ndaynight export friday -o friday.jsonl\ndaynight export friday -o friday.html"
    "\ndaynight export demo -o demo.html\ndaynight export --all -o archive.jsonl"
)
@click.argument("game", required=False, shell_complete=options.a_game_or_file)
@click.option("--all", "everything", is_flag=True, help="Write all games, as an archive for daynight import.")
@of_logs
@options.output
@options.db
@options.key
@options.as_json
def export(game: str | None, everything: bool, output: Path | None, key: Path | None, as_json: bool) -> int:
    """Write a stored game with a proof, or any game as a page.

    With -o FILE, export writes the events to FILE, and a proof to FILE.proof, which has a signature of the last event;
    daynight verify FILE checks both. If FILE ends in .html, export writes one page instead, which opens in any browser
    without a network; GAME may then also be a file, or demo. Without -o, the events go to standard output.
    """
    context = click.get_current_context()
    if (game is not None) is everything or (everything and names_a_game(context)):
        raise click.UsageError(_("give a GAME, or --all"))
    if game is not None and output is not None and output.suffix.lower() in PAGES:
        return _page(game, output, as_json)
    if game is None:
        return _archive(output, as_json)
    check_no_game(game, context)
    game = game.removeprefix(STORED)
    if output is None:
        stored.reading().lines(game, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return 0
    check_target(_proof(output))
    return _record(game, output, key, as_json)


def _record(game: str, file: Path, key: Path | None, as_json: bool) -> int:
    from daynight.store.proving.chain import code_of
    from daynight.store.proving.proof import prove, read_proof
    from daynight.store.records import StoredRecord

    store = stored.writing(key, adds=False)
    data = prove(store, game)
    proof = read_proof(BytesIO(data))
    beside = _proof(file)
    # Other programs may append meanwhile, so the file ends where its proof does.
    record = StoredRecord(store.recorder, game, proof.events)
    with written(beside) as target, written(file) as lines, record.open() as stream:
        target.write(data)
        while piece := stream.read(2**20):
            lines.write(piece)
    code = code_of(proof.events, bytes.fromhex(proof.digest))
    document = {"game": game, "events": proof.events, "code": code, "file": str(file), "proof": str(beside)}
    events = counted("{n} event", "{n} events", proof.events)
    sentence = _("{file}: {events}, {code}; its proof is {proof}")
    return answer(document, sentence.format(file=file, events=events, code=code, proof=beside), as_json=as_json)


def _page(name: str, file: Path, as_json: bool) -> int:
    from daynight.web.exporting.page import page_of
    from daynight.web.shelf import Shelf

    context = click.get_current_context()
    mechanic = context.find_root().obj
    store, record = _of_store(name), None
    if store is None:
        record = opened(name, context) if mechanic is None else Record(name)
    if store is not None:
        check_no_game(name, context)
    shelf = Shelf(store, [] if record is None else [record], mechanic=mechanic)
    found = shelf.find(name.removeprefix(STORED)) if record is None else next(iter(shelf.files.values()))
    data = page_of(shelf, found)
    options.write_whole(file, data)
    events = counted("{n} event", "{n} events", found.last)
    sentence = _("{file}: a page of {events}; it opens in any browser").format(file=file, events=events)
    return answer({"game": found.name, "events": found.last, "file": str(file)}, sentence, as_json=as_json)


def _of_store(name: str) -> Store | None:
    """Return the store if it has a game of this name; None if the name is that of a file, or if there is no store.

    Raises:
        NotFoundError: where the store has no such game, and there is no such file; for `db:NAME`, also without a store.
    """
    game = name.removeprefix(STORED)
    try:
        store = stored.reading()
    except NotFoundError:
        if name.startswith(STORED):
            raise
        return None
    if name.startswith(STORED) or not (name == DEMO or Path(name).exists()):
        store.head(game)
        return store
    return store if store.last(game) else None


def _proof(file: Path) -> Path:
    return file.with_name(f"{file.name}.proof")


def _archive(file: Path | None, as_json: bool) -> int:
    from daynight.store.proving.archive import write_archive

    store = stored.reading()
    if file is None:
        write_archive(store, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return 0
    with written(file) as stream, waiting() as progress:
        many = write_archive(store, stream, progress=progress)
    events = counted("{n} event", "{n} events", many)
    sentence = _("{file}: an archive of {events}").format(file=file, events=events)
    return answer({"file": str(file), "events": many}, sentence, as_json=as_json)
