"""One family of errors: whatever a database and the library say, said as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from eventsourcing.application import AggregateNotFoundError
from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    PersistenceError,
)

from daynight.events.errors import NotFoundError
from daynight.events.wording import _
from daynight.store.errors import ConflictError, DamagedError, StoreError, UnavailableError

__all__ = ["guarded"]


@contextmanager
def guarded(*, game: str | None = None, command: str | None = None) -> Iterator[None]:
    """Inside, no error of the library gets out; the error that does names the game.

    Raises:
        ConflictError: where what was to be stored is there already, or does not follow.
        UnavailableError: where the database is locked, full or gone; it names the command to send again.
        DamagedError: where what is stored makes no sense to the database itself.
    """
    try:
        yield
    except StoreError as error:
        raise error.located(game=game) from None
    except AggregateNotFoundError:
        raise NotFoundError(_("no game {game}").format(game=repr(game))) from None
    except ConnectionPoolClosedError:
        raise UnavailableError(_("the store is closed"), game=game) from None
    except IntegrityError as error:
        raise ConflictError(_one_line(error), game=game) from None
    except (OperationalError, InterfaceError, InternalError) as error:
        sentence = _("the store does not answer: {reason}").format(reason=_one_line(error))
        if "malformed" in str(error) or "not a database" in str(error):
            raise DamagedError(sentence, game=game) from None
        if command is not None:
            sentence += "; " + _("whether it was stored is not known: send it again as command {command}").format(
                command=command
            )
        raise UnavailableError(sentence, game=game) from None
    except (DataError, PersistenceError, EventSourcingError) as error:
        raise DamagedError(_one_line(error), game=game) from None


def _one_line(error: Exception) -> str:
    """What a database says, which may be a table of several lines."""
    return " ".join(str(error).split()) or type(error).__name__
