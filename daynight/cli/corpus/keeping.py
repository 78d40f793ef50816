"""`daynight corpus build`, `export` and `verify`: make a corpus, write out its records, and check its columns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daynight.cli.corpus.extra import cores, extra, into, workers
from daynight.cli.corpus.progress import Progress
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import DAMAGED, UNREADABLE
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import console, error_line, print_json, to_its_end
from daynight.framework.language.wording import _, counted

if TYPE_CHECKING:
    from daynight.corpus.manifest import WholePart
    from daynight.corpus.sources.listing import File


@click.command(epilog="\b\ndaynight corpus build games -o league\ndaynight corpus build game.jsonl mine.jsonl -o mine")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@into("folder", "FOLDER", "The folder of the corpus; after an interruption, the same command goes on.", corpus=True)
@click.option("--licence", metavar="TEXT", help="The licence of the data; it stands in README.md of the folder.")
@workers
@options.from_store
@options.as_json
@to_its_end
def build(
    sources: tuple[str, ...], folder: Path, licence: str | None, workers: int | None, as_json: bool
) -> int:  # fmt: skip
    """Make a corpus of many records.

    A SOURCE is a record (.jsonl, .jsonl.gz, .dn), a JSON Lines file of many, an archive of daynight export --all, db:
    for all games of a store, another corpus, a log of Magic Arena, XMage or Forge with all its games, or a folder with
    records and logs below it; a path, or an address that fsspec knows. List logs that continue one another in their
    order. Each refused record becomes a line of bad.jsonl in the folder, and the exit code is then 3.
    """
    with extra():
        from daynight.corpus.building.build import build as built
        from daynight.corpus.sources.addresses import shown
        from daynight.corpus.sources.listing import told as told_of

        skipped: list[File] = []
        counts = Counter({"parts": 0, "games": 0, "events": 0})
        with Progress() as progress:

            def made(part: WholePart) -> None:
                counts.update(parts=1, games=part.games, events=part.events)
                progress.told(_("{parts} parts, {games} games, {events} events").format(**counts))

            found = built(
                sources, folder, store=stored.place(), licence=licence, workers=workers or cores(), progress=made,
                passed=skipped.extend,
            )  # fmt: skip
    games, events, refused = (
        sum(getattr(part, name) for part in found.parts) for name in ("games", "events", "refused")
    )
    if as_json:
        print_json({"corpus": shown(str(folder)), "parts": len(found.parts), "games": games, "events": events,
                    "refused": refused, "skipped": len(skipped)})  # fmt: skip
    else:
        out = console()
        told = counted("{folder}: {n} game, {events} events", "{folder}: {n} games, {events} events", games)
        out.print(told.format(folder=folder, events=events))
        if refused:
            told = counted("{n} record was refused: {file}", "{n} records were refused: {file}", refused)
            out.print(told.format(file=folder / "bad.jsonl"))
    if skipped:
        error_line(told_of(skipped))
    return UNREADABLE if refused else 0


@click.command(epilog="\b\ndaynight corpus export league -o records\ndaynight corpus export league -o records --game 0")
@click.argument("folder", metavar="CORPUS")
@into("target", "DIR", "The folder for the records.")
@click.option(
    "--game",
    "wanted",
    metavar="NUMBER",
    type=Whole(min=0),
    help="The number of the only game to write.",
)
@options.as_json
def export(folder: str, target: Path, wanted: int | None, as_json: bool) -> int:
    """Write the records of a corpus as files, byte for byte.

    Each goes to DIR/part-00000/GAME.jsonl; GAME is its number, in twelve digits.
    """
    with extra():
        from daynight.corpus.exporting import export as exported
        from daynight.corpus.sources.addresses import shown

        with Progress():
            damaged, games = exported(folder, target, wanted)
    for each in damaged:
        error_line(f"{folder}: {each}")
    if as_json:
        print_json({"folder": shown(str(target)), "games": games, "damaged": [each.file for each in damaged]})
        return DAMAGED if damaged else 0
    console().print(counted("{folder}: {n} game written", "{folder}: {n} games written", games).format(
        folder=target))  # fmt: skip
    return DAMAGED if damaged else 0


@click.command(epilog="\b\ndaynight corpus verify league")
@click.argument("folders", metavar="CORPUS...", nargs=-1, required=True)
@workers
@options.as_json
@to_its_end
def verify(folders: tuple[str, ...], workers: int | None, as_json: bool) -> int:
    """Check that the columns of corpora agree with their records.

    verify computes every column again from the lines of the records, and compares it with the stored one. Exit code 5
    if anything differs.
    """
    with extra():
        from daynight.corpus.manifest import checked
        from daynight.corpus.sources.addresses import shown
        from daynight.corpus.verifying import verify as verified

        checked(folders)
        with Progress() as progress:
            found = [
                (folder, damage)
                for folder in folders
                for damage in verified(folder, workers or cores(), progress.parts)
            ]
    if as_json:
        problems = [
            {"corpus": shown(folder), "part": each.part, "file": each.file, "problem": each.problem}
            for folder, each in found
        ]
        print_json({"corpora": [shown(folder) for folder in folders], "problems": problems})
    else:
        for folder, each in found:
            console().print(f"{folder}/{each.file}: {each.problem}")
        for folder in folders:
            if folder not in dict(found):
                console().print(_("{folder}: whole").format(folder=folder))
    return DAMAGED if found else 0
