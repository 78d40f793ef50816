"""Writes the state after an event as bytes, so that a record can continue without its earlier events.

A snapshot is JSON in one canonical form: thawing accepts only bytes that freezing could have written. It has the
version of the mechanic, the number of the event, which events are not undone, and the frozen state. A few snapshots,
the full ones, also have the data that the mechanic remembers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from daynight.framework.folding.marks import spelled
from daynight.framework.folding.moment import Copyable
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import DaynightError, MechanicError, RecordError, failed
from daynight.framework.language.kinds import Number, Version
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.errors import DamagedError

SIZE = 2**23
"""The most bytes of a snapshot. A larger one is not stored; the record can always be replayed instead."""

S = TypeVar("S", bound=Copyable)


class OutdatedError(Exception):
    """A snapshot by another version of the mechanic, whose rules may differ. It is ignored."""


_Numbers: TypeAlias = Number | tuple[Number, ...]


class _Version(Struct):
    """The version of a snapshot, which is read first."""

    rules: _Numbers


class _Snapshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A snapshot. `standing` has the `Standing.bounds` of the events that are not undone.

    `accepted` is the version of the rules that accepted the last event, if the mechanic has a `check` and it is known.
    """

    rules: _Numbers
    remembered: msgspec.Raw | UnsetType = UNSET
    event: Number
    standing: tuple[Number, ...]
    accepted: _Numbers | UnsetType = UNSET
    state: msgspec.Raw


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Snapshot)
_VERSION = msgspec.json.Decoder(_Version)


def is_full_due(before: int, number: int, interval: int) -> bool:
    """Return whether a full snapshot is due at event `number`, if this function was last called at event `before`.

    A game grows by a sixty-fourth to a thirty-second between full snapshots. So a replay from the last one is short,
    and the total size of all is bounded by a multiple of the last one's.
    """
    spacing = interval << max((number // (interval * 32)).bit_length() - 1, 0)
    return number // spacing > before // spacing


def beginning(mechanic: Mechanic[Any, Any, Any]) -> bytes:
    """Return the first bytes of every full snapshot by this version of the mechanic."""
    return b'%b"remembered":' % _beginning(mechanic)


def _beginning(mechanic: Mechanic[Any, Any, Any]) -> bytes:
    return b'{"rules":%b,' % _ENCODER.encode(mechanic.version)


def freeze(
    mechanic: Mechanic[S, Any, Any], number: int, state: S, standing: Standing, rules: Version | None = None, *,
    full: bool = False,
) -> bytes:  # fmt: skip
    """Return the snapshot of a state after event `number`; empty if the mechanic has no `freeze`.

    Equal states give equal bytes. `rules` is the version of the rules that accepted the event. A `full` snapshot needs
    a state that remembers everything.

    Raises:
        MechanicError: where `freeze` or `remember` fails.
    """
    if mechanic.freeze is None or mechanic.thaw is None:
        return b""
    with _calling("freeze", number):
        remembered = msgspec.Raw(mechanic.remember(state)) if full and mechanic.remember is not None else UNSET
        data = msgspec.Raw(mechanic.freeze(state))
    return _ENCODER.encode(
        _Snapshot(
            rules=mechanic.version, remembered=remembered, event=number, standing=standing.bounds,
            accepted=UNSET if rules is None else rules, state=data,
        )
    )  # fmt: skip


def is_full(mechanic: Mechanic[Any, Any, Any], data: bytes) -> bool:
    """Return whether a snapshot of this version is a full snapshot."""
    return data.startswith(beginning(mechanic))


def bare(data: bytes) -> bytes:
    """Return a full snapshot without the data that the mechanic remembers."""
    return _ENCODER.encode(replace(_DECODER.decode(data), remembered=UNSET))


def thaw(
    mechanic: Mechanic[S, Any, Any], data: bytes, *, recalls: bool = False
) -> tuple[int, S, Standing, Version | None]:
    """Return a snapshot's event, the state after it, which events are not undone, and `accepted` (None: unknown).

    With `recalls`, the state of a full snapshot remembers everything; without, that part is not read.

    Raises:
        OutdatedError: where another version of the mechanic took it, or the mechanic has no snapshots.
        DamagedError: where `freeze` cannot have written it.
        MechanicError: where `thaw` or `recall` fails in an unexpected way; this is not damage.
    """
    if len(data) > SIZE:
        _refuse(_("more than {most} bytes").format(most=SIZE))
    try:
        if mechanic.thaw is None:
            raise OutdatedError
        if not data.startswith(_beginning(mechanic)):
            version = _VERSION.decode(data).rules
            if version != mechanic.version:
                sentence = _("taken by rules {found}; these are {ours}")
                raise OutdatedError(sentence.format(found=spelled(version), ours=spelled(mechanic.version)))
        snapshot = _DECODER.decode(data)
        standing = Standing.restored(snapshot.standing)
        if snapshot.standing[-1] > max(snapshot.event, 1):
            raise ValueError(_("an event that is not there"))
        state, remembered = _thawed(mechanic, snapshot, recalls)
    except MechanicError:
        raise
    except (msgspec.MsgspecError, RecordError, ValueError) as error:
        _refuse(str(error))
    except RecursionError:
        _refuse(_("nested too deep"))
    with _calling("freeze", snapshot.event):
        written = msgspec.Raw(mechanic.freeze(state)) if mechanic.freeze is not None else msgspec.Raw()
    if _ENCODER.encode(replace(snapshot, state=written, remembered=remembered)) != data:
        _refuse(_("written otherwise than daynight writes it"))
    return snapshot.event, state, standing, None if snapshot.accepted is UNSET else snapshot.accepted


def _thawed(mechanic: Mechanic[S, Any, Any], snapshot: _Snapshot, recalls: bool) -> tuple[S, msgspec.Raw | UnsetType]:
    """Return the state of a snapshot, and the remembered data in it; UNSET if it has none."""
    if mechanic.thaw is None:
        raise OutdatedError
    remembered = snapshot.remembered
    with _calling("thaw", snapshot.event, passing=(msgspec.MsgspecError, ValueError, RecursionError)):
        state = mechanic.thaw(bytes(snapshot.state))
        if remembered is UNSET:
            return state, UNSET
        if mechanic.remember is None or mechanic.recall is None:
            raise ValueError(_("more than the mechanic remembers"))
        if recalls:
            mechanic.recall(state, bytes(remembered))
            remembered = msgspec.Raw(mechanic.remember(state))
        return state, remembered


@contextmanager
def _calling(name: str, number: int, passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Raise MechanicError, with the function's name and the event, for errors of the block other than `passing`."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (DaynightError, *passing)):
            raise
        raise failed(name, error, number) from error


def _refuse(reason: str) -> NoReturn:
    raise DamagedError(_("a damaged snapshot: {reason}").format(reason=reason)) from None
