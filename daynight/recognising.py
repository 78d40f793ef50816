"""Finds out what a file is by its first bytes: a record, a log that an importer knows, or neither."""

from __future__ import annotations

import re

from daynight.framework.language.errors import UnreadableError, locating
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.importers.frame import Importer
from daynight.importers.import_report import ImportReport
from daynight.importers.registry import detected, names
from daynight.importers.sources import is_utf_16
from daynight.machine.shells import likely, quoted

NOTATION = "notation"
"""The name of the importer of the notation for people."""


def importer_of(head: bytes, name: str) -> Importer | None:
    """Return the importer that knows the file `name` by its first bytes, `head`; None if it may be a record.

    Raises:
        UnreadableError: where it can be neither a record nor a log; where several importers know it.
    """
    first = head.lstrip().partition(b"\n")[0]
    if first.startswith(b"{") and (b'"game-started"' in first or b'"archive"' in first):
        return None
    with locating(file=name, line=1):
        known = detected(head)
    if known is not None or not head.strip() or head.lstrip().startswith((b"{", b"[")) or ".jsonl" in name:
        return known
    if is_utf_16(head):
        raise UnreadableError(_("text in UTF-16; save the file as UTF-8"), line=1, file=name)
    for sign, sentence in _looks_like():
        if sign.search(head) is not None:
            raise UnreadableError(sentence.format(file=quoted(name, likely())), line=1, column=1, file=name)
    if name == "-":
        return None
    sentence = _(
        "neither a record nor anything that an importer knows; daynight import --from names what it is: {names}. A"
        " game can be typed: a file whose name ends with .dn, with lines like Ana casts Opt"
    )
    others = commas([each for each in names() if each != NOTATION])
    raise UnreadableError(sentence.format(names=others), file=name, line=1, column=1)


def _looks_like() -> tuple[tuple[re.Pattern[bytes], str], ...]:
    """Return patterns of other well-known files, each with a sentence that says what to type instead."""
    return (
        (_DATABASE, _("a store of games, it seems; daynight list --db {file} names them, and db:GAME is one of them")),
        (
            _ARENA,
            _(
                "it looks like Magic Arena's log, without any game; switch on Detailed Logs (Options, Account), play,"
                " and give Player.log. If there is one: daynight import --from arena {file}"
            ),
        ),
        (
            _FORGE,
            _(
                "it looks like Forge's log, in another language than English or cut short; daynight import --from forge"
                " {file} says what of it can be read"
            ),
        ),
        (_PAGE, _("a page for a browser, and no record; give the record, or the log, that it was made of")),
        (
            _OTHERS,
            _(
                "it looks like a log of a program that no importer knows; type the game instead: a file whose name ends"
                " with .dn, with lines like Ana casts Opt"
            ),
        ),
    )


_DATABASE = re.compile(rb"\ASQLite format 3\0")
_ARENA = re.compile(rb"UnityCrossThreadLogger|DETAILED LOGS|\bMTGA\b|GreToClient")
_FORGE = re.compile(
    rb"^Turn: |^Add To Stack: |^Resolve Stack: |GuiBase: APP: Forge|\bforge\.(?:game|gui)\b", re.M | re.I
)
_PAGE = re.compile(rb"\A\s*(?:<\?xml|<!doctype|<html|<svg)", re.I)
_OTHERS = re.compile(rb"Cockatrice|XMage|mage\.(?:client|server)|Magic Online|\bMTGO\b")


def nothing_in(report: ImportReport, file: str) -> UnreadableError:
    """Return the error that explains why a log has no game: its first warning, or the first line that was skipped."""
    found = [(*group.places[0], group.sentence) for group in report.warnings.values()] + report.lines
    for file, line, reason in found[:1]:
        return UnreadableError(_("no game could be read in it: {reason}").format(reason=reason), file=file, line=line)
    return UnreadableError(_("no game could be read in it; daynight import --json tells what was found"), file=file)
