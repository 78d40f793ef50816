"""Finds the events that the positions in an address name."""

from __future__ import annotations

from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.wording import _
from daynight.web.errors import Problem
from daynight.web.queries import position
from daynight.web.shelf import Shelved
from daynight.web.visit import Visit


def located(shelved: Shelved, text: str | None) -> int:
    """Return the number of the event at the position `text`; that of the last event if `text` is None.

    Raises:
        PositionError: where `text` is no position.
        NotFoundError: where there is no such event; its sentence names the game.
    """
    asked = position(text)
    last = shelved.last
    if asked is None:
        return last
    try:
        number = shelved.game().number(asked) if asked.event is None or asked.branch is not None else asked.event
        if not 1 <= number <= last:
            raise NotFoundError(_("no event {event}; the last one is {last}").format(event=number, last=last))
    except NotFoundError as error:
        raise NotFoundError(f"{shelved.label}: {error}") from None
    return number


def is_numbered(text: str | None) -> bool:
    """Return whether `text` is the number of an event: it then always means the same event."""
    asked = position(text)
    return asked is not None and asked.event is not None and asked.branch is None


def is_searched(visit: Visit) -> bool:
    """Return whether a whole record must be read: for a position other than a number, or for another mechanic.

    Raises:
        PositionError: where a parameter is no position.
    """
    named = [text for name in ("at", "start") if (text := getattr(visit.query, name, None)) is not None]
    return not visit.shelf.is_of_games or not all([is_numbered(text) for text in named])


def refuse_given(visit: Visit, *names: str) -> None:
    """Refuse the parameters `names`, which do not exist for the records of this server.

    Raises:
        Problem: where one of them is given.
    """
    for name in names:
        if getattr(visit.query, name) is not None:
            raise Problem(400, "bad-parameter", _("no parameter {name} for these records").format(name=repr(name)))
