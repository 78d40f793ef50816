"""The limits of the server as one value, so that a test can serve with lower ones."""

from __future__ import annotations

from msgspec import Struct

KIB, MIB = 2**10, 2**20


class Limits(Struct, frozen=True, kw_only=True):
    """How much the server takes, and for how long; `GET /v1` shows these under these names.

    `address` and `head` are bytes of path and query, and of header lines. `body` is bytes of a write, `events` those of
    a command, `edits` those of a what-if. An `upload` has so many bytes packed, `unpacked` and seconds, and there are
    so many `uploads` at once. `requests` and `writes` are those of a key in a second, beside their bursts. `listeners`
    are all of them, and those of a key. A computation has so many seconds; so many `computations` run at once. A
    listener that never reads costs `listener_bytes`.
    """

    address: int = 8 * KIB
    head: int = 16 * KIB
    body: int = 64 * KIB
    events: int = 64
    edits: int = 64
    upload: int = 64 * MIB
    unpacked: int = 512 * MIB
    upload_seconds: float = 120
    uploads: int = 1
    requests: float = 50
    requests_burst: int = 200
    writes: float = 10
    writes_burst: int = 30
    listeners: int = 1000
    listeners_key: int = 32
    idle_seconds: float = 30
    stalled_seconds: float = 60
    computation_seconds: float = 10
    computations: int = 2
    listener_bytes: int = 256 * KIB
