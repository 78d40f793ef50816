"""`daynight corpus`: many recorded games kept as Parquet, audited and counted together."""

from __future__ import annotations

import click

from daynight.cli.corpus.asking import audit, find, stats
from daynight.cli.corpus.keeping import build, export, verify


@click.group(
    epilog="\b\ndaynight corpus build games -o league\ndaynight corpus stats league --by month"
    "\ndaynight corpus find league --disputed"
)
def corpus() -> None:
    """Audit and count thousands or millions of games at once.

    build makes a corpus: a folder with the lines of many records, and with columns from which the other commands answer
    without replaying most games. CORPUS is such a folder; audit, stats, find and verify take several. Every command
    takes --json. They need the extra corpus of daynight; if it is missing, each command says how to install it.
    """


for _command in (build, audit, stats, find, export, verify):
    corpus.add_command(_command)
