"""Differences in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from rich.console import Console
from rich.text import Text

from daynight.compare.partings import Parting, Place, place_words
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _

Where: TypeAlias = Literal["turns", "steps", "events", "moments"]
"""What was compared: the end of each turn, of each step and turn, the state after each event, or two moments."""


def tell_differences(out: Console, partings: Sequence[Parting], left: str, right: str, where: Where) -> None:
    """A line for each place, or for the first and the last of several in a row; below it what differs there."""
    if not partings:
        nothing = {
            "turns": _("nothing differs at the end of any turn"),
            "steps": _("nothing differs at the end of any step or turn that both have"),
            "events": _("nothing that follows differs"),
            "moments": _("nothing differs"),
        }[where]
        out.print(Text(nothing, style="green"))
        return
    heading = {
        "turns": _("what differs at the end of a turn, {left} / {right}:"),
        "steps": _("what differs at the end of a step or turn, {left} / {right}:"),
        "events": _("what differs after an event, {left} / {right}:"),
        "moments": _("what differs, {left} / {right}:"),
    }[where]
    out.print(Text(tame(heading.format(left=left, right=right)), style="dim"))
    for parting in partings:
        out.print(_stretch(parting))
        for difference in parting.differences:
            out.print(Text("    " + tame(difference.sentence)))


def _stretch(parting: Parting) -> Text:
    text = Text("  ").append(place_words(parting.first), style="bold")
    text.append("  " + _events(parting.first), style="dim")
    if parting.last != parting.first:
        last = _events(parting.last)
        if place_words(parting.last) != place_words(parting.first):
            last = f"{place_words(parting.last)}  {last}"
        text.append("  " + _("and on, to {place}").format(place=last), style="dim")
    return text


def _events(place: Place) -> str:
    return " / ".join([f"e{number}" if number is not None else "-" for number in (place.left, place.right)])
