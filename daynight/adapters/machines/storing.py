"""Opens a store of daynight for a recording of a machine, and makes the mechanic that reads stored recordings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transitions import Machine

from daynight.adapters.errors import AdoptedError
from daynight.adapters.machines.shadow import shadow_of
from daynight.adapters.machines.triggers import mechanic_of
from daynight.framework.language.grammar import first_of
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.machine.addresses import without_password


def opened(place: Any, mechanic: Any) -> Any:
    """Open a store at a place for a new recording, and return it.

    Raises:
        AdoptedError: where the store has records already.
    """
    from daynight.store import Store

    store = Store.open(place, mechanic=mechanic)
    if known := [name for name, _last in store.games()]:
        store.close()
        sentence = _("{place} holds records already, of {names}; give another place to each recording")
        raise AdoptedError(sentence.format(place=without_password(str(place)), names=first_of(known, _LISTED)))
    return store


_LISTED = 5
"""The most record names that a refusal lists."""


def machine_mechanic(machine: Machine | None = None, *, facts: Sequence[str] = ()) -> Mechanic[Any, Any, Any]:
    """Return the mechanic that reads the stored recordings of a machine.

    A record contains the states and ways of its machine; a record without them is replayed with those of `machine`.
    `facts` names the recorded facts.
    """
    return mechanic_of([] if machine is None else [shadow_of(machine)], {}, facts)
