"""Disputes and notes as a mechanic: stored in the same record as a game, never read by the game's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from daynight.disputes.docket import Docket
from daynight.disputes.hearings import Heard, Hearings
from daynight.events import Consequence, Event, OfTheRecord, disputes
from daynight.events.language import LANGUAGE
from daynight.framework.joining import Pair, beside
from daynight.framework.language.kinds import Name
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Derived, Mechanic, Part, Said
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.referee import restores
from daynight.referee.state import State


def _step(docket: Docket, event: OfTheRecord, number: int) -> tuple[()]:
    docket.take(event, number, docket.stands)
    return ()


_ROWS = msgspec.json.Decoder(tuple[tuple[Name, Name, Name | None], ...])


def _stage(docket: Docket, dispute: str) -> Derived | None:
    found = docket.get(dispute)
    return None if found is None else Derived((found[0],))


def _outcome(docket: Docket, dispute: str) -> Derived | None:
    found = docket.get(dispute)
    return None if found is None or found[1] is None else Derived((found[1],))


def _concludes(events: Sequence[Event]) -> Iterator[tuple[int, Said]]:
    """Return (number, claim) for each dispute whose last ruling makes a claim: see `Hearing.ruled`."""
    hearings = Hearings()
    for number, event in enumerate(events, 1):
        if isinstance(event, Heard):
            hearings.take(event, number)
    return (said for hearing in hearings for said in hearing.ruled)


DISPUTES: Mechanic[Docket, OfTheRecord, Consequence] = Mechanic(
    name="disputes",
    language=Language(OfTheRecord),
    start=Docket,
    step=_step,
    parts={
        "stage": Part(_stage, iter, rests=Docket.get),
        "outcome": Part(_outcome, iter, rests=Docket.get),
    },
    concludes=_concludes,
    names={disputes.DisputeOpened: ("about",), disputes.NoteAdded: ("about",), disputes.DisputeRuled: ("to",)},
    before={disputes.DisputeOpened: "about", disputes.NoteAdded: "about"},
    seals={disputes.DisputeRuled: "after", disputes.DisputeClosed: "after"},
    freeze=lambda docket: msgspec.json.encode(docket.rows),
    thaw=lambda data: Docket.restored(_ROWS.decode(data)),
)
"""The mechanic of disputes: its parts are the stage of each dispute (`stage`) and its last ruling (`outcome`)."""


def _passed(state: State, number: int) -> None:
    state.event = number


def _tell(docket: Docket, pair: Pair[State, Docket]) -> None:
    docket.stands = pair.standing.stands


# Of the pair, people see the game's state alone.
GAME: Mechanic[Any, Event, Consequence] = beside(
    DAYNIGHT, DISPUTES, name="daynight", language=LANGUAGE, passed=_passed, tell=_tell, restores=restores
)
"""A game and its disputes in one record. A store that is opened without a mechanic uses this one."""
