"""Helps the command line and the server to append acts (events of a dispute), and shows them as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, cast

from daynight.disputes.docket import Docket, Stage
from daynight.events import Designation, DisputeAct, Event, GameBackedUp, JudgeRuled
from daynight.events.disputes import DisputeOpened, DisputeRuled, Outcome
from daynight.framework.language.happening import tag_of
from daynight.keeping.appending import Added
from daynight.referee.documents import consequence_document


def opened_as(docket: Docket, same: Sequence[Event] = ()) -> str:
    """Return a free name for a new dispute (d1, d2, ...), or the name of the dispute that `same` opens.

    `same` are the events that an earlier call of the same command stored.
    """
    if same and isinstance(same[0], DisputeOpened):
        return same[0].dispute
    return next(name for name in (f"d{number}" for number in count(len(docket) + 1)) if name not in docket)


def closed_with(docket: Docket, dispute: str) -> Outcome:
    """Return the last outcome ruled in a dispute, with which it is closed; `leave` if nothing was ruled."""
    ruled = {one: last for one, _stage, last in docket.rows}
    return cast("Outcome | None", ruled.get(dispute)) or "leave"


def carried_out(ruled: DisputeRuled) -> list[Event]:
    """Return a list with the back-up or the ruling on day and night that `ruled` orders; an empty one for neither."""
    if ruled.to is not None:
        return [GameBackedUp(to=ruled.to, by=ruled.by, at=ruled.at)]
    if isinstance(ruled.designation, Designation):
        return [JudgeRuled(designation=ruled.designation, by=ruled.by, at=ruled.at)]
    return []


def act_document(kept: Added) -> dict[str, Any]:
    """Return an appended act as JSON: game, dispute, its status, and each new event's number, type and consequences."""
    game = kept.game
    event = cast("DisputeAct", game.events[kept.first - 1])
    stages = {id: Stage(stage) for id, stage, _ruled in Docket.of(game.events[: kept.last]).rows}
    events = [
        {
            "event": moment.number,
            "type": tag_of(type(moment.event)),
            "consequences": [consequence_document(each, game.edition) for each in moment.consequences],
        }
        for moment in game.moments(kept.first - 1)
        if moment.number <= kept.last
    ]
    return {
        "game": game.state.game,
        "dispute": event.dispute,
        "status": stages[event.dispute].status,
        "events": events,
        "command": kept.command,
        "repeated": kept.repeated,
    }
