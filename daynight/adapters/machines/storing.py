"""A store of daynight that keeps what a machine does."""

from __future__ import annotations

from typing import Any

from daynight.adapters.errors import AdoptedError
from daynight.framework.language.grammar import first_of
from daynight.framework.language.wording import _
from daynight.machine.addresses import without_password


def opened(place: Any, mechanic: Any) -> Any:
    """Open a store at a place for a new recording.

    Raises:
        AdoptedError: where it holds records already.
    """
    from daynight.store import Store

    store = Store.open(place, mechanic=mechanic)
    if known := [name for name, _last in store.games()]:
        store.close()
        sentence = _("{place} holds records already, of {names}; give another place to each recording")
        raise AdoptedError(sentence.format(place=without_password(str(place)), names=first_of(known, _LISTED)))
    return store


_LISTED = 5
"""The most names of records that a refusal has."""
