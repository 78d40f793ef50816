"""Rebuilds aggregates twice and compares, to find code that depends on the clock, on random numbers or on hash order.

The second time is in another process, which has its own imports, another seed of hashes, and a clock that is 400 days
ahead. Code that reads the clock or a random number during a replay gives another result there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from daynight.adapters.errors import AdoptedError
from daynight.framework.language.errors import DaynightError
from daynight.framework.language.wording import _

DAYS = 400
"""How many days the clock of the second process is ahead."""


ENDS = ""
"""The `part` of a `Differs` that tells where or why the rebuilds stop: empty, because no attribute's name is."""


class Asked(msgspec.Struct, frozen=True):
    """The request to the second process: an application and options of `adopt`, as texts.

    `ids` are the aggregates to rebuild, `folder` has the modules to import; if `shifted`, its clock is ahead.
    """

    application: str
    db: str
    also: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    project: str | None = None
    ids: tuple[str, ...] = ()
    folder: str | None = None
    shifted: bool = True
    key: bytes = b""
    """The key with which both processes make the marks of hidden values: marks are compared, not the values."""


class Differs(NamedTuple):
    """The first event after which the attribute `part` differs: its value here, and in the other process."""

    id: str
    event: int
    part: str
    left: Any
    right: Any

    def document(self) -> dict[str, Any]:
        """Return the difference as JSON."""
        return self._asdict()


class Rebuilt(msgspec.Struct, frozen=True):
    """An aggregate as one process rebuilt it: each change as event number, attribute, and list of value and mark.

    `stops` is the reason why the rebuild ends early, or the state is lost, and `at` the number of the event there; else
    None and 0.
    """

    id: str
    changes: list[tuple[int, str, Any]]
    stops: str | None = None
    at: int = 0
    failed: str | None = None
    """Why the process ended early: only its last message has this; None in all others."""


def rebuilt(adopted: Any, ids: Sequence[str]) -> Iterator[Rebuilt]:
    """Yield the aggregates of an application as its code rebuilds them: those with these `ids`; all if it is empty."""
    for id in ids or (one.id for one in adopted.listed()):
        record = adopted.record(id)
        changes: list[tuple[int, str, Any]] = []
        lost = 0
        for moment, life in record.walk(whole=True):
            changes += [(one.event, one.part, _compared(life, one)) for one in moment.consequences]
            if life.lost is not None:
                lost = lost or moment.number
        stops = record.stops
        if lost:
            # From here on the state is not known, so no attribute of it differs.
            yield Rebuilt(record.id, changes, record.lost, lost)
        else:
            yield Rebuilt(
                record.id, changes, None if stops is None else stops.sentence, 0 if stops is None else stops.event
            )


def _compared(life: Any, change: Any) -> list[Any]:
    """Return a list: the new value of an attribute as it is shown, and its mark (None if no part of it is hidden)."""
    from daynight.adapters.values import plain

    mark = life.marks.get(change.part)
    return [plain(change.became), None if mark is None else mark.hidden]


def compared(adopted: Any, asked: Asked) -> Iterator[list[Differs]]:
    """Rebuild aggregates here and in another process; yield for each aggregate the list of its differences.

    The list has for each attribute that differs the first event after which it does. If the two rebuilds stop at
    different events, or for different reasons, the last difference has the `part` `ENDS`, and as values the reasons:
    None for a rebuild that goes on.

    Raises:
        AdoptedError: where the other process cannot adopt its application, or ends early.
    """
    # Here it begins before the other process, and ends after it: so what is put beside a file is taken away here.
    with adopted.rows.held():
        yield from _compared_with(_started(asked), adopted, asked.ids)


def _compared_with(other: subprocess.Popen[bytes], adopted: Any, ids: Sequence[str]) -> Iterator[list[Differs]]:
    assert other.stdout is not None
    try:
        decoder = msgspec.json.Decoder(Rebuilt)
        for left, line in zip_longest(rebuilt(adopted, ids), other.stdout):
            if left is None:
                break
            right = decoder.decode(line) if line else None
            if right is None or right.failed is not None:
                ended = _("the other process ended before it had rebuilt everything")
                raise AdoptedError(ended if right is None else right.failed or ended)
            yield _differs(left, right)
    finally:
        other.stdout.close()
        other.wait()


