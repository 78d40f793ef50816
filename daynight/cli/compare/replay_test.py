"""`daynight replay-test`: replays a baseline, games stored with all their parts, with the current code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from daynight.cards import Catalogue
from daynight.cli.baselines import answered, replay_testing
from daynight.cli.terminal import options
from daynight.cli.terminal.opening import of_logs
from daynight.framework.baselines.taking import Sample
from daynight.game import played


@replay_testing("--write demo.base demo", "demo.base", complete=options.RECORD.shell_complete)
@of_logs
@options.catalogue
@click.pass_context
def replay_test(ctx: click.Context, /, names: tuple[str, ...], catalogue: Catalogue, **asked: Any) -> int:
    """Replay a baseline of games, or write one."""

    def samples(name: str) -> Iterator[Sample]:
        record = options.RECORD.convert(name, None, ctx)
        for game in getattr(record, "games", lambda: [record])():
            with game.locating(), game.open() as stream:
                yield Sample.read(game.name, stream)

    mechanic = replace(played(), fill=catalogue.fill)
    return answered(mechanic, names, samples=samples, **asked)
