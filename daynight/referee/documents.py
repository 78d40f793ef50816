"""Builds the JSON documents that commands print with `--json`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from daynight.events import Caused, Changed, Consequence, Designation, Triggered
from daynight.framework.language.codec import document_of
from daynight.projections.battlefield import Status
from daynight.projections.tallies import Tally
from daynight.referee.state import State
from daynight.rules.citations import POLICY, cited


def policy() -> dict[str, str]:
    """Return the tournament rule for cases where nobody can tell (see `offered`), and its designation, night."""
    return {"rule": POLICY, "designation": Designation.NIGHT.value}


def offered(possible: Collection[Designation]) -> bool:
    """Return whether the tournament rule (`policy`) applies: several designations are possible, night among them."""
    return len(possible) > 1 and Designation.NIGHT in possible


def count_document(least: int, most: int | None) -> int | dict[str, int | None]:
    """Return a number of spells, or its bounds if the exact number is unknown."""
    return least if least == most else {"at_least": least, "at_most": most}


def change_document(change: Changed, edition: str) -> dict[str, Any]:
    """Return a change of the designation as a document."""
    names = "event turn was became rule cr because"
    return document_of(change, names, cr=cited(change.rule, edition)) | _marks(change)


_OURS = ("controller", "uncounted")
"""The fields of consequences that only rules and sentences use. Documents leave them out."""


def consequence_document(consequence: Consequence, edition: str) -> dict[str, Any]:
    """Return a consequence as a document; `type` names its kind: changed, transformed, refused, ..."""
    kind = {"type": consequence.type}
    if isinstance(consequence, Changed):
        return kind | change_document(consequence, edition)
    found: dict[str, Any] = msgspec.to_builtins(consequence)
    own = {name: value for name, value in found.items() if name not in (*Caused.__struct_fields__, *_OURS)}
    shared = {"rule": consequence.rule, "cr": cited(consequence.rule, edition), "because": list(consequence.because)}
    return kind | {"event": consequence.event} | own | shared | _marks(consequence)


def state_document(state: State, edition: str) -> dict[str, Any]:
    """Return a state with all changes and triggers so far. Rule numbers are those of the given edition."""
    return now_document(state) | {
        "changes": [change_document(change, edition) for change in state.timeline.changes],
        "triggers": [_trigger_document(state, trigger, edition) for trigger in state.triggers.triggered],
    }


def now_document(state: State) -> dict[str, Any]:
    """Return a state without the changes and triggers that led to it."""
    previous = state.tallies.previous
    document = document_of(state, "game event turn active step designation possible")
    if offered(state.possible):
        document["policy"] = policy()
    document |= {
        "tallies": {
            "previous": None if previous is None or previous.unknown else _tally_document(state, previous),
            "current": _tally_document(state, state.tallies.current or Tally(0, (), 0)),
        },
        "battlefield": [_permanent_document(state, status) for status in state.battlefield],
    }
    return document


def _tally_document(state: State, tally: Tally) -> dict[str, Any]:
    return {
        "active": list(tally.active),
        "spells": {player: count_document(*tally.range(player)) for player in state.players},
    }


def _permanent_document(state: State, status: Status) -> dict[str, Any]:
    face = state.face(status.id)
    backs = state.possibilities[0].backs
    certain = face is not None
    return {
        "permanent": status.id,
        "card": status.permanent.card,
        "name": status.name(backs) if certain and not status.face_down else None,
        "controller": status.controller,
        "face": None if face is None else face.value,
        "face_down": status.face_down,
        "phased_in": status.phased_in,
        "keywords": (list(status.shows(backs).keywords) if status.acts else []) if certain else None,
    }


def _trigger_document(state: State, trigger: Triggered, edition: str) -> dict[str, Any]:
    names = "event turn permanent was became rule cr because stacked"
    certain = {} if trigger.certain else {"certain": False}
    return document_of(trigger, names, cr=cited(trigger.rule, edition)) | certain


def _marks(consequence: Consequence) -> dict[str, bool]:
    certain = {} if consequence.certain else {"certain": False}
    return certain | ({"implied": True} if consequence.implied else {})