def _differs(left: Rebuilt, right: Rebuilt) -> list[Differs]:
    """Return a `Differs` for each attribute that differs: of the first event after which it does; `ENDS` comes last."""
    mine, theirs = _table(left), _table(right)
    stopped = min([it.at for it in (left, right) if it.stops is not None], default=None)
    found: dict[str, Differs] = {}
    was: dict[str, tuple[list[Any], list[Any]]] = {}
    for number, part in sorted(mine.keys() | theirs.keys(), key=lambda key: key[0]):
        if stopped is not None and stopped <= number:
            break
        before = was.get(part, (NOTHING, NOTHING))
        key = number, part
        was[part] = one, other = mine.get(key, before[0]), theirs.get(key, before[1])
        if one != other and part not in found:
            found[part] = Differs(left.id, number, part, one[0], other[0])
    if stopped is not None and (left.stops, left.at) != (right.stops, right.at):
        # Of two that stop at different events, the one that stops later still goes on at the first of these events.
        reasons = [one.stops if one.at == stopped else None for one in (left, right)]
        found[ENDS] = Differs(left.id, stopped, ENDS, *reasons)
    return [*found.values()]


NOTHING: list[Any] = [None, None]
"""What is compared for an attribute that the aggregate does not have: no value, and no mark."""


def _table(one: Rebuilt) -> dict[tuple[int, str], list[Any]]:
    return {(number, part): value for number, part, value in one.changes}


def _started(asked: Asked) -> subprocess.Popen[bytes]:
    paths = [one for one in (asked.folder, *sys.path) if one is not None]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "1" if _seed() == "0" else "0",
    }  # fmt: skip
    # With -P this folder is not looked through first: the other application may have modules of the same names.
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", "from daynight.adapters.checking import main; main()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode(asked))
    process.stdin.close()
    return process


def _seed() -> str:
    return os.environ.get("PYTHONHASHSEED", "random")


def main() -> None:
    """Rebuild the aggregates that the `Asked` on standard input names; print each `Rebuilt` as a line of JSON."""
    given: Mapping[str, Any] = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr
    if given["shifted"]:
        # What is compiled looks at the size of the classes, and says that those of `shift` are larger.
        warnings.filterwarnings("ignore", message=r"datetime\.\w+ size changed")
        shift()
    from daynight.adapters.eventsourcing import adopt

    def say(one: Rebuilt) -> None:
        print(msgspec.json.encode(one).decode(), file=out, flush=True)

    try:
        adopted = adopt(
            given["application"], given["db"], also=given["also"], project=given["project"], hide=given["hide"],
            key=b64decode(given["key"]),
        )  # fmt: skip
        for one in rebuilt(adopted, given["ids"]):
            say(one)
    except DaynightError as error:
        say(Rebuilt("", [], failed=str(error)))


def shift() -> None:
    """Set the clock of this process 400 days ahead, for all modules imported from now on.

    The classes of `datetime` cannot be changed, so other classes replace them.
    """
    import datetime
    import time

    ahead = DAYS * 86_400
    own = time.time, time.time_ns
    time.time = lambda: own[0]() + ahead
    time.time_ns = lambda: own[1]() + ahead * 10**9
    local, utc = time.localtime, time.gmtime
    time.localtime = lambda seconds=None: local(time.time() if seconds is None else seconds)
    time.gmtime = lambda seconds=None: utc(time.time() if seconds is None else seconds)

    zone, moment, day = datetime.UTC, datetime.datetime, datetime.date

    class Alike(type):
        """The metaclass of both: `isinstance` accepts the real datetimes and dates, too, which earlier modules make."""

        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, moment if cls.__name__ == "datetime" else day)

    class Later(datetime.datetime, metaclass=Alike):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(time.time(), zone).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    class LaterDate(datetime.date, metaclass=Alike):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(time.time())

    Later.__name__ = Later.__qualname__ = "datetime"
    LaterDate.__name__ = LaterDate.__qualname__ = "date"
    datetime.datetime, datetime.date = Later, LaterDate  # type: ignore[misc]
