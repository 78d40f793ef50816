"""Draws the timeline of a game as SVG: turn by turn the designation, spells, claims and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from xml.etree.ElementTree import Element

from daynight.events.terms import Designation
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.pictures.course import Column, columns, gathered
from daynight.pictures.drawing import signs
from daynight.pictures.drawing.drawing import Drawing, fitted, group, rect, text, wide, wrapped
from daynight.pictures.drawing.layout import broken
from daynight.pictures.labels import labels_of
from daynight.pictures.lanes import draw_row
from daynight.pictures.measures import EDGE, NAMES, Sheet, natural_width
from daynight.pictures.story import story
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit
from daynight.projections.turns import Turn, stretches
from daynight.referee.state import PlayedRecord
from daynight.rules.citations import DEFAULT_EDITION
from daynight.speech.sentences import against, designation_word, numbers_line

LEAST_WIDTH = 360
"""The least width of a picture, in pixels."""

MOST_PLAYERS = 6
"""The most players with a row each; in a game of more, only the active ones of each turn are shown."""

_STRETCH, _SPARE = 3.0, 52.0


def timeline_svg(
    game: PlayedRecord,
    *,
    edition: str | None = None,
    at: Position | str | int | None = None,
    width: int = 960,
    prefix: str | None = None,
    audit: Audit | None = None,
    parts: Sequence[Turn] | None = None,
) -> str:
    """Return the whole timeline of a game as one SVG document.

    `edition` is the edition of the rules to cite, the record's own if None. `at` is a position to mark. `width` is in
    pixels, or LEAST_WIDTH if less; the height follows. Every id in the document begins with `prefix`, so that one
    page can hold many pictures; if None, a prefix is made from the content. The same record gives the same bytes.
    Pass the game's `audit` and, as `parts`, what `stretches` returns, if you have them already.

    Raises:
        PositionError: where `at` is not a valid position.
        NotFoundError: where there is no such event, turn or step.
        AskedError: where no id can begin with `prefix`.
    """
    here = None if at is None else game.number(at)
    state = game.state
    cited_in = edition or state.edition or DEFAULT_EDITION
    breadth = float(max(width, LEAST_WIDTH))
    audit = Auditor(edition).game(game) if audit is None else audit
    turns = columns(game, audit, stretches(game) if parts is None else parts)
    every = gathered(turns)
    drawing = signs.begun(prefix, "dn", state.game, len(game), cited_in, here, width)
    y = _heading(drawing, game, turns, cited_in, breadth, len(audit.disputes))
    players = state.players if len(state.players) <= MOST_PLAYERS else ()
    many = any(column.turns > 1 for column in every)
    extra: tuple[str, ...] = ("changes",) if many else ()
    extra += ("acts",) if many and any(column.acts for column in every) else ()
    extra += ("claims",) if any(column.claims for column in every) else ()
    sheet = Sheet(drawing, every, [], players, cited_in, here, extra)
    sheet, rows = _broken(sheet, breadth)
    for row in rows:
        y = draw_row(sheet, row, y)
    y = legend(drawing, every, (EDGE, y + 10), breadth, players=bool(players))
    name = state.game or _("a game")
    desc = story(name, turns, audit, cited_in, state, every[0].turns if every else 1)
    return drawing.done(breadth, y, _("{game}: day and night, turn by turn").format(game=name), desc)


def _broken(sheet: Sheet, breadth: float) -> tuple[Sheet, list[range]]:
    """Return the sheet with the columns' widths, and the columns of each row; a label at the right end has room."""
    natural = [natural_width(column, sheet.players) for column in sheet.every]
    if any(column.turns > 1 for column in sheet.every):
        natural = [max(natural)] * len(natural)
    rows: list[range] = []
    for spare in (0.0, _SPARE):
        available = breadth - 2 * EDGE - NAMES - spare
        rows = broken(natural, available)
        longest = max((sum(natural[place] for place in row) for row in rows), default=0.0)
        stretch = min(_STRETCH, available / longest) if longest else 1.0
        sheet = replace(sheet, widths=[min(each * stretch, available) for each in natural])
        labels = (label for row in rows for label in labels_of(sheet, row))
        if all(label.span[1] <= breadth - 4 for label in labels):
            break
    return sheet, rows


