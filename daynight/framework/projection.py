"""Projections: views folded from moments, right after backing up too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from daynight.framework.history import Moment


class Projection(Protocol):
    """What `project` asks of a view: the same view one moment later, as a new value."""

    def fold(self: P, moment: Moment[Any, Any]) -> P: ...  # noqa: D102


P = TypeVar("P", bound=Projection)


def project(moments: Iterable[Moment[Any, Any]], view: P) -> P:
    """Fold moments into a view. A moment that backs up restores the view as it was after the event it goes to."""
    after = [view]
    for moment in moments:
        if moment.restores is not None:
            view = after[moment.restores]
        view = view.fold(moment)
        after.append(view)
    return view
