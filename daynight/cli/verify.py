"""`daynight verify`: is it what was stored? Stored games, exported ones, archives."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from daynight.cli import options, stored
from daynight.cli.exits import DAMAGED, told, worst
from daynight.cli.output import console, print_json, waiting, worded
from daynight.events.errors import DaynightError, NotFoundError, RecordError
from daynight.events.grammar import commas
from daynight.events.wording import _, counted
from daynight.records import DEMO, STORED, Record

if TYPE_CHECKING:
    from daynight.store.verify import Verified

__all__ = ["verify"]

_KEY = 16
"""How many digits of a public key are shown to people."""


def _signer(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch("[0-9a-f]{16,64}", value.lower()):
        raise click.BadParameter(_("a public key has 64 hexadecimal digits; give the first 16, or all of them"))
    return None if value is None else value.lower()


@click.command()
@click.argument("names", metavar="[GAME|FILE]...", nargs=-1, type=options.GAME_OR_FILE)
@click.option("--code", metavar="CODE", help="The code that was noted of this one game or file: 'e200 7K3M-2Q9X-...'.")
@click.option(
    "--signer", metavar="KEY", callback=_signer, help="The public key that must have signed last: 16 digits or more."
)
@options.db
@options.as_json
def verify(names: tuple[str, ...], code: str | None, signer: str | None, as_json: bool) -> int:
    """Verify games of a store, all of it if none is named, or an exported FILE by its proof or a noted code.

    Exit code 5 where something is not what was stored; the first bad event is named.
    """
    if code is not None and len(names) != 1:
        raise click.UsageError(_("--code is that of one game, or of one file"))
    codes = [0]
    failures: list[int] = []
    for name in names or (None,):
        try:
            for document in map(partial(_trusted, signer=signer), _answers(name, code)):
                codes.append(0 if document["whole"] and document.get("trusted", True) else DAMAGED)
                if as_json:
                    print_json(document)
                else:
                    _tell(document)
        except BrokenPipeError:
            raise
        except (DaynightError, OSError) as error:
            failures.append(told(error))
    if not names and not failures and codes == [0] and not as_json:
        console().print(_("no games yet: nothing to verify"))
    return worst([*failures, *(code for code in codes if code)]) if failures else max(codes)


def _trusted(document: dict[str, object], signer: str | None) -> dict[str, object]:
    """The answer, and whether it was this key that signed the last head that is signed, where a key was given."""
    signers = document.get("signers")
    if signer is None or not isinstance(signers, list):
        return document
    return document | {"trusted": any(key.startswith(signer) for key in signers)}


def _answers(name: str | None, code: str | None) -> Iterator[dict[str, object]]:
    from daynight.store.verify import verify_store

    if name is not None and _is_file(name):
        yield from _file(Record(name), code)
        return
    games = () if name is None else (name.removeprefix(STORED),)
    with waiting() as progress:
        for found in verify_store(stored.reading(), games, code=code, progress=progress):
            yield _document(f"{STORED}{found.game}", found)


def _is_file(name: str) -> bool:
    if name.startswith(STORED):
        return False
    return name in ("-", DEMO) or name.endswith((".jsonl", ".jsonl.gz")) or Path(name).exists()


def _file(record: Record, code: str | None) -> Iterator[dict[str, object]]:
    from daynight.store.archive import is_archive
    from daynight.store.proof import read_proof, verify_record

    with record.open() as stream:
        archive = is_archive(stream.read(2**10))
    if archive:
        if code is not None:
            raise click.UsageError(_("--code is that of one game, and an archive has many: import it first"))
        yield from _archive(record)
        return
    proof = None
    beside = Path(f"{record.name}.proof")
    try:
        if beside.exists():
            with beside.open("rb") as stream:
                proof = read_proof(stream)
        elif code is None:
            raise NotFoundError(
                _("{proof}: no such file; a record is verified by its proof, or by a noted --code").format(proof=beside)
            )
        with waiting() as progress:
            yield _document(record.shown, verify_record(record, code=code, proof=proof, progress=progress))
    except RecordError as error:
        raise error.located(file=str(beside)) from None


def _archive(record: Record) -> Iterator[dict[str, object]]:
    """An archive is whole if a store can be made of it: it is, each game in it is verified, and it is thrown away."""
    from daynight.store import Store
    from daynight.store.archive import read_archive
    from daynight.store.verify import verify_store

    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder, "archive.db")) as store,
        record.open() as stream,
        waiting() as progress,
    ):
        try:
            games, events = read_archive(store, stream, progress=progress)
        except RecordError as error:
            raise record.located(error) from None
        yield {"archive": record.shown, "whole": True, "games": games, "events": events}
        for found in verify_store(store):
            yield _document(f"{record.shown}: {found.game}", found)


def _document(name: str, found: Verified) -> dict[str, object]:
    fault = found.fault
    return {
        "record": name,
        "game": found.game,
        "whole": fault is None,
        "events": found.events,
        "code": found.code,
        "signed": found.signed,
        "signers": list(found.signers),
        "fault": None if fault is None else {"event": fault.event, "sentence": fault.sentence},
    }


def _tell(document: dict[str, object]) -> None:
    many = document["events"]
    assert isinstance(many, int)
    record = document.get("archive", document.get("record"))
    fault = document.get("fault")
    if isinstance(fault, dict):
        damaged = Text(_("DAMAGED"), style="bold red")
        told = _("{record}: {damaged}: {fault}")
        if fault["event"] is not None:
            told = _("{record}: {damaged} at event {event}: {fault}")
        text = worded(told, record=record, damaged=damaged, event=fault["event"], fault=fault["sentence"])
        console().print(text)
        return
    facts = [counted("{n} event", "{n} events", many).format(n=many)]
    if document.get("code"):
        facts.append(str(document["code"]))
    signers = document.get("signers")
    if signers and isinstance(signers, list):
        by = commas([signer[:_KEY] for signer in signers])
        facts.append(_("signed up to event {event} by {key}").format(event=document["signed"], key=by))
    elif signers is not None:
        facts.append(_("not signed"))
    whole, told = Text(_("whole"), style="green"), _("{record}: {whole}, {facts}")
    wrong = Text(_("NOT BY THE KEY GIVEN"), style="bold red")
    if document.get("trusted") is False:
        told = _("{record}: {whole}, {facts}, {wrong}")
    console().print(worded(told, record=record, whole=whole, facts=commas(facts), wrong=wrong))
