"""`daynight demo`: shows and audits a real recorded game."""

from __future__ import annotations

import click
from rich.text import Text

from daynight.cli.judge.audit import tell_audit
from daynight.cli.look.show import show_game
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json
from daynight.framework.language.wording import _
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.records import DEMO, Record
from daynight.referee.documents import state_document


@click.command(epilog="\b\ndaynight demo")
@options.edition
@options.as_json
def demo(edition: str | None, as_json: bool) -> int:
    """Show and audit the recorded game that comes with daynight."""
    game = Game.load(Record(DEMO))
    found = Auditor(edition).record(Record(DEMO))
    if as_json:
        print_json(state_document(game.state, edition or game.edition))
        print_json(found.document())
        return 0
    out = console()
    show_game(out, game, len(game), edition or game.edition)
    out.print()
    tell_audit(out, found)
    out.print()
    out.print(Text(_("next: daynight why demo --at 122 · daynight replay demo · daynight show demo --at turn:21")))
    return 0
