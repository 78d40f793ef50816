"""The limits of the server as one value, so that a test can use lower ones."""

from __future__ import annotations

from msgspec import Struct

KIB, MIB = 2**10, 2**20


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of the server; `GET /v1` shows them under these names.

    In bytes: `address` is the longest path with its query, `head` the longest head of a request, `body` the largest
    body of a write, `upload` the largest upload as it is sent, `unpacked` the same unpacked, and `listener_bytes` the
    memory that a listener may take. In seconds: `upload_seconds` to receive an upload, and again to store it,
    `idle_seconds` without a request, `stalled_seconds` without reading, `head_seconds` until a head, or a body that is
    no upload, is complete, `computation_seconds` for one computation. `query` is in characters, of one parameter.

    In numbers: `events` of a command, `edits` of a what-if. At the same time: `uploads`, `computations`, `listeners`,
    and `listeners_key` of one key; `connections`, and `connections_address` of one address that is not this machine's.
    Per key and second: `requests` and `writes`; after a pause, as many as their bursts.
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
    connections: int = 2000
    connections_address: int = 200
    head_seconds: float = 60
    query: int = 1000
    computation_seconds: float = 10
    computations: int = 2
    listener_bytes: int = 256 * KIB
