"""The routes that correct a game and undo commands: a worker makes a correction's events, without the game's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.responses import Response

from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.keeping.mending.correcting import NotFollowingError, TooManyError
from daynight.notation.phrases import PhraseError
from daynight.store import Appended
from daynight.web import answers
from daynight.web.door.callers import check_still
from daynight.web.errors import Problem, busy
from daynight.web.file_game import Played
from daynight.web.routes.changing.commands import ACKNOWLEDGED, answered, pen_of, written
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.bodies import shaped
from daynight.web.writing.corrections import Corrected, correct, drafted
from daynight.web.writing.drafts import Drafts, NoDraftError, Plan
from daynight.web.writing.pen import Pen, Placed
from daynight.web.writing.telling import acknowledged
from daynight.web.writing.tries import check_edits
from daynight.web.writing.undo import Undone, undo, undrafted

_TRIES = 5
"""The number of attempts to make and store the events, if notes and disputes are stored meanwhile."""


async def post_undo(visit: Visit) -> Response:
    """Undo a command by a back-up, a correction by another correction; answer with the moments of the new events."""
    asked, pen = shaped(visit.body, Undone), pen_of(visit)
    return await _stored(visit, partial(undo, pen, visit.shelved.name, visit.granted, asked))


async def post_correction(visit: Visit) -> Response:
    """Store the edits of a game as a correction, and answer with the moments of its events."""
    asked, pen = shaped(visit.body, Corrected), pen_of(visit)
    check_edits(asked.edits, visit.house.limits.edits)
    return await _stored(visit, partial(correct, pen, visit.shelved.name, visit.granted, asked))


def draft_correction(visit: Visit) -> Response:
    """Answer with the lines of the events of a correction; store nothing. A worker runs this for `post_correction`."""
    return _draft(visit, lambda pen, game: drafted(pen, game, visit.granted, shaped(visit.body, Corrected)))


def draft_undo(visit: Visit) -> Response:
    """Answer with the lines of the events that undo a correction; store nothing. A worker runs this for `post_undo`."""
    return _draft(visit, lambda pen, game: undrafted(game, visit.granted, visit.query))


def _draft(visit: Visit, make: Callable[[Pen, Played], Iterable[Any]]) -> Response:
    """Return the lines of the events that `make` returns for the game as it was after event `visit.query.after`.

    Raises:
        Problem: as `make`; where there are too many events, words cannot be read, or a later event becomes impossible.
        RecordError: where an event of the edits is refused.
    """
    pen, after = visit.house.pen, visit.query.after
    assert pen is not None
    game = visit.shelved.game()
    try:
        events = make(pen, game if len(game) == after else game.what_if(after, ()))
    except TooManyError as error:
        raise Problem(413, "too-large", error.sentence) from None
    except NotFollowingError as error:
        more = {"impossible": [one.document() for one in error.lost]}
        raise Problem(422, "impossible", error.sentence, path=error.path, more=more) from None
    except PhraseError as error:
        raise Problem(422, "unreadable", str(error)) from None
    except RecordError as error:
        line = after + 1 if isinstance(error, ImpossibleError) else None
        raise error.located(file=visit.shelved.label, line=line) from None
    return Response(encode_lines(events))


async def _stored(visit: Visit, write: Callable[[Drafts], Appended]) -> Response:
    """Return the answer about the events that `write` stores.

    If `write` needs events that were not made yet, a worker makes them, and `write` is called again.

    Raises:
        Problem: as `written`, and `busy` after `_TRIES` attempts, where others keep storing notes meanwhile.
    """
    house, drafts = visit.house, Drafts()
    for _try in range(_TRIES):
        try:
            async with house.turns.of(visit.who):
                return await house.threads.run(_answer, visit, partial(write, drafts))
        except NoDraftError as error:
            plan = error.plan
        drafts.put(plan, await _made(visit, plan))
        # The key may have ended meanwhile.
        await house.threads.run(check_still, visit)
    raise busy()


def _answer(visit: Visit, write: Callable[[], Appended]) -> Response:
    appended = written(visit, write)
    return answered(appended, acknowledged(visit, appended))


async def _made(visit: Visit, plan: Plan) -> Placed:
    """Let a worker make the events of a plan; return their lines as `Placed`: the store does not check them again."""
    found = await visit.house.draft(replace(visit, query=plan))
    return Placed(bytes(found.body).splitlines())


ROUTES = (
    Route(
        method="POST", path="/v1/games/{id}/undo", answer=post_undo, summary="Take a command back",
        may="undo", takes=answers.JSON, of_games=True, awaited=True, draft=draft_undo,
        example=Example(status=201, answer=ACKNOWLEDGED, body={"command": "9f3c/18", "seen": 42}),
    ),
    Route(
        method="POST", path="/v1/games/{id}/corrections", answer=post_correction, summary="Put right what was written",
        may="act", takes=answers.JSON, of_games=True, awaited=True, draft=draft_correction,
        example=Example(
            status=201, answer=ACKNOWLEDGED,
            body={
                "command": "9f3c/20", "seen": 42,
                "edits": [{"at": 40, "insert": [{"type": "spell-cast", "player": "Bo"}]}],
            },
        ),
    ),
)  # fmt: skip
