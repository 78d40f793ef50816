"""Translates errors of databases and of the library into daynight's own errors."""

from __future__ import annotations

from types import TracebackType

from eventsourcing import persistence
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.domain import EventSourcingError

from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _
from daynight.store.errors import ConflictError, DamagedError, StoreError, UnavailableError


class Guard:
    """A context manager that raises daynight's errors, with the `game`, for those of the library.

    A `StoreError` from the block passes, with the `game` and `event` added where it has none. It is a class because a
    generator would be slower, and every append pays for it.

    Raises:
        NotFoundError: where there is no such game.
        ConflictError: where the rows exist already, or do not follow the last event.
        UnavailableError: where the database is locked, full or gone; the sentence has the id `command` for a retry.
        DamagedError: where the database finds its own data damaged, and for any other error of the library.
    """

    __slots__ = ("_command", "_event", "_game")

    def __init__(self, *, game: str | None = None, event: int | None = None, command: str | None = None) -> None:
        self._game = game
        self._event = event
        self._command = command

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, StoreError):
            error.located(game=self._game, event=self._event)
        elif isinstance(error, EventSourcingError):
            # Not bound to a name: the exception would refer to itself, and keep cursors alive that lock the file.
            raise self._ours(error) from None

    def _ours(self, error: EventSourcingError) -> Exception:
        """Return daynight's error for an error of the library."""
        game = self._game
        if isinstance(error, AggregateNotFoundError):
            return NotFoundError(_("no game {game}").format(game=repr(game)))
        if isinstance(error, persistence.ConnectionPoolClosedError):
            return UnavailableError(_("the store is closed"), game=game)
        if isinstance(error, persistence.IntegrityError):
            return ConflictError(_one_line(error), game=game)
        if not isinstance(error, (persistence.OperationalError, persistence.InterfaceError, persistence.InternalError)):
            return DamagedError(_one_line(error), game=game)
        sentence = _("the store does not answer: {reason}").format(reason=_one_line(error))
        if "malformed" in str(error) or "not a database" in str(error):
            return DamagedError(sentence, game=game)
        if self._command is not None:
            sentence += "; " + _("whether it was stored is not known: send it again as command {command}").format(
                command=self._command
            )
        return UnavailableError(sentence, game=game)


def _one_line(error: Exception) -> str:
    """Return the message of a database error on one line."""
    return " ".join(str(error).split()) or type(error).__name__


guarded = Guard
