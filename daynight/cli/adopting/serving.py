"""`daynight adopt ... serve`: the aggregates of an application as a page."""

from __future__ import annotations

import sys
from typing import Any

import click

from daynight.cli.adopting import EXAMPLE
from daynight.cli.share.serve import check_address, check_installed
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import print_json
from daynight.framework.language.wording import _

HOST = "127.0.0.1"
"""The address at which the page is served: only this machine can reach it."""


@click.command("serve", epilog=f"\b\n{EXAMPLE} serve\n{EXAMPLE} --hide owner serve --port 0")
@click.option(
    "--port", type=Whole(0, 65535), default=8000, show_default=True, help="The port of this machine; 0 is a free one."
)
@click.option("--show", is_flag=True, help="Show values, although the application encrypts them.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.pass_obj
def serve(there: Any, port: int, show: bool, as_json: bool) -> int:
    """Serve a page of the aggregates to browsers of this machine, until Ctrl-C ends it.

    The page lists the aggregates, and shows for each its events, why, since when, and what if. It follows the
    application while that runs. Nobody can write anything. If the application encrypts its events, the page shows no
    values, unless --show is given.
    """
    check_installed()
    check_address(HOST, port)
    adopted = there.adopted
    from daynight.web.adopted import serve as served

    def told(where: Any) -> None:
        if as_json:
            print_json({"address": where.address})
        else:
            print(where.address)
            print(_("read only, from {source}; Ctrl-C ends it").format(source=adopted.named.named))
            if not show and adopted.named.mapper.cipher is not None:
                print(_("values are hidden, for the application encrypts them; --show shows them"))
        sys.stdout.flush()

    served(adopted, host=HOST, port=port, told=told, show=show)
    return 0
