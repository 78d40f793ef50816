"""The answer to a write: the stored events with their consequences, or those that the sender had not seen."""

from __future__ import annotations

from typing import Any

from daynight.framework.language.wording import _
from daynight.store import Appended
from daynight.store.proving.chain import code_of
from daynight.web.errors import Problem
from daynight.web.telling.heads import head_of, heads_of, identity_of
from daynight.web.telling.moments import moment_documents
from daynight.web.telling.teller import teller_of
from daynight.web.visit import Visit
from daynight.web.writing.pen import StaleError

SINCE = 500
"""The most moments in an answer; if there are more, the answer has None in their place."""


def acknowledged(visit: Visit, appended: Appended) -> dict[str, Any]:
    """Return the answer to a command: its moments, the forecast of the next untap step, and its last event.

    `code` is the short code that players may note of that event, and `head` is the digest at it.
    """
    shelved, last = visit.shelved, appended.last
    digest = shelved.digest(last)
    return {
        "command": appended.command,
        "first": appended.first,
        "last": last,
        "repeated": appended.repeated,
        "moments": moments(visit, appended.first, last) if last - appended.first < SINCE else None,
        "forecast": foretold(visit, last),
        "code": None if digest is None else code_of(last, digest),
        "head": head_of(shelved, last),
    }


def foretold(visit: Visit, number: int) -> dict[str, Any] | None:
    """Return the forecast of the untap step after event `number`; None if the records are not of day and night."""
    if not visit.shelf.is_of_games:
        return None
    from daynight.questions.forecast import forecast

    found: dict[str, Any] = visit.shelved.asked(number, lambda game: forecast(game, number).document(game.edition))
    return found


def moments(visit: Visit, first: int, last: int) -> list[dict[str, Any]]:
    """Return the moments of events `first` to `last`, as JSON; `SINCE` does not limit them here."""
    shelved, teller = visit.shelved, teller_of(visit.shelved)
    lines, heads = shelved.lines(first - 1, last), heads_of(shelved, first - 1, last)
    return shelved.asked(last, lambda game: list(moment_documents(game, teller, first - 1, lines, heads=heads)))


def other_game(visit: Visit) -> Problem:
    """Return the problem for a command that was made in another game, or in a newer copy of this one."""
    shelved = visit.shelved
    sentence = _("this is another game, or an older copy of the one that this was made in; nothing was stored")
    more = {"identity": identity_of(shelved), "last": shelved.last}
    return Problem(409, "other-game", sentence, more=more)


def stale(visit: Visit, error: StaleError) -> Problem:
    """Return the problem for a command whose sender has missed events; `since` are their moments.

    `since` is None if they are more than `SINCE`, or if there is no event `error.after`.
    """
    after, last = error.after, error.last
    since = moments(visit, after + 1, last) if 0 <= last - after <= SINCE and after < last else None
    if after == last:
        since = []
    turn = visit.shelved.asked(last, lambda game: getattr(game.state, "turn", None))
    return Problem(409, "stale", str(error), more={"last": last, "turn": turn, "since": since})
