"""A projection: a value folded from the moments of a record, in memory or in a view of a store.

It is two functions. `start()` is the value before event 1. `fold(value, moment, state)` returns the value after a
moment, given the state after it; it must not change the old value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from daynight.framework.folding.fold import Fold, Watched
from daynight.framework.folding.moment import Moment
from daynight.framework.joining import through
from daynight.framework.language.errors import DaynightError, failed
from daynight.framework.mechanic import Mechanic

V = TypeVar("V")


class Valued(Generic[V]):
    """A state of a mechanic, with the value of a projection after the same event."""

    __slots__ = ("state", "value")

    def __init__(self, state: Any, value: V) -> None:
        self.state = state
        self.value = value

    def copy(self) -> Valued[V]:
        """Copy the state; the value is shared, for a fold never changes it."""
        return Valued(self.state.copy(), self.value)


class Projectable(Protocol):
    """The members that `project` needs of a record in memory."""

    @property
    def mechanic(self) -> Mechanic[Any, Any, Any]: ...  # noqa: D102

    @property
    def events(self) -> Sequence[Any]: ...  # noqa: D102


def project(record: Projectable, start: Callable[[], V], fold: Callable[[V, Moment[Any, Any], Any], V]) -> V:
    """Fold a record into a value, as a view of a store does with the same two functions.

    At a back-up, `fold` gets the value after the event that the back-up returns to.
    """
    restores = record.mechanic.restores
    keep = {to for event in record.events if (to := restores(event)) is not None}
    folding: Fold[Valued[V], Any, Any] = Fold(Watched(folded(record.mechanic, start, fold)), keep=keep)
    folding.over(record.events)
    return folding.whole.value


def folded(
    mechanic: Mechanic[Any, Any, Any], start: Callable[[], V], fold: Callable[[V, Moment[Any, Any], Any], V],
    name: str = "a projection",
) -> Mechanic[Valued[V], Any, Any]:  # fmt: skip
    """Return a mechanic whose state also holds the value of a projection; its `shown` returns this value.

    If `start` or `fold` fails, the `MechanicError` names the projection by `name`.
    """

    def begin() -> Valued[V]:
        try:
            return Valued(mechanic.start(), start())
        except DaynightError:
            raise
        except Exception as error:
            raise failed(f"start of {name}", error) from error

    def step(valued: Valued[V], event: Any, number: int) -> Sequence[Any]:
        consequences = tuple(mechanic.step(valued.state, event, number))
        moment = Moment(number, event, consequences, mechanic.restores(event))
        try:
            valued.value = fold(valued.value, moment, mechanic.shown(valued.state))
        except DaynightError:
            raise
        except Exception as error:
            raise failed(f"fold of {name}, event {number} ({type(event).__name__})", error, number) from error
        return consequences

    return replace(
        through(mechanic, attrgetter("state"), lambda valued, state: Valued(state, valued.value)),
        start=begin,
        step=step,
        run=None,
        remember=None,
        recall=None,
        shown=lambda valued: valued.value,
        restored=lambda now, then: Valued(mechanic.restored(now.state, then.state), then.value),
    )
