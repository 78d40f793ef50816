"""`daynight why`: explains the designation, or the face of a permanent: since when, and by which rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.look.telling import designation_text, event_lines, tell_line
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.cli.terminal.pasting import tell_what_if
from daynight.framework.language.errors import NotFoundError, tame, whole
from daynight.framework.language.grammar import labelled
from daynight.framework.language.wording import _, card_word, counted
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.projections.transcript import Line
from daynight.questions.explain import Explanation, RuleSource
from daynight.questions.facing import Facing, facing
from daynight.records import Record
from daynight.speech.sentences import face_word

_MARK = re.compile("[a-z]+:[0-9]+(/[a-z-]+)?", re.IGNORECASE)
"""Matches positions that cannot be mistaken for the id of a permanent, such as `turn:4/untap`."""

_TURN = re.compile("t(?:urn)?[ _-]?([0-9]+)", re.IGNORECASE)
"""Matches a turn that was typed without its colon, such as `turn5`."""

_TOLD = 12
"""The most events that the text lists below `because of`."""


def _meant(permanent: str) -> str | None:
    """Return a hint if a name that no permanent has looks like a position; else None."""
    if _MARK.fullmatch(permanent):
        return _("{text} is a position; write --at {text}").format(text=permanent)
    turn = _TURN.fullmatch(permanent)
    if turn is None:
        return None
    sentence = _("no permanent {text} there; a turn is written --at {position}")
    return sentence.format(text=permanent, position=f"turn:{turn[1]}")


@click.command(epilog="\b\ndaynight why demo --at 122\ndaynight why demo brutal-cathar-2 --at 122")
@options.file_and("[PERMANENT]")
@options.at
@click.option("--sources", is_flag=True, help="Also list the sources that contradict the rules; the rules win.")
@options.cited
@to_its_end
def why(
    record: tuple[Record, str | None],
    at: Position | None,
    sources: bool,
    edition: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Explain why it is day, night or neither.

    The answer names the event and the rule that made it so. `because of` lists the events from which that follows;
    other events may be the ones that would change the answer. `almost` is the smallest edit of the record that would
    change it, and the command below it tries that edit.

    PERMANENT is the id of a permanent on the battlefield: explain why this face of it is up.
    """
    about, permanent = record

    def ask(game: Game, number: int) -> tuple[Explanation | Facing, list[Line]]:
        if permanent is None:
            answer: Explanation | Facing = game.why(number, edition=edition)
        else:
            try:
                answer = facing(game, number, permanent, edition or game.edition)
            except NotFoundError as error:
                if (meant := _meant(permanent)) is not None:
                    raise click.UsageError(meant) from None
                raise options.named(error, about) from None
        return answer, [] if as_json else event_lines(game, answer.because[:_TOLD])

    answer, lines = options.asked(about, at, catalogue, ask)
    if as_json:
        print_json(answer.document())
        return 0
    out = console()
    if isinstance(answer, Facing):
        word = _("face down") if answer.face_down else face_word(answer.face)
        out.print(Text(tame(f"e{answer.event}  {card_word(answer.card)} ({answer.permanent}): {word}")))
    else:
        out.print(Text(f"e{answer.event}  ").append_text(designation_text(answer.designation)))
    out.print(Text(tame(answer.short), style="bold"))
    if answer.sentence != answer.short:
        out.print(Text(whole(answer.sentence)))
    out.print(Text(_("because of:")))
    implied = answer.implied if isinstance(answer, Facing) else frozenset()
    for line in lines:
        tell_line(out, line, 6, _("[the untap step just before it]") if line.number in implied else "")
    if (more := len(answer.because) - len(lines)) > 0:
        out.print(Text("    " + counted("and {n} more event", "and {n} more events", more)))
    if isinstance(answer, Explanation) and answer.almost is not None:
        out.print(Text(_("almost: {almost}").format(almost=tame(answer.almost))))
    if isinstance(answer, Explanation) and answer.almost_edit is not None:
        tell_what_if(out, options.on_branch(about, at)[0], answer.almost_edit.edits)
    _tell_sources(out, answer.sources, sources)
    return 0


def _tell_sources(out: Console, sources: Sequence[RuleSource], every: bool) -> None:
    """Print each source that agrees with the answer's rule and, if `every`, also those that contradict the rule."""
    for source in sources:
        if source.agrees or every:
            mark = _("agrees") if source.agrees else _("CONFLICTS: the rules win")
            date = f" ({source.date})" if source.date and source.date not in source.source else ""
            out.print(Text("  " + labelled(f"[{mark}] {source.named}{date}", source.says), style="dim"))
