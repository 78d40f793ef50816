"""A view of the lamps' presses, for the tests of views."""

from typing import Any, NamedTuple

from daynight.framework.folding.moment import Moment
from daynight.games import Store
from daynight.store.database.settings import Settings
from daynight.store.views import View
from tests.store.lamp import LAMP, Pressed


class Presses(NamedTuple):
    presses: int = 0
    dims: int = 0
    last: str | None = None


def fold(value: Presses, moment: Moment[Any, Any], state: Any) -> Presses:
    if moment.restores is not None:
        return value._replace(dims=value.dims + 1)
    if isinstance(moment.event, Pressed):
        assert moment.consequences[0].on is state.on
        return value._replace(presses=value.presses + 1, last=moment.event.by)
    return value


COLUMNS: dict[str, type] = {"presses": int, "dims": int, "last": str}
TABLE = "daynight_view_presses"


def opened(store: Store, version: int = 1) -> View:
    return store.view("presses", Presses, fold, columns=COLUMNS, version=version)


def lamps(place: Settings) -> Store:
    return Store(place, mechanic=LAMP)


def raw(store: Store) -> list[tuple[Any, ...]]:
    """The rows as stored in the database."""
    return sorted(tuple(row) for row in store.recorder.select(f"SELECT * FROM {TABLE}"))


def wanted(store: Store, name: str) -> tuple[Any, ...]:
    """The expected row of a record, folded in memory."""
    record = store.load(name)
    values = [Presses()]
    for moment, state in record.walk():
        values.append(fold(values[-1 if moment.restores is None else moment.restores], moment, state))
    return (name, len(record), *values[-1])
