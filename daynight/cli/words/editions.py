"""`daynight editions`: the editions of the Comprehensive Rules that can be cited."""

from __future__ import annotations

import click

from daynight.cli.terminal import options
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import console, print_json
from daynight.framework.language.wording import _
from daynight.rules.citations import DEFAULT_EDITION, EDITIONS, LATEST_EDITION, cited


@click.command(epilog="\b\ndaynight editions")
@options.as_json
def editions(as_json: bool) -> int:
    """List the editions of the rules that --edition takes.

    Each is named by the day on which it took effect; beside it stands the number of its rule by which day becomes
    night.
    """
    if as_json:
        print_json({"editions": EDITIONS, "default": DEFAULT_EDITION, "latest": LATEST_EDITION})
        return 0
    marks = {DEFAULT_EDITION: _("for records that name none"), LATEST_EDITION: _("latest")}
    rows = [(edition, cited("check-day", edition) or "-", marks.get(edition, "")) for edition in EDITIONS]
    print_table(console(), (_("edition"), "CR", ""), rows)
    return 0
