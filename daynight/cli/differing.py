"""Differences in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from daynight.differences import Parting, place_words
from daynight.events.errors import tame
from daynight.events.wording import _

__all__ = ["tell_differences"]


def tell_differences(out: Console, partings: Sequence[Parting], left: str, right: str) -> None:
    """A line for each place, and below it what differs there, the one before the other."""
    if not partings:
        out.print(Text(_("nothing that follows differs"), style="green"))
        return
    out.print(Text(tame(_("what differs, {left} / {right}:").format(left=left, right=right)), style="dim"))
    for parting in partings:
        out.print(_place(parting))
        for difference in parting.differences:
            out.print(Text("    " + tame(difference.sentence)))


def _place(parting: Parting) -> Text:
    text = Text("  " + place_words(parting), style="bold")
    events = [f"e{number}" if number is not None else "-" for number in (parting.left, parting.right)]
    text.append(f"  {events[0]} / {events[1]}", style="dim")
    if parting.until > parting.turn:
        text.append("  " + _("and on, to turn {turn}").format(turn=parting.until), style="dim")
    return text
