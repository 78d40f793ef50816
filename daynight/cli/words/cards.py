"""`daynight cards`: lists the catalogue of cards."""

from __future__ import annotations

import click
import msgspec
from rich.text import Text

from daynight.cards import Card, Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import console, print_json
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, card_word, translated
from daynight.speech.sentences import keyword_word


@click.command(epilog='\b\ndaynight cards\ndaynight cards "Tavern Ruffian"')
@click.argument("name", required=False)
@options.told
def cards(name: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """List the cards that care about day and night.

    NAME shows one card: its front, its back or its full name.
    """
    found = tuple(catalogue) if name is None else (catalogue[name],)
    if as_json:
        for card in found:
            print_json(msgspec.to_builtins(card))
        return 0
    out = console()
    rows = [
        (card_word(card.names[-1]), card.set or "-", _what(card), _("yes") if card.verified else _("NOT verified"))
        for card in found
    ]
    print_table(out, (_("card"), _("set"), _("what matters"), _("verified")), rows)
    if name is not None and found[0].note is not None:
        out.print(Text(tame(translated(found[0].note))))
    return 0


def _what(card: Card) -> str:
    words: list[str] = []
    for face in card.faces:
        words += map(keyword_word, face.keywords)
        if face.day_if_neither:
            words.append(_("day if neither"))
        if face.watches:
            words.append(_("watches day and night"))
        if face.holds == "night":
            words.append(_("it can't become night"))
        elif face.holds is not None:
            words.append(_("your non-Human Werewolves can't transform"))
    if card.resolves is not None:
        becomes = {"day": _("makes it day"), "night": _("makes it night"), "switch": _("switches day and night")}
        sometimes = {
            "day": _("makes it day under a condition"),
            "night": _("makes it night under a condition"),
            "switch": _("switches day and night under a condition"),
        }
        words.append((sometimes if card.conditional else becomes)[card.resolves])
    if card.reads is not None:
        words.append(_("asks whether it is night") if card.reads == "night" else _("asks whether it is day"))
    if card.outside:
        words.append(_("outside the rules"))
    return commas(words) or "-"
