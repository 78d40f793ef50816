"""Draws the battlefield at a moment as SVG: the designation, the turn, the tallies, and each permanent as a card."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from daynight.events.terms import Face
from daynight.framework.language.grammar import capital, commas, full_stop, paragraph
from daynight.framework.language.wording import _, card_word, counted
from daynight.framework.positions import Position
from daynight.pictures.drawing import signs
from daynight.pictures.drawing.drawing import Drawing, fitted, group, line, plain, rect, text, wide, wrapped
from daynight.pictures.story import LONGEST, numbers
from daynight.projections.battlefield import Status
from daynight.questions.explain import policy_sentence
from daynight.referee.parts import designation_ways
from daynight.referee.state import PlayedRecord, State
from daynight.rules.citations import DEFAULT_EDITION
from daynight.rules.holding import holders, obstacle
from daynight.speech import sentences
from daynight.speech.auditing.grounds import since_words

MOST_PERMANENTS = 120
"""The most permanents that are drawn; those that have to do with day and night come first."""

_LEAST_WIDTH = 360
_EDGE, _GAP = 22.0, 12.0
_CARD, _HIGH = 148, 100


def board_svg(
    game: PlayedRecord,
    at: Position | str | int | None = None,
    *,
    edition: str | None = None,
    width: int = 960,
    prefix: str | None = None,
) -> str:
    """Return the battlefield at a position (the last one if None) as one SVG document.

    `edition`, `width` and `prefix` mean the same as for `timeline_svg`. Permanents beyond MOST_PERMANENTS are only
    counted. The same record gives the same bytes.

    Raises:
        PositionError: where `at` is not a valid position.
        NotFoundError: where there is no such event, turn or step.
        AskedError: where no id can begin with `prefix`.
    """
    number = game.number(at)
    state = game.at(number)
    cited_in = edition or game.state.edition or DEFAULT_EDITION
    breadth = float(max(width, _LEAST_WIDTH))
    drawing = signs.begun(prefix, "db", state.game, number, cited_in, width)
    y = _heading(drawing, state, cited_in, breadth)
    shown = _shown(state)
    for player in state.players:
        y = _side(drawing, state, player, [one for one in shown if one.controller == player], y, breadth)
    y = _foot(drawing, state, len(state.battlefield) - len(shown), y + 4, breadth)
    title = _("{game}: the battlefield after event {event}").format(game=state.game, event=number)
    return drawing.done(breadth, y, title, _desc(state, shown, cited_in))


def _shown(state: State) -> list[Status]:
    every = list(state.battlefield)
    if len(every) <= MOST_PERMANENTS:
        return every
    order = sorted(every, key=lambda status: not status.matters)
    kept = {status.id for status in order[:MOST_PERMANENTS]}
    return [status for status in every if status.id in kept]


def _place(state: State) -> str:
    if not state.turn:
        return _("event {event}, before the first turn").format(event=state.event)
    return _("event {event}, turn {turn}, {step}; active: {players}").format(
        event=state.event, turn=state.turn, step=sentences.step_word(state.step), players=sentences.listed(state.active)
    )


def _since(state: State, edition: str) -> str:
    """Return a sentence about what the designation is, and since when."""
    ways = designation_ways(state.possibilities)
    if state.designation is None or None in ways:
        return paragraph(full_stop(capital(sentences.state_clause(state.possible))), policy_sentence(state.possible))
    return full_stop(since_words(ways, edition))


def _heading(drawing: Drawing, state: State, edition: str, width: float) -> float:
    possible = state.possible
    box = 62.0 * len(possible)
    place = group(drawing.root, signs.said(possible))
    signs.cell(drawing, place, possible, (_EDGE, 22, box, 50))
    left = _EDGE + box + 16
    room = width - left - _EDGE
    head = _("{game}: {what}").format(game=state.game, what=sentences.either_word(possible))
    text(drawing.root, "ink title", left, 39, fitted(head, room, 19))
    lines = [*wrapped(_place(state), room, most=3), *wrapped(_since(state, edition), room)]
    for number, words in enumerate(lines):
        text(drawing.root, "soft", left, 57 + 17 * number, words)
    return 62.0 + 17 * len(lines)


def _side(drawing: Drawing, state: State, player: str, permanents: list[Status], y: float, width: float) -> float:
    """Draw a player's name and tallies, and the permanents below them; return the height at which they end."""
    root = drawing.root
    line(root, "hair", _EDGE, y, width - _EDGE, y)
    tallies = _tallies(state, player)
    used = wide(tallies) + 20
    below = width - 2 * _EDGE - used < 190
    name = fitted(player, width - 2 * _EDGE - (0 if below else used) - 90, 15)
    text(root, "ink large", _EDGE, y + 24, name)
    if player in state.active:
        left = _EDGE + wide(name, 15) * 1.05 + 10
        words = _("active")
        rect(root, "empty line", left, y + 11, wide(words, 12) + 16, 18, 9)
        text(root, "soft", left + 8, y + 24, words)
    if player not in state.present:
        text(root, "soft", _EDGE + wide(name, 15) * 1.05 + 10, y + 24, _("left the game"))
    y += 18 if below else 0
    text(root, "soft end", width - _EDGE, y + 24, fitted(tallies, width - 2 * _EDGE))
    y += 38
    many = max(int((width - 2 * _EDGE + _GAP) // (_CARD + _GAP)), 1)
    for number, status in enumerate(permanents):
        across, down = number % many, number // many
        _card(drawing, state, status, _EDGE + across * (_CARD + _GAP), y + down * (_HIGH + _GAP))
    return y + -(-len(permanents) // many) * (_HIGH + _GAP) + (2 if permanents else 4)


def _tallies(state: State, player: str) -> str:
    now, before = state.tallies.current, state.tallies.previous
    told = []
    if now is not None:
        told.append(_("spells this turn: {n}").format(n=numbers(now.range(player))))
    if before is not None:
        told.append(_("turn before: {n}").format(n=_("unknown") if before.unknown else numbers(before.range(player))))
    return " · ".join(told)


def _card(drawing: Drawing, state: State, status: Status, x: float, y: float) -> None:
    face = state.face(status.id)
    lines = list(_lines(state, status))
    name = _name(state, status)
    card = group(drawing.root, "\n".join((f"{plain(name)} ({plain(status.id)})", *lines)))
    backs = state.possibilities[0].backs
    look, ink = "paper", "ink"
    if status.face_down:
        look, ink = "undone", "undone-ink"
    elif face is not None and status.has("nightbound", backs):
        look, ink = "night", "night-ink"
    elif face is not None and status.has("daybound", backs):
        look, ink = "day", "day-ink"
    mark = "line" if look == "paper" else f"{look}-mark"
    out = not status.phased_in
    rect(card, f"{look}", x, y, _CARD, _HIGH, 8)
    rect(card, f"empty {mark}" + (" dashed" if out else ""), x, y, _CARD, _HIGH, 8)
    corner = status.double_faced and not status.face_down
    first, second = _two_lines(name, _CARD - 22 - (22 if corner else 0))
    text(card, f"{ink} bold" + (" italic" if status.face_down else ""), x + 11, y + 21, first)
    if second:
        text(card, f"{ink} bold", x + 11, y + 36, second)
    if corner:
        _corner(drawing, card, face, ink, x + _CARD - 22, y + 11)
    soft = "soft" if look == "paper" else ink
    text(card, f"mono small {soft}", x + 11, y + (51 if second else 36), fitted(status.id, _CARD - 22, 11))
    below = [fitted(words, _CARD - 22, 11) for words in lines][-4:]
    for number, words in enumerate(reversed(below)):
        text(card, f"note {soft}", x + 11, y + _HIGH - 11 - 14 * number, words)


def _two_lines(name: str, room: float) -> tuple[str, str]:
    """Return a name as two lines of at most `room`, broken at a space; the second is empty if one is enough."""
    size = 13.4  # bold text is wider
    safe = plain(name)
    if wide(safe, size) <= room:
        return safe, ""
    words = safe.split(" ")
    for many in range(len(words) - 1, 0, -1):
        first = " ".join(words[:many])
        if wide(first, size) <= room:
            return first, fitted(" ".join(words[many:]), room, size)
    return fitted(safe, room, size), ""


def _corner(drawing: Drawing, card: Element, face: Face | None, ink: str, x: float, y: float) -> None:
    """Draw two overlapping cards, front and back, and fill the upper one: the face that is up; none if not certain."""
    stroke = {"day-ink": "day-ray", "night-ink": "night-ray"}.get(ink, "line")
    back, front = (x + 4, y + 3.5), (x, y)
    order = (back, front) if face is Face.FRONT else (front, back)
    for number, (left, top) in enumerate(order):
        fill = ink if number == 1 and face is not None else "empty"
        rect(card, f"{fill} {stroke}", left, top, 8, 11, 1.5)


def _name(state: State, status: Status) -> str:
    if status.face_down:
        return _("face down")
    if state.face(status.id) is None and status.copy is None:
        permanent = status.permanent
        front, back = (sentences.face_name(permanent, side) for side in (Face.FRONT, Face.BACK))
        return _("{front} or {back}").format(front=front, back=back)
    return card_word(status.name(state.possibilities[0].backs))


def _lines(state: State, status: Status) -> Iterator[str]:
    """Yield the lines of text at the foot of a permanent's card."""
    backs = state.possibilities[0].backs
    face = state.face(status.id)
    if status.double_faced and not status.face_down:
        yield sentences.face_word(face) if face is not None else _("either face up")
    if status.copy is not None:
        yield _("a copy")
    if face is not None and status.acts:
        yield from map(sentences.keyword_word, status.shows(backs).keywords)
    if status.losses or status.lost or status.entered_without:
        yield _("without abilities")
    if not status.phased_in:
        yield _("phased out")
    if _held(state, status):
        yield _("can't transform")


def _held(state: State, status: Status) -> bool:
    """Return whether a permanent is double-faced and in every possibility barred from transforming, or uncontrolled."""
    there = state.battlefield
    kept = [obstacle(status, there, one.backs, holders(there, one.backs)) for one in state.possibilities]
    return {*kept} <= {"no-controller", "forbidden", "held"} and status.double_faced


def _foot(drawing: Drawing, state: State, more: int, y: float, width: float) -> float:
    root = drawing.root
    line(root, "hair", _EDGE, y, width - _EDGE, y)
    room = width - 2 * _EDGE
    told = [*_waiting(state)]
    if not len(state.battlefield):
        told.insert(0, _("There are no permanents on the battlefield."))
    if more:
        told.append(counted("And {n} more permanent.", "And {n} more permanents.", more))
    for words in (words for sentence in told for words in wrapped(sentence, room)):
        y += 20
        text(root, "ink", _EDGE, y, words)
    return signs.foot(drawing, _EDGE, y + 24, width) + 2


def _waiting(state: State) -> Iterator[str]:
    ids = list(dict.fromkeys(trigger.permanent for trigger in state.triggers.waiting))
    if ids:
        permanents = {status.id: status.permanent for status in state.battlefield}
        sentence = _("Waiting to go on the stack at the next step: {names}.")
        yield sentence.format(names=sentences.names(ids[:20], permanents))


def _desc(state: State, shown: list[Status], edition: str) -> str:
    told = [full_stop(_place(state)), _since(state, edition)]
    for player in state.players:
        tallies = _tallies(state, player)
        if tallies:
            told.append(_("{player}: {tallies}.").format(player=player, tallies=tallies))
    for status in shown:
        words = {"player": status.controller, "name": _name(state, status), "id": status.id}
        said = list(_lines(state, status))
        if said:
            told.append(_("{player} controls {name} ({id}): {what}.").format(**words, what=commas(said)))
        else:
            told.append(_("{player} controls {name} ({id}).").format(**words))
    told += _waiting(state)
    whole = paragraph(*map(plain, told))
    return whole if len(whole) <= LONGEST else whole[: LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
