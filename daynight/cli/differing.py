"""Differences in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from daynight.differences import Difference, Parting, place_words
from daynight.events.errors import tame
from daynight.events.wording import _

__all__ = ["differences_document", "tell_differences"]


def differences_document(partings: Sequence[Parting]) -> list[dict[str, Any]]:
    """The places and what differs there."""
    return [parting.document() for parting in partings]


def tell_differences(out: Console, partings: Sequence[Parting], left: str, right: str) -> None:
    """A line for each place, and below it what differs there, the one before the other."""
    if not partings:
        out.print(Text(_("nothing that follows differs"), style="green"))
        return
    out.print(Text(tame(_("what differs, {left} / {right}:").format(left=left, right=right)), style="dim"))
    for parting in partings:
        out.print(_place(parting))
        for difference in parting.differences:
            out.print(Text("    " + tame(_words(difference))))


def _place(parting: Parting) -> Text:
    text = Text("  " + place_words(parting), style="bold")
    events = [f"e{number}" if number is not None else "-" for number in (parting.left, parting.right)]
    text.append(f"  {events[0]} / {events[1]}", style="dim")
    if parting.until > parting.turn:
        text.append("  " + _("and on, to turn {turn}").format(turn=parting.until), style="dim")
    return text


def _words(difference: Difference) -> str:
    return difference.sentence
