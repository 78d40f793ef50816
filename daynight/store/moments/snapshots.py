"""A state with its place in the record as bytes, so that a record goes on from there without all that came before.

A snapshot is JSON of one shape, written one way: thawing takes only bytes that freezing could have written. It has the
version of the mechanic, the number of the event, which events stand, and the state as the mechanic freezes it.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct

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


class _Snapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """All of it; `standing` has the bounds of what stands."""

    rules: Number
    event: Number
    standing: tuple[Number, ...]
    state: msgspec.Raw


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Snapshot)
_VERSION = msgspec.json.Decoder(_Version)


def freeze(mechanic: Mechanic[S, Any, Any], number: int, state: S, standing: Standing) -> bytes:
    """The snapshot of the state after event `number`: always the same bytes; none where the mechanic freezes none."""
    if mechanic.freeze is None or mechanic.thaw is None:
        return b""
    raw = msgspec.Raw(mechanic.freeze(state))
    return _ENCODER.encode(_Snapshot(mechanic.version, number, standing.bounds, raw))


def thaw(mechanic: Mechanic[S, Any, Any], data: bytes) -> tuple[int, S, Standing]:
    """The number of a snapshot's event, the state after it, and which events stand.

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
    except (msgspec.MsgspecError, RecordError, ValueError) as error:
        _refuse(str(error))
    except RecursionError:
        _refuse(_("nested too deep"))
    if freeze(mechanic, snapshot.event, state, standing) != data:
        _refuse(_("written otherwise than daynight writes it"))
    return snapshot.event, state, standing


def _refuse(reason: str) -> NoReturn:
    raise DamagedError(_("a damaged snapshot: {reason}").format(reason=reason)) from None
