"""A state with its place in the record as bytes, so that a record goes on from there without all that came before.

A snapshot is JSON of one shape, written one way: thawing takes only bytes that freezing could have written. It has the
version of the mechanic, the number of the event, which events stand, and the state as the mechanic freezes it. A few,
the full ones, also have what the mechanic remembers.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from daynight.framework.history import State
from daynight.framework.language.errors import RecordError
from daynight.framework.language.kinds import Number
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.framework.standing import Standing
from daynight.store.errors import DamagedError

SIZE = 2**23
"""The most bytes a snapshot may have. Where `freeze` answers more, keep none: the record leads there too."""

S = TypeVar("S", bound=State)


class OutdatedError(Exception):
    """A snapshot that another version of the mechanic took: it may have led elsewhere, so it is ignored."""


class _Version(Struct):
    """The version alone, which is read before anything else of a snapshot."""

    rules: Number


class _Snapshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it; `standing` has the bounds of what stands."""

    rules: Number
    remembered: msgspec.Raw | UnsetType = UNSET
    event: Number
    standing: tuple[Number, ...]
    state: msgspec.Raw


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Snapshot)
_VERSION = msgspec.json.Decoder(_Version)


def is_full_due(before: int, number: int, interval: int) -> bool:
    """Whether the snapshot at event `number` is to be a full one, where the last was looked for at event `before`.

    From one to the next a game grows by a sixty-fourth to a thirty-second. So few events lie behind the last, and all
    of them take as many bytes as a fixed number of the last.
    """
    spacing = interval << max((number // (interval * 32)).bit_length() - 1, 0)
    return number // spacing > before // spacing


def beginning(mechanic: Mechanic[Any, Any, Any]) -> bytes:
    """How a full snapshot begins."""
    return b'{"rules":%d,"remembered":' % mechanic.version


def freeze(mechanic: Mechanic[S, Any, Any], number: int, state: S, standing: Standing, *, full: bool = False) -> bytes:
    """The snapshot of the state after event `number`: always the same bytes; none where the mechanic freezes none.

    A `full` one is of a state that remembers all.
    """
    if mechanic.freeze is None or mechanic.thaw is None:
        return b""
    remembered = msgspec.Raw(mechanic.remember(state)) if full and mechanic.remember is not None else UNSET
    return _ENCODER.encode(
        _Snapshot(
            rules=mechanic.version, remembered=remembered, event=number, standing=standing.bounds,
            state=msgspec.Raw(mechanic.freeze(state)),
        )
    )  # fmt: skip


def is_full(mechanic: Mechanic[Any, Any, Any], data: bytes) -> bool:
    """Whether a snapshot, of these rules, is a full one."""
    return data.startswith(beginning(mechanic))


def bare(data: bytes) -> bytes:
    """A snapshot without what is remembered, as it would be if it were no full one."""
    return _ENCODER.encode(replace(_DECODER.decode(data), remembered=UNSET))


def thaw(mechanic: Mechanic[S, Any, Any], data: bytes, *, recalls: bool = False) -> tuple[int, S, Standing]:
    """The number of a snapshot's event, the state after it, and which events stand.

    Of a full one the state remembers all where it `recalls`; else what is remembered is not looked at.

    Raises:
        OutdatedError: where another version of the mechanic took it, or the mechanic takes none.
        DamagedError: where `freeze` cannot have written it.
    """
    if len(data) > SIZE:
        _refuse(_("more than {most} bytes").format(most=SIZE))
    if mechanic.thaw is None:
        raise OutdatedError
    try:
        if not data.startswith(b'{"rules":%d,' % mechanic.version):
            version = _VERSION.decode(data).rules
            if version != mechanic.version:
                ours = mechanic.version
                raise OutdatedError(_("taken by rules {found}; these are {ours}").format(found=version, ours=ours))
        snapshot = _DECODER.decode(data)
        standing = Standing.restored(snapshot.standing)
        if snapshot.standing[-1] > max(snapshot.event, 1):
            raise ValueError(_("an event that is not there"))
        state = mechanic.thaw(bytes(snapshot.state))
        remembered = snapshot.remembered
        if remembered is not UNSET:
            if mechanic.remember is None or mechanic.recall is None:
                raise ValueError(_("more than the mechanic remembers"))
            if recalls:
                mechanic.recall(state, bytes(remembered))
                remembered = msgspec.Raw(mechanic.remember(state))
    except (msgspec.MsgspecError, RecordError, ValueError) as error:
        _refuse(str(error))
    except RecursionError:
        _refuse(_("nested too deep"))
    written = msgspec.Raw(mechanic.freeze(state)) if mechanic.freeze is not None else msgspec.Raw()
    if _ENCODER.encode(replace(snapshot, state=written, remembered=remembered)) != data:
        _refuse(_("written otherwise than daynight writes it"))
    return snapshot.event, state, standing


def _refuse(reason: str) -> NoReturn:
    raise DamagedError(_("a damaged snapshot: {reason}").format(reason=reason)) from None
