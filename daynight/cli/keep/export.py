"""`daynight export`: stored games as files, and what proves that they are what was stored."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import click

from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import console, print_json, waiting
from daynight.framework.language.wording import _, counted
from daynight.keeping.files import check_target, written


@click.command(epilog="\b\ndaynight export friday -o friday.jsonl\ndaynight export --all -o archive.jsonl")
@click.argument("game", required=False, type=options.GAME)
@click.option("--all", "everything", is_flag=True, help="Write all games, as an archive for daynight import.")
@options.output
@options.db
@options.key
@options.as_json
def export(game: str | None, everything: bool, output: Path | None, key: Path | None, as_json: bool) -> int:
    """Write the lines of a stored game, with a proof.

    Without -o, the lines go to standard output. With -o FILE, the proof is FILE.proof; daynight verify FILE reads it.
    Its last event is signed.
    """
    if (game is not None) is everything:
        raise click.UsageError(_("give a GAME, or --all"))
    if output is not None and game is not None:
        check_target(_proof(output))
    if game is None:
        _archive(output, as_json)
    elif output is None:
        stored.reading().lines(game, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        _record(game, output, key, as_json)
    return 0


def _record(game: str, file: Path, key: Path | None, as_json: bool) -> None:
    from daynight.store.proving.chain import code_of
    from daynight.store.proving.proof import prove, read_proof
    from daynight.store.records import StoredRecord

    store = stored.writing(key)
    data = prove(store, game)
    proof = read_proof(BytesIO(data))
    beside = _proof(file)
    # Others may go on recording: the file ends where its proof does.
    record = StoredRecord(store.recorder, game, proof.events)
    with written(beside) as target, written(file) as lines, record.open() as stream:
        target.write(data)
        while piece := stream.read(2**20):
            lines.write(piece)
    code = code_of(proof.events, bytes.fromhex(proof.digest))
    if as_json:
        print_json({"game": game, "events": proof.events, "code": code, "file": str(file), "proof": str(beside)})
        return
    events = counted("{n} event", "{n} events", proof.events).format(n=proof.events)
    sentence = _("{file}: {events}, {code}; its proof is {proof}")
    console().print(sentence.format(file=file, events=events, code=code, proof=beside))


def _proof(file: Path) -> Path:
    return file.with_name(f"{file.name}.proof")


def _archive(file: Path | None, as_json: bool) -> None:
    from daynight.store.proving.archive import write_archive

    store = stored.reading()
    if file is None:
        write_archive(store, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with written(file) as stream, waiting() as progress:
        many = write_archive(store, stream, progress=progress)
    if as_json:
        print_json({"file": str(file), "events": many})
        return
    events = counted("{n} event", "{n} events", many).format(n=many)
    console().print(_("{file}: an archive of {events}").format(file=file, events=events))
