"""`daynight fmt`: lays out files in the notation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import answer, print_bytes, print_json, say, to_its_end
from daynight.framework.language.errors import AskedError, NotFoundError, UnreadableError, locating
from daynight.framework.language.reader import SIZE
from daynight.framework.language.wording import _, counted
from daynight.notation import formatted
from daynight.notation.formatter import other_lines
from daynight.records import Record

_ENDING = ".dn"
_PACKED = ".dn.gz"
_GZIP = b"\x1f\x8b"
_NAMED = 20


@click.command(epilog="\b\ndaynight fmt game.dn\ndaynight fmt --check game.dn")
@options.plain_files
@click.option(
    "--check", is_flag=True, help="Write nothing; name the lines that are not in the standard form (exit code 1)."
)
@options.told
@to_its_end
def fmt(records: Sequence[Record], check: bool, catalogue: Catalogue, as_json: bool) -> int:
    """Lay out .dn files in the standard form.

    Each file is rewritten in place, with the same events and the same comments. With -, fmt reads standard input and
    writes standard output, as editors expect.
    """
    for record in records:
        if record.name.endswith(_PACKED):
            raise click.UsageError(_unpack(record))
        if record.name != "-" and not record.name.endswith(_ENDING):
            raise click.UsageError(
                _("{file}: only files in the notation are laid out, whose names end with {ending}; give one, or -")
                .format(file=record.shown, ending=_ENDING)
            )  # fmt: skip

    def one(record: Record) -> int:
        data = _data(record)
        if data.startswith(_GZIP):
            raise AskedError(_unpack(record))
        with locating(file=record.name):
            text = formatted(data, catalogue)
        changed = text.encode() != data
        if record.name == "-":
            if as_json:
                print_json({"file": "-", "changed": changed, "text": text})
            elif not check:
                print_bytes(text.encode())
            elif changed:
                say(*_otherwise(record.shown, data, text))
            return int(check and changed)
        if changed and not check:
            options.write_whole(Path(record.name), text.encode())
        told = _otherwise(record.shown, data, text) if check else [_("{file}: laid out").format(file=record.shown)]
        document: dict[str, Any] = {"file": record.shown, "changed": changed, "written": changed and not check}
        if check:
            document["lines"] = other_lines(data.decode("utf-8", "replace"), text)
        answer(document, *told, as_json=as_json)
        return int(check and changed)

    return each(records, one)


def _otherwise(file: str, data: bytes, text: str) -> list[str]:
    """Return `FILE:LINE: ...` for the first `_NAMED` lines that are not in the standard form, then how many more."""
    numbers = other_lines(data.decode("utf-8", "replace"), text)
    told = [_("{file}:{line}: not laid out").format(file=file, line=number) for number in numbers[:_NAMED]]
    more = len(numbers) - len(told)
    return told + ([counted("and {n} more line", "and {n} more lines", more)] if more else [])


def _unpack(record: Record) -> str:
    return _(
        "{file}: what is packed is not laid out; unpack it first, or write gzip -dc {file} | daynight fmt -"
    ).format(file=record.shown)  # fmt: skip


def _data(record: Record) -> bytes:
    if record.name != "-" and not Path(record.name).exists():
        raise NotFoundError(_("{file}: no such file").format(file=record.name), file=record.name)
    with record.raw() as stream:
        data = stream.read(SIZE + 1)
    if len(data) > SIZE:
        raise UnreadableError(_("a record may have {most} bytes").format(most=SIZE), file=record.name, line=1)
    return data
