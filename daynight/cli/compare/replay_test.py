"""`daynight replay-test`: games that were kept with all their parts, replayed under the code of today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from daynight.cards import Catalogue
from daynight.cli.baselines import answered, testing
from daynight.cli.terminal import options
from daynight.cli.terminal.opening import of_logs
from daynight.framework.baselines.taking import Sample
from daynight.game import played


@click.command(
    "replay-test",
    epilog="\b\ndaynight replay-test --write demo.base demo\ndaynight replay-test demo.base",
)
@click.argument("names", metavar="BASE|FILE...", nargs=-1, required=True, shell_complete=options.RECORD.shell_complete)
@testing
@of_logs
@options.from_store
@options.catalogue
@click.pass_context
def replay_test(
    ctx: click.Context,
    names: tuple[str, ...],
    target: Path | None,
    every: int | None,
    ways: bool,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Replay a baseline, and name what is no longer as it was.

    A baseline has whole games, and every part at each Nth event, at the last event, before and after each back-up, and
    as each claim finds it. --write BASE writes it, of the games of each FILE. Without it, they are replayed under the
    code of today. Exit code 1 if a part differs, and 3 if an event is refused now.
    """

    def samples(name: str) -> Iterator[Sample]:
        record = options.RECORD.convert(name, None, ctx)
        for game in getattr(record, "games", lambda: [record])():
            with game.locating(), game.open() as stream:
                yield Sample.read(game.name, stream)

    mechanic = replace(played(), fill=catalogue.fill)
    return answered(mechanic, names, target, every, ways, as_json, samples)
