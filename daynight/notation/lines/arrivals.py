"""Arrivals: `Ana: Tavern Ruffian (w1), Bo: Clone [c1] enter`.

A permanent with an id in round brackets is completed from the catalogue when it is stored; one with square brackets is
stored exactly as written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import msgspec
from lark import Token, Tree

from daynight.events.terms import TOKENS_TRANSFORM, tokens_transform
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lines.making import UNKNOWN, Fields, Making
from daynight.notation.lines.parsing import Branch
from daynight.notation.spelling import OURS, WrittenName, ours_in

EXACT = "exact"
"""The key in an event's fields that holds the indices of permanents that the catalogue must not complete."""


@dataclass(slots=True)
class _Item:
    """A permanent as written: controller, card and brackets; `exact` if these are square."""

    controller: Branch | None
    card: WrittenName
    paren: Branch | None
    options: Fields = field(default_factory=dict)
    exact: bool = False


def entered(making: Making, subjects: Branch, paren: Any) -> Fields:
    """Return the fields of `Ana: Tavern Ruffian (w1) enters`; the brackets may also be behind `enters`."""
    items = _items(making, subjects)
    if paren is not None:
        if len(items) > 1 or items[0].paren is not None:
            sentence = _("brackets stand behind the card that they are about")
            raise UnreadableError(sentence, column=paren.children[0].column)
        items[0].paren = paren
    return _under_somebody(making, items)


def entered_as(making: Making, subjects: Branch, name: Branch) -> Fields:
    """Return the fields of `Ana: Tavern Ruffian enters as w1`."""
    items = _items(making, subjects)
    _named(making, items, name)
    return _under_somebody(making, items)


def entered_under(making: Making, subjects: Branch, player: Branch, name: Branch | None) -> Fields:
    """Return the fields of `Tavern Ruffian enters under Ana as w1`."""
    items = _items(making, subjects)
    for item in items:
        if item.controller is not None:
            raise UnreadableError(_("the controller stands twice on the line; once is meant"), column=item.card.column)
    items[0].controller = player
    if name is not None:
        _named(making, items, name)
    return _arrival(making, items)


def _under_somebody(making: Making, items: list[_Item]) -> Fields:
    if items[0].controller is None:
        sentence = _("under whom does it enter? A line is like: {form}")
        form = "Ana: Tavern Ruffian (w1) enters"
        raise UnreadableError(sentence.format(form=form), column=items[0].card.column)
    return _arrival(making, items)


def _named(making: Making, items: list[_Item], name: Branch) -> None:
    said = making.said(name)
    if len(items) > 1 or items[0].paren is not None:
        sentence = _("one permanent has one id; write several as {form}")
        form = "Ana: Tavern Ruffian (w1), Immerwolf (i1) enter"
        raise UnreadableError(sentence.format(form=form), column=said.column)
    items[0].options["id"] = said.text


def _items(making: Making, subjects: Branch) -> list[_Item]:
    """Return the permanents of a line; a card's name that contains a comma becomes one name again."""
    runs: list[list[_Item]] = [[]]
    for child in subjects.children:
        assert isinstance(child, Tree)
        first, second, paren = child.children
        assert isinstance(first, Tree)
        controller, card = (None, first) if second is None else (first, second)
        assert isinstance(card, Tree)
        if controller is not None:
            runs.append([])
        assert paren is None or isinstance(paren, Tree)
        runs[-1].append(_Item(controller, making.said(card), paren))
        if paren is not None:
            runs.append([])
    return [item for run in runs for item in _joined(making, run)]


def _joined(making: Making, run: list[_Item]) -> list[_Item]:
    cards = making.joined([item.card for item in run])
    ends = {item.card.end: item.paren for item in run}
    starts = {item.card.column: item.controller for item in run}
    return [_Item(starts[card.column], card, ends[card.end]) for card in cards]


def found_there(making: Making, fields: Fields, subjects: Branch) -> None:
    """Add the permanents in `subjects` to `fields`, those of `joined midway: night; Ana: Tavern Ruffian (w1)`."""
    arrival = _under_somebody(making, _items(making, subjects))
    before = fields.setdefault("permanents", [])
    if EXACT in arrival:
        fields.setdefault(EXACT, []).extend([len(before) + place for place in arrival[EXACT]])
    if UNKNOWN in arrival:
        fields[UNKNOWN] = [*dict.fromkeys((*fields.get(UNKNOWN, ()), *arrival[UNKNOWN]))]
    before += arrival["permanents"]


