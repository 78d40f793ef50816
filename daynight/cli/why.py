"""`daynight why`: what it is, or which face a permanent shows, since when, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli import options
from daynight.cli.output import console, print_json
from daynight.cli.telling import designation_text, tell_line
from daynight.events.errors import NotFoundError, tame
from daynight.events.grammar import labelled
from daynight.events.wording import _, card_word, counted
from daynight.explain import Source
from daynight.facing import facing
from daynight.game import Game
from daynight.positions import Position
from daynight.projections.sentences import face_word
from daynight.projections.transcript import told
from daynight.records import Record

__all__ = ["why"]

_TOLD = 12
"""How many of the events that an answer rests on are told."""


@click.command()
@options.file
@click.argument("permanent", metavar="[PERMANENT]", required=False)
@options.from_store
@options.at
@click.option("--sources", is_flag=True, help="Tell the sources too that say otherwise than the rules, and have lost.")
@options.edition
@options.catalogue
@options.as_json
def why(
    record: Record,
    permanent: str | None,
    at: Position | None,
    sources: bool,
    edition: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Why it is day, night or neither at a position: since when, by which rule, because of which events.

    With PERMANENT, the id of one on the battlefield: why it shows the face that it shows.
    """
    game, number = options.moment(record, at, catalogue)
    out = console()
    if permanent is not None:
        try:
            face = facing(game, number, permanent, edition or game.edition)
        except NotFoundError as error:
            raise options.named(error, record) from None
        if as_json:
            print_json(face.document())
            return 0
        word = _("face down") if face.face_down else face_word(face.face)
        out.print(Text(tame(f"e{number}  {card_word(face.card)} ({face.permanent}): {word}")))
        out.print(Text(tame(face.sentence)))
        _tell(out, game, face.because, None, face.sources, sources)
        return 0
    answer = game.why(number, edition=edition)
    if as_json:
        print_json(answer.document())
        return 0
    out.print(Text(f"e{answer.event}  ").append_text(designation_text(answer.designation)))
    out.print(Text(tame(answer.sentence)))
    _tell(out, game, answer.because, answer.almost, answer.sources, sources)
    return 0


def _tell(
    out: Console, game: Game, because: Sequence[int], almost: str | None, sources: Sequence[Source], all_: bool
) -> None:
    """The events that an answer rests on, what it almost was, and who else says so."""
    out.print(Text(_("because of:")))
    wanted = frozenset(because[:_TOLD])
    for line in told(game.moments()):
        if line.number in wanted:
            tell_line(out, replace(line, consequences=()), 6)
        if line.number == max(wanted, default=0):
            break
    if (more := len(because) - _TOLD) > 0:
        out.print(Text("    " + counted("and {n} more event", "and {n} more events", more).format(n=more)))
    if almost is not None:
        out.print(Text(_("almost: {almost}").format(almost=tame(almost))))
    for source in sources:
        if source.agrees or all_:
            mark = _("agrees") if source.agrees else _("CONFLICTS: the rules win")
            date = f" ({source.date})" if source.date and source.date not in source.source else ""
            out.print(Text("  " + labelled(f"[{mark}] {source.named}{date}", source.says), style="dim"))
