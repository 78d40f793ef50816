"""Disputes and notes as a mechanic: kept beside a game in the same record, never read by its rules."""

from __future__ import annotations

import msgspec

from daynight.disputes.docket import Docket
from daynight.events import Consequence, DisputeClosed, DisputeOpened, DisputeRuled, Event, NoteAdded, OfTheRecord
from daynight.events.language import LANGUAGE
from daynight.framework.beside import Pair, beside
from daynight.framework.language.kinds import Name
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Mechanic
from daynight.referee.mechanic import DAYNIGHT
from daynight.referee.referee import restores
from daynight.referee.state import State


def _step(docket: Docket, event: OfTheRecord, number: int) -> tuple[()]:
    docket.take(event, number, docket.stands)
    return ()


def _freeze(docket: Docket) -> bytes:
    return msgspec.json.encode(docket.rows)


def _thaw(data: bytes) -> Docket:
    return Docket.restored(msgspec.json.decode(data, type=tuple[tuple[Name, Name, Name | None], ...]))


DISPUTES: Mechanic[Docket, OfTheRecord, Consequence] = Mechanic(
    name="disputes",
    language=Language(OfTheRecord),
    start=Docket,
    step=_step,
    names={DisputeOpened: ("about",), NoteAdded: ("about",), DisputeRuled: ("to",)},
    before={DisputeOpened: "about", NoteAdded: "about"},
    seals={DisputeRuled: "after", DisputeClosed: "after"},
    freeze=_freeze,
    thaw=_thaw,
)
"""The second mechanic."""


def _passed(state: State, number: int) -> None:
    state.event = number


def _tell(docket: Docket, pair: Pair[State, Docket]) -> None:
    docket.stands = pair.standing.stands


GAME: Mechanic[Pair[State, Docket], Event, Consequence] = beside(
    DAYNIGHT, DISPUTES, language=LANGUAGE, passed=_passed, tell=_tell, restores=restores
)
"""A game and its disputes in one record."""
