"""Random records with every kind of event, drawn by Hypothesis or from a seed."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .acts import call, note, open_disputes, speak
from .chooser import DrawnChooser, SeededChooser
from .moves import (
    abilities,
    arrive,
    back_up,
    begin,
    cast,
    change_control,
    claim_designation,
    claim_face,
    claim_tally,
    copy_permanent,
    copy_spell,
    depart,
    doubt,
    effect,
    end,
    forbid,
    instruct,
    leave,
    leave_what_waits,
    meanwhile,
    phase,
    restart,
    rule,
    settle,
    step,
    turn,
    turn_face,
    untap,
)
from .vocabulary import Event
from .walk import Walk
from .wild import wild

Refusals = list[tuple[int, Event]]


def always(walk: Walk) -> bool:
    """The move is legal at any time."""
    return bool(walk.events)


def in_turn(walk: Walk) -> bool:
    """The move is legal once a turn has begun."""
    return bool(walk.state["turn"] > 0)


def peopled(walk: Walk) -> bool:
    """The move is legal while there are permanents."""
    return bool(walk.ids())


def somebody_waits(walk: Walk) -> bool:
    """The move is legal while a trigger waits that is not on the stack, and more than one player is left."""
    return len(walk.playing()) > 1 and any(trigger["waits"] for trigger in walk.state["triggers"])


def with_acts(walk: Walk) -> bool:
    """The move is legal in records with disputes and notes."""
    return walk.acts


class Kind(NamedTuple):
    """A kind of move: its frequency, a function that returns whether it is legal now, and the function that adds it.

    With `action` it is not made after the end of the game.
    """

    weight: int
    legal: Callable[[Walk], bool]
    make: Callable[[Walk], None]
    action: bool = True


KINDS = [
    Kind(16, always, turn), Kind(5, in_turn, untap), Kind(7, in_turn, step), Kind(9, in_turn, cast),
    Kind(2, in_turn, copy_spell), Kind(6, lambda walk: in_turn(walk) and walk.doubtful, doubt),
    Kind(16, lambda walk: len(walk.ids()) < 8, arrive), Kind(5, peopled, depart), Kind(3, peopled, change_control),
    Kind(5, peopled, abilities), Kind(4, peopled, copy_permanent),
    Kind(3, lambda walk: bool(walk.ids(face_down=True) or walk.ids(double_faced=False)), turn_face),
    Kind(9, peopled, phase), Kind(5, peopled, instruct), Kind(4, peopled, forbid), Kind(9, always, effect),
    Kind(2, lambda walk: len(walk.playing()) > 2 or (len(walk.playing()) > 1 and walk.chance(20)), leave),
    Kind(4, lambda walk: bool(walk.ids(controller=None)), settle),
    Kind(9, lambda walk: walk.state["due"] and peopled(walk), meanwhile), Kind(9, somebody_waits, leave_what_waits),
    Kind(12, lambda walk: not walk.state["ended"] or walk.chance(20), wild, action=False),
    Kind(2, with_acts, note, action=False), Kind(2, with_acts, call, action=False),
    Kind(4, open_disputes, speak, action=False), Kind(1, lambda walk: walk.chance(50), restart),
    Kind(1, lambda walk: walk.chance(50), end), Kind(5, always, claim_designation, action=False),
    Kind(4, lambda walk: bool(walk.ids(face_down=False)), claim_face, action=False),
    Kind(4, in_turn, claim_tally, action=False), Kind(4, lambda walk: walk.judged, rule, action=False),
    Kind(4, lambda walk: walk.judged or walk.state["ended"], back_up, action=False),
]  # fmt: skip


def go(walk: Walk, length: int) -> Walk:
    """Add moves until the record has `length` events; it may have a few more."""
    begin(walk)
    while len(walk.events) < length:
        legal = [kind for kind in KINDS if (not kind.action or not walk.state["ended"]) and kind.legal(walk)]
        chosen = walk.chooser.number(0, sum(kind.weight for kind in legal) - 1)
        for kind in legal:
            chosen -= kind.weight
            if chosen < 0:
                kind.make(walk)
                break
    return walk


def walked_anew(seed: int, length: int, newest: bool = False) -> list[Event]:
    """A legal record of `length` events without disputes and notes, always the same for a seed.

    With `newest` it names no edition, so the default applies, and its events can be appended to another such record.
    """
    return go(Walk(SeededChooser(seed), acts=False, newest=newest), length).events[:length]


@cache
def _written(seed: int, length: int, newest: bool) -> str:
    return json.dumps(walked_anew(seed, length, newest))


def random_walk(seed: int, length: int, newest: bool = False) -> list[Event]:
    """The record of `walked_anew`, cached, because many tests use the same records."""
    walked: list[Event] = json.loads(_written(seed, length, newest))
    return walked


def random_tries(seed: int, length: int) -> tuple[list[Event], Refusals]:
    """A record with disputes and notes, and the refused events, each with the number of events before it."""
    walk = go(Walk(SeededChooser(seed)), length)
    return walk.events, walk.refused


@st.composite
def walks(draw: Callable[[st.SearchStrategy[Any]], Any], length: int = 40) -> list[Event]:
    """A strategy for legal records of at most `length` events."""
    events: list[Event] = draw(tries(length))[0]
    return events[:length]


@st.composite
def tries(draw: Callable[[st.SearchStrategy[Any]], Any], length: int = 40) -> tuple[list[Event], Refusals]:
    """A strategy for pairs of a legal record, of `length` or a few more events at most, and its refused events."""
    chooser = DrawnChooser(draw)
    walk = go(Walk(chooser), chooser.number(2, length))
    return walk.events, walk.refused