def _heading(
    drawing: Drawing, game: PlayedRecord, turns: list[Column], edition: str, width: float, disputes: int
) -> float:
    state = game.state
    possible = state.possible
    box = 38.0 * len(possible)
    right = width - EDGE
    place = group(drawing.root, _("in the end: {what}").format(what=signs.said(possible)))
    signs.cell(drawing, place, possible, (right - box, 20, box, 34))
    room = width - 2 * EDGE - box
    ending = _("in the end")
    text(drawing.root, "soft end", right - box - 10, 36, ending)
    used = wide(ending)
    if disputes:
        words = counted("✗ {n} claim differs", "✗ {n} claims differ", disputes)
        text(drawing.root, "wrong bold end", right - box - 10, 54, words)
        used = max(used, wide(words) * 1.1)
    text(drawing.root, "ink title", EDGE, 36, fitted(state.game, room - used - 24, 19))
    many = sum(not (column.turn is None or column.goes_on or column.undone) for column in turns)
    who, counts = against(state), numbers_line(many, len(game), edition)
    lines = [f"{who} · {counts}"]
    if wide(lines[0]) > room - used - 24:
        lines = [*wrapped(who, room - used - 24), *wrapped(counts, width - 2 * EDGE)]
    for number, words in enumerate(lines):
        text(drawing.root, "soft", EDGE, 54 + 17 * number, words)
    return 70.0 + 17 * (len(lines) - 1)


_Draws = Callable[[Element, float, float], None]

_HIGH = 27.0


def legend(
    drawing: Drawing, every: Sequence[Column], place: tuple[float, float], width: float, *, players: bool
) -> float:
    """Draw the signs with their words, in lines from `place` on; return the height at which the picture ends."""
    left, y = place
    x = left
    for size, draw, words in _entries(drawing, every, players=players):
        needs = size + 7 + wide(words) + 20
        if x > left and x + needs > width:
            x, y = left, y + _HIGH
        entry = group(drawing.root)
        draw(entry, x, y)
        text(entry, "soft", x + size + 7, y + 15, words)
        x += needs
    return signs.foot(drawing, left, y + _HIGH + 14, width)


def _entries(drawing: Drawing, every: Sequence[Column], *, players: bool) -> Iterator[tuple[float, _Draws, str]]:
    shown = {
        possible for column in every for possible in (*(run.possible for run in column.runs), *column.ended) if possible
    }
    alone = {one for possible in shown for one in possible}
    for designation in Designation:
        if designation in alone:
            yield 34, _cell(drawing, (designation,), undone=False), designation_word(designation)
    for possible in sorted((one for one in shown if len(one) > 1), key=lambda one: [each.value for each in one])[:1]:
        yield 60, _cell(drawing, possible, undone=False), _("uncertain: all that may be")
    if any(column.undone for column in every):
        yield 34, _cell(drawing, (Designation.DAY,), undone=True), _("undone by backing up")
    if any(column.turns > 1 for column in every):
        most = max(column.turns for column in every)
        words = counted(
            "a column is {n} turn, its numbers are sums", "a column is {n} turns, its numbers are sums", most
        )
        yield 0, lambda entry, x, y: None, words
    elif players and any(column.spells for column in every):
        yield 18, _pill, _("spells of the active player")
    answers = {claim.answer for column in every for claim in column.claims}
    for name, sign, words in (
        ("right", "✓", _("claimed, and so it is")),
        ("wrong", "✗", _("claimed, and it differs")),
        ("open", "?", _("claimed, and may be")),
    ):
        if name in answers:
            yield 10, partial(_answer, name, sign), words


def _cell(drawing: Drawing, possible: tuple[Designation, ...], *, undone: bool) -> _Draws:
    size = 34 if len(possible) == 1 else 60
    return lambda entry, x, y: signs.cell(drawing, entry, possible, (x, y - 1, size, 24), undone=undone)


def _pill(entry: Element, x: float, y: float) -> None:
    rect(entry, "empty line", x, y + 2, 18, 17, 8.5)
    text(entry, "mono bold ink centre", x + 9, y + 14.5, "1")


def _answer(name: str, sign: str, entry: Element, x: float, y: float) -> None:
    text(entry, f"bold {name}", x, y + 15, sign)
