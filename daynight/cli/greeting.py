"""The greeting of a bare `daynight` at a terminal: what daynight is, and three commands to begin with."""

from __future__ import annotations

import click

from daynight.framework.language.wording import _

FIRST = ("daynight demo", "daynight why demo", "daynight new friday Ana Bo")
"""The commands that the greeting names. Each works at once, in an empty folder."""


def greeting(ctx: click.Context) -> str:
    """Return the greeting, in the reader's language and as wide as the help."""
    formatter = ctx.make_formatter()
    formatter.write_text(
        _("daynight replays a recorded game of Magic, and says when it was day, when it was night, and by which rule.")
    )
    does = (
        _("a recorded game, turn by turn, and where its claims and the rules disagree"),
        _("why it is day, with the rule and the events behind it"),
        _("begins a game of your own; go on with daynight record friday"),
    )
    with formatter.section(_("To begin with")):
        formatter.write_dl([*zip(FIRST, does, strict=True)])
    formatter.write_paragraph()
    formatter.write_text(_("daynight --help lists every command, and daynight COMMAND --help explains one."))
    return formatter.getvalue().rstrip("\n")
