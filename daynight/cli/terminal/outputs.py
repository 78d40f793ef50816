"""The file of `-o`: never the record it is made from, and written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from daynight.cli.terminal import stored
from daynight.framework.language.wording import _
from daynight.keeping.files import written
from daynight.records import Record


def spared(output: Path | None, records: Iterable[Record]) -> None:
    """Whether what is written leaves alone what it is made from: a record, and the store of one.

    Raises:
        click.UsageError: where it would not.
    """
    if output is None or not output.exists():
        return
    for record in records:
        place = Path(stored.settings_of(record.where).path) if isinstance(record, stored.Game) else Path(record.name)
        if place.exists() and output.samefile(place):
            sentence = _("{file} is what this is made from, and stays as it is; name another file")
            raise click.UsageError(sentence.format(file=output))


def write_whole(output: Path, data: bytes) -> None:
    """Write a file, or leave what was there.

    Raises:
        OSError: naming the file, where it cannot be written.
    """
    with written(output) as stream:
        stream.write(data)
