"""Reads the content of a picture back from its SVG, without daynight's drawing code."""

from __future__ import annotations

import random
import re
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring

from daynight.game import Game
from tests.rules.judges import back_up, claim, claim_tally, ruled
from tests.rules.words import Event, cast, doubt, effect, started, turn, untap, upkeep

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = {"–": "neither", "D": "day", "N": "night"}


class Column(NamedTuple):
    """A column of a timeline: its first and last event, designations, the findings that its ✗ count, if struck out."""

    first: int
    last: int
    designations: list[str]
    wrong: int
    struck: bool
    element: Element


def parsed(picture: str) -> Element:
    """Return the root element of a picture; XML that is not well-formed raises ParseError."""
    return fromstring(picture)


def classes(element: Element) -> set[str]:
    """Return the classes of an element, without the prefix `dn-`."""
    return {name.removeprefix("dn-") for name in element.get("class", "").split()}


def texts(element: Element, *having: str) -> list[str]:
    """Return the words of the `text` elements below `element` that have all of these classes."""
    found = element.iter(f"{SVG}text")
    return [one.text or "" for one in found if set(having) <= classes(one)]


def titled(picture: str) -> list[Element]:
    """Return the `g` elements that have a `title`, in order."""
    return [group for group in parsed(picture).iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def said(group: Element) -> str:
    """Return the `title` of a group."""
    return group.findtext(f"{SVG}title") or ""


def columns(picture: str) -> list[Column]:
    """Return the columns of a timeline, in order: the groups whose title says "events N to M"."""
    found = []
    for group in titled(picture):
        events = re.search(r"events (\d+) to (\d+)", said(group))
        if events is None:
            continue
        letters = [LETTERS[word] for word in texts(group, "bold", "centre") if word in LETTERS]
        wrong = [int(word[1:] or 1) for word in texts(group) if word.startswith("✗")]
        struck = any("struck" in classes(one) for one in group.iter(f"{SVG}text"))
        found.append(Column(int(events[1]), int(events[2]), letters, sum(wrong), struck, group))
    return found


def walked(seed: int, turns: int = 30) -> Game:
    """Return a random game that depends only on `seed`: casts, some uncertain, effects, claims, rulings, back-ups."""
    chance = random.Random(seed)
    events: list[Event] = [started("Ana", "Bo")]
    game = Game(events)
    number = 0
    for _turn in range(turns):
        number = max(number, game.state.turn) + 1
        player = ("Ana", "Bo")[number % 2]
        some: list[Any] = [turn(number, player), *([untap()] if chance.random() < 0.9 else []), upkeep()]
        some += [cast(chance.choice(["Ana", "Bo"])) for _cast in range(chance.randrange(4))]
        some += [doubt(player, 0, 2)] * (chance.random() < 0.1)
        some += [effect(chance.choice(["day", "night", "switch"]))] * (chance.random() < 0.2)
        some += [claim(chance.choice(["day", "night"]))] * (chance.random() < 0.3)
        some += [claim_tally(player, chance.randrange(3))] * (chance.random() < 0.2)
        some += [ruled(chance.choice(["day", "night"]))] * (chance.random() < 0.1)
        for event in some:
            game.record(event)
        if chance.random() < 0.1:
            to = chance.randrange(2, len(game))
            if game.stands(to):
                game.record(back_up(to))
    return game
