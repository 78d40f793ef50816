"""A plugin of pytest that records every machine of `transitions` that tests make, and replays what it recorded.

`pytest -p tests.adapters.recording` writes JSON to the file that the variable RECORDED names: for each result of
`_replayed`, such as "alike", how many records have it.
"""

import json
import os
from collections import Counter
from functools import wraps
from typing import Any

from transitions import Machine
from transitions.extensions.nesting import HierarchicalMachine

from daynight.adapters.machines.hooks import RECORDING
from daynight.adapters.machines.shadow import Shadow
from daynight.adapters.transitions import MachineRecord

RECORDS: list[MachineRecord] = []
_MAKING: set[int] = set()


def _recording(inner: Any) -> Any:
    @wraps(inner)
    def init(self: Any, *args: Any, **named: Any) -> None:
        # A class's own begins by that of its base; and a machine without callbacks is made for each record.
        outermost = not _MAKING
        _MAKING.add(id(self))
        try:
            inner(self, *args, **named)
            if outermost and not any(kind.__name__ == "AsyncMachine" for kind in type(self).__mro__):
                record = MachineRecord(self, (), None)
                RECORDING.begin(record)
                RECORDS.append(record)
        finally:
            if outermost:
                _MAKING.clear()

    return init


def _unrecorded(inner: Any) -> Any:
    @wraps(inner)
    def init(self: Any, *args: Any) -> None:
        # A machine without callbacks, which is made anew where a recorded one is changed.
        outermost = not _MAKING
        _MAKING.add(id(self))
        try:
            inner(self, *args)
        finally:
            if outermost:
                _MAKING.clear()

    return init


Shadow.__init__ = _unrecorded(Shadow.__init__)  # type: ignore[method-assign]
for _kind in (Machine, HierarchicalMachine):
    _kind.__init__ = _recording(_kind.__init__)  # type: ignore[method-assign]


def pytest_unconfigure() -> None:
    """Replay each record that has a trigger, and write how many have each result of `_replayed`."""
    found: Counter[str] = Counter()
    _MAKING.add(0)
    for record in RECORDS:
        for name in record.names:
            if record.size(name) > 1:
                found[_replayed(record, name)] += 1
    with open(os.environ["RECORDED"], "w", encoding="utf-8") as stream:
        json.dump(found, stream)


def _replayed(record: MachineRecord, name: str) -> str:
    """Replay the record `name`; return "alike" if the states are those seen, else "changed" if the machine was changed.

    If neither is so, return the error, or the first state that differs, as text.
    """
    try:
        found = record.of(name)
        wrong = found.audited().disputes
        record.ways(name)
    except Exception as error:
        return "changed" if record.changed else f"{type(error).__name__}: {error}"[:100]
    if not wrong:
        return "alike"
    return "changed" if record.changed else f"another state: {wrong[0].said.value}, {wrong[0].derived}"[:100]