def _arrival(making: Making, items: list[_Item]) -> Fields:
    permanents: list[Fields] = []
    exact: list[int] = []
    unknown: dict[str, None] = {}
    controller: str | None = None
    for place, item in enumerate(items):
        if item.controller is not None:
            controller = making.player(item.controller)
        options = item.options | (_options(making, item) if item.paren is not None else {})
        token = "token" in options
        card = making.lookups.card(item.card, token=token)
        if not token and "front" not in options and making.lookups.unknown(item.card, card):
            unknown[card] = None
        known = {"id": options.pop("id", None) or making.lookups.free_id(card), "card": card, "controller": controller}
        # Square brackets contain exactly the fields of a record.
        early = token and not item.exact and not tokens_transform(making.lookups.edition)
        if early and options.setdefault("double_faced", False) not in (False, msgspec.Raw(b"false")):
            sentence = _("before the rules of {edition} no token is double-faced")
            raise UnreadableError(sentence.format(edition=TOKENS_TRANSFORM), column=item.card.column)
        permanents.append(known | options)
        if item.exact:
            exact.append(place)
    fields: Fields = {"type": "permanents-entered", "permanents": permanents}
    return fields | ({EXACT: exact} if exact else {}) | ({UNKNOWN: [*unknown]} if unknown else {})


def _options(making: Making, item: _Item) -> Fields:
    """Return the fields in the brackets behind a card, from an id, words and JSON; set `item.exact`."""
    assert item.paren is not None
    opened, *options, closed = item.paren.children
    assert isinstance(opened, Token)
    assert isinstance(closed, Token)
    if (opened, closed) not in (("(", ")"), ("[", "]")):
        raise UnreadableError(_("brackets of one kind belong together"), column=closed.column)
    item.exact = opened == "["
    found: Fields = {}
    for option in options:
        key, value = _option(making, option)
        if key == "json":
            found |= value
        elif key in found:
            sentence = _("a card has one id in brackets; words that may stand beside it: {words}")
            words = "token, back face up, face down, phased out, without abilities"
            raise UnreadableError(sentence.format(words=words), column=_start(option))
        else:
            found[key] = value
    return found


def _option(making: Making, option: Branch | Token) -> tuple[str, Any]:
    if isinstance(option, Token):
        if option.type == "JSON":
            return "json", _faces(making, option)
        return {
            "TOKEN": ("token", True),
            "BACK": ("face", "back"),
            "FACE_DOWN": ("face_down", True),
            "PHASED_OUT": ("phased_out", True),
        }[option.type]
    if option.data == "without":
        (source,) = option.children
        return "without_abilities", source is None or making.text(source)
    said = making.said(option)
    if not said.literal and ours_in(said.text):
        raise NoIdError(_meant_by(said), column=said.column)
    return "id", said.text


class NoIdError(UnreadableError):
    """The error for a text in brackets that contains keywords, so that it cannot be an id."""


def _meant_by(said: WrittenName) -> str:
    """Return the sentence for an id with keywords in it: for `(w2 back face up)` it proposes `(w2, back face up)`."""
    ours = ours_in(said.text)
    id = " ".join(word for word in said.text.split() if word.casefold() not in (*OURS, "out"))
    words = dict.fromkeys(OURS[word] for word in ours if OURS[word])
    meant = f"({', '.join([*([id] if id else []), *words])})" if id or words else "(w1)"
    sentence = _(
        "{id} is no id, for it has {word} in it; did you mean {meant}? An id with such words is in quotation marks"
    )
    return sentence.format(id=repr(said.text), word=ours[0], meant=meant)


def _faces(making: Making, token: Token) -> Fields:
    """Return `double_faced`, `front` and `back` from the JSON in the brackets; their values are not decoded."""
    assert token.column is not None
    try:
        text = making.line.json[token.column]
        keys = [key for key, _value in json.loads(text, object_pairs_hook=list)]
        found = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise UnreadableError(_("not JSON between these braces"), column=token.column) from None
    foreign = [key for key in found if key not in ("double_faced", "front", "back")]
    if foreign or not found or len(keys) > len(found):
        sentence = _("the braces beside an id hold {fields}; everything else has words of its own")
        raise UnreadableError(sentence.format(fields='"double_faced", "front", "back"'), column=token.column)
    return dict(found)


def _start(option: Branch | Token) -> int | None:
    found = [option] if isinstance(option, Token) else option.scan_values(lambda part: isinstance(part, Token))
    return next(token.column for token in found)
