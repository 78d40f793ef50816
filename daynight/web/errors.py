"""Problem documents: the answer to a request that is refused or fails, as `application/problem+json`.

A problem has the sentence that the command line prints, and its exit code. `door.denials` takes the paths of the store
and of its key out of the sentence.
"""

from __future__ import annotations

import errno
import logging
import secrets
from collections.abc import Mapping
from typing import Any

from daynight.framework.language.errors import (
    AskedError,
    DaynightError,
    ImpossibleError,
    NotFoundError,
    RecordError,
    tame,
)
from daynight.framework.language.wording import _
from daynight.keeping.private import NotKeptError
from daynight.machine.reasons import reason_of
from daynight.store.errors import (
    ConflictError,
    NotAcceptedError,
    NotReadableError,
    SettingsError,
    StoreError,
    UnavailableError,
)

LOG = logging.getLogger("daynight.web")
"""The log for unexpected errors, for the person who runs the server."""

AGAIN = "1"
"""The value of `Retry-After`: the seconds after which a client may repeat a refused request."""


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
_TOO_MUCH = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})


class Problem(Exception):  # noqa: N818  # it becomes a document, which is called that
    """A refused request: `status` is the HTTP status, `code` a key of `TITLES`, `detail` a sentence for people.

    `exit` is the exit code of a command that fails for the same reason. `line` and `path` are the place of the error in
    the input. `more` has further members of the document, `headers` those of the response.
    """

    def __init__(
        self, status: int, code: str, detail: str, *, exit: int | None = None, line: int | None = None,
        path: str | None = None, headers: Mapping[str, str] | None = None, more: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = tame(detail)
        self.exit = _EXITS.get(code) if exit is None else exit
        self.line = line
        self.path = path
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def given(self) -> dict[str, Any]:
        """Return the arguments of this problem, so that another process can make it again."""
        names = ("status", "code", "detail", "exit", "line", "path", "headers", "more")
        return {name: getattr(self, name) for name in names}

    def document(self) -> dict[str, Any]:
        """Return the problem document."""
        place = {name: value for name, value in (("line", self.line), ("path", self.path)) if value is not None}
        return {
            "type": f"urn:daynight:{self.code}",
            "title": TITLES[self.code],
            "status": self.status,
            "detail": self.detail,
            "exit": self.exit,
            **place,
            **self.more,
        }


_EXITS = {
    "bad-request": 2,
    "bad-json": 2,
    "bad-parameter": 2,
    "no-such-game": 4,
    "no-such-record": 4,
    "no-such-moment": 4,
    "no-such-dispute": 4,
    "no-such-link": 4,
    "no-such-route": 4,
    "game-exists": 5,
    "dispute-closed": 3,
    "unreadable": 3,
    "impossible": 3,
    "command-reused": 5,
    "stale": 5,
    "other-game": 5,
    "not-accepted": 5,
    "store-unavailable": 5,
    "store-damaged": 5,
    "bug": 70,
}


TITLES = {
    "bad-request": "no request that can be read",
    "bad-json": "no JSON that can be read",
    "bad-parameter": "a parameter that is none",
    "no-key": "a key is needed",
    "key-ended": "the key is wrong, or has ended",
    "not-yours": "not yours to do",
    "foreign-origin": "asked by a foreign page",
    "read-only": "it can only be read",
    "no-such-game": "no such game",
    "no-such-record": "no such record",
    "no-such-moment": "no such moment",
    "no-such-dispute": "no such dispute",
    "no-such-link": "no such link",
    "no-such-route": "no such route",
    "method": "not by this method",
    "other-game": "another game is here",
    "stale": "others were faster",
    "not-accepted": "the key has not accepted what others undid or overruled",
    "game-exists": "there is such a game already",
    "dispute-closed": "the dispute is closed",
    "too-large": "too large",
    "too-long": "too long",
    "media-type": "another media type is expected",
    "foreign-host": "asked under a foreign name",
    "unreadable": "it cannot be read",
    "impossible": "it cannot happen",
    "command-reused": "the id of a command, used again",
    "too-many": "too many requests",
    "store-unavailable": "the store does not answer",
    "busy": "too much to do just now",
    "too-costly": "it takes too long to compute",
    "bug": "a bug of ours",
    "store-damaged": "the store is damaged",
}
"""The title of a problem, by its `code`."""


def busy() -> Problem:
    """Return the problem (503) for a request that must be sent again, because other requests delay it."""
    return Problem(503, "busy", _("others are computing; ask again"), headers={"Retry-After": AGAIN})


def problem_of(error: BaseException) -> Problem:
    """Return the problem for an error. An unexpected error is logged, and the problem has its id in the log."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreError) and not isinstance(error, ConflictError):
        return _of_store(error)
    if isinstance(error, RecordError):
        code = "impossible" if isinstance(error, ImpossibleError) else "unreadable"
        return Problem(422, code, str(error), line=error.line, path=error.path)
    if isinstance(error, NotKeptError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
        sentence = _("the disk of the server takes nothing: {reason}").format(reason=reason_of(error))
        return Problem(503, "store-unavailable", sentence, headers={"Retry-After": AGAIN})
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _TOO_MUCH):
        return Problem(503, "busy", _("the server has too much to do; ask again"), headers={"Retry-After": AGAIN})
    for kind, status, code in _PLAIN:
        if isinstance(error, kind):
            return Problem(status, code, str(error))
    id = secrets.token_hex(8)
    LOG.error("a bug of ours, %s", id, exc_info=error)
    sentence = _("a bug of ours; the log of the server has more of it under {id}")
    return Problem(500, "bug", sentence.format(id=id), more={"id": id})


def _of_store(error: StoreError) -> Problem:
    place = {"game": error.game, "event": error.event}
    if isinstance(error, NotReadableError):
        return Problem(422, "unreadable", str(error), line=error.event, more=place)
    if isinstance(error, UnavailableError):
        return Problem(503, "store-unavailable", str(error), headers={"Retry-After": AGAIN})
    if isinstance(error, NotAcceptedError):
        acts = [{"event": act.event, "type": act.type, "code": act.code} for act in error.acts]
        return Problem(409, "not-accepted", str(error), more={"game": error.game, "acts": acts})
    return Problem(500, "store-damaged", str(error), more=place)


_PLAIN: tuple[tuple[type[Exception], int, str], ...] = (
    (NotFoundError, 404, "no-such-moment"),
    (AskedError, 400, "bad-parameter"),
    (SettingsError, 400, "bad-parameter"),
    (ConflictError, 409, "stale"),
    (DaynightError, 422, "unreadable"),
)
