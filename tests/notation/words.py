"""Shared by the tests of the notation: Hypothesis strategies for events, and their conversion to text and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from daynight.cards import bundled
from daynight.events import Face, Permanent
from daynight.events.language import TAGS
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode_lines
from daynight.notation import lines_of, read_text
from tests.reading import strategies

__all__ = ["HEADER", "and_back", "events", "hard_records", "in_words", "records"]

HEADER = "game g1\nplayers Ana, Bo\n"
"""A header of two lines, so that the tested line is line 3."""

HARD = st.sampled_from([
    *("Ana", "Bo", "w1", "w2", "Tavern Ruffian", "Tavern", "Arlinn, the Pack's Hope", "Tavern Rufian", "a spell"),
    *("2", "2 spells", "0-1 more", "casts", "Ana casts Opt", "and", "a and b", "A, B", "A: B", "by", "to exile"),
    *("day", "night", "back", "token", "face down", "game", "judge", "Judge", "Judge Jo", "turn 5", "untap", "end"),
    *("#", "a #b", "#a", "@", "a @b", "@2024-06-07T19:30:00Z", "{", "{}", "(", "(a)", "[a]", "a (b)", '"', '"a"'),
    *(" a", "a ", "a  b", "a\u00a0b", "a\u3000b", "\u00b7", "a \u00b7 b", "/", "a / b", "//", "Fire // Ice", ";"),
    *("e12", "12", "it becomes night", "the game", "the game ends", "dispute d1", "says", "X says", "rules", "wins"),
    *("\u540d\u524d", "Zo\u00eb", "can't transform", "is itself again", "more", "1+", "_", "\\", "\\n", "..."),
    *("nothing", "no", "two", "Two spells", "up to 2 more", "one or", "-1 more", "Opt twice", "Opt x2", "Opt s1"),
    *("Opt, Ana", "Opt and Opt", "Opt.", "spell", "maybe", "it's", "It’s", "it is", "that", "Pack’s", "main phase"),
])  # fmt: skip
"""A strategy for names that look like something else in the notation."""


def events() -> st.SearchStrategy[Event]:
    """A strategy for any event: all types are equally frequent, and some names have quotation marks or brackets."""
    return st.sampled_from(list(TAGS.values())).flatmap(strategies.events_of).map(_with_hidden_faces)


def _with_hidden_faces(event: Event) -> Event:
    """Return an event whose face-down permanents show no back face: the catalogue refuses those that do."""
    permanents = getattr(event, "permanents", ())
    if not any(isinstance(one, Permanent) and one.face_down for one in permanents):
        return event
    hidden = [replace(one, face=Face.FRONT) if one.face_down else one for one in permanents]
    return replace(event, permanents=tuple(hidden))


def records() -> st.SearchStrategy[list[Event]]:
    """A strategy for lists of events that need not form a legal game; in some lists the cards are filled in."""
    return st.tuples(st.lists(events(), min_size=1, max_size=8), st.booleans()).map(
        lambda made: [bundled().fill(event) for event in made[0]] if made[1] else made[0]
    )


def in_words(made: Iterable[Event]) -> str:
    """The text of events in the notation."""
    return "".join(f"{line}\n" for lines in lines_of(made) for line in lines)


def and_back(made: list[Event]) -> tuple[bytes, bytes]:
    """The events as JSON Lines, and so again after they were written in the notation and read from it."""
    return encode_lines(made), encode_lines(placed.event for placed in read_text(in_words(made)))


def hard_records() -> st.SearchStrategy[list[Event]]:
    """A strategy for lists of events of `records` with names of `HARD` in place of all names."""
    return st.tuples(records(), st.lists(HARD, min_size=1, max_size=4)).map(lambda made: _renamed(*made))


def _renamed(made: list[Event], names: list[str]) -> list[Event]:
    documents = [msgspec.to_builtins(event) for event in made]
    place = 0

    def renamed(value: Any, key: str) -> Any:
        nonlocal place
        if isinstance(value, dict):
            return {name: one if name in KEPT else renamed(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [renamed(one, key) for one in value]
        if isinstance(value, str):
            place += 1
            return names[place % len(names)]
        return value

    return [msgspec.convert({"type": tag, **renamed(rest, "")}, Event) for tag, rest in map(_split, documents)]


KEPT = frozenset(
    ("type", "at", "note", "meta", "format", "possible", "step", "becomes", "only_if", "designation", "face")
) | {"keywords", "holds", "outcome", "says"}
"""The fields that contain no names: `hard_records` leaves their values as they are."""


def _split(document: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return document["type"], {name: value for name, value in document.items() if name != "type"}
