"""Writes all changes and triggers of a state as bytes, and reads them back. An ordinary snapshot leaves them out.

They grow with the record, so only a few snapshots have them. Each change or trigger is an array of its fields.
"""

from __future__ import annotations

import msgspec

from daynight.events import Changed, Triggered
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _
from daynight.projections.timeline import Timeline
from daynight.referee.snapshots.shapes import PastChange, PastTrigger, Remembered
from daynight.referee.state import State
from daynight.referee.worlds.triggers import Triggers
from daynight.rules.citations import KEYS

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Remembered)


def remember(state: State) -> bytes:
    """Return all changes and triggers of a state, except waiting triggers, which the snapshot already has."""
    changes = [msgspec.convert(change, PastChange, from_attributes=True) for change in state.timeline.changes]
    triggers = [msgspec.convert(trigger, PastTrigger, from_attributes=True) for trigger in state.triggers.settled]
    return _ENCODER.encode(Remembered(tuple(changes), tuple(triggers)))


def recall(state: State, data: bytes) -> None:
    """Put the changes and triggers of `data` into a thawed state; both must come from the same original state.

    Raises:
        msgspec.MsgspecError, ValueError: where `remember` cannot have written them.
    """
    found = _DECODER.decode(data)
    if forbidden_character(data.decode()) is not None:
        raise ValueError(_("a name with a character that may not stand in one"))
    both = *found.changes, *found.triggers
    if any([one.rule not in KEYS for one in both]):
        raise ValueError(_("a rule that is not there"))
    if any([not 1 <= event <= state.event for one in both for event in (one.event, *one.because)]):
        raise ValueError(_("an event that is not there"))
    state.timeline = Timeline.restored(msgspec.convert(found.changes, tuple[Changed, ...], from_attributes=True))
    triggers = msgspec.convert(found.triggers, tuple[Triggered, ...], from_attributes=True)
    state.triggers = Triggers.restored(triggers, state.triggers.waiting)
