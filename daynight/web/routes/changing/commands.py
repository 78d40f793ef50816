"""The routes that write to a game: commands and notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from starlette.responses import Response

from daynight.framework.language.wording import _
from daynight.rules.citations import LATEST_EDITION
from daynight.store import Appended
from daynight.web import answers
from daynight.web.errors import Problem
from daynight.web.queries import LATEST
from daynight.web.telling.about import about_game
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.acts import Noted, note
from daynight.web.writing.authors import signed, spoken
from daynight.web.writing.bodies import shaped
from daynight.web.writing.commands import Commanded, CommandId, check, command
from daynight.web.writing.pen import OtherGameError, Pen, StaleError
from daynight.web.writing.telling import acknowledged, other_game, stale


def pen_of(visit: Visit) -> Pen:
    """Return the pen, the object that writes to the games of the store.

    Raises:
        Problem: where there is no store, the store is read-only, or the game is a file.
    """
    pen = visit.house.pen
    if pen is None or pen.store.recorder.fixed or (visit.game is not None and visit.game.kind == "file"):
        raise Problem(403, "read-only", _("this can only be read; what is in a store can be written to"))
    return pen


def written(visit: Visit, write: Callable[[], Appended]) -> Appended:
    """Call `write`, and return what it stored.

    Raises:
        Problem: as `write`, and where the sender has not seen the latest events, or saw another game.
    """
    try:
        return write()
    except StaleError as error:
        raise stale(visit, error) from None
    except OtherGameError:
        raise other_game(visit) from None


def answered(appended: Appended, document: dict[str, Any]) -> Response:
    """Return `document` as the answer to a write: 201, or 200 if the same command was stored before."""
    return answers.json(document, 200 if appended.repeated else 201)


class Begun(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to begin a game."""

    command: CommandId
    game: str
    players: list[str]
    teams: list[list[str]] | None = None
    edition: str | None = None


def post_game(visit: Visit) -> Response:
    """Begin a game, and answer with the facts about it; refuse a name that is taken (409)."""
    asked, pen = shaped(visit.body, Begun), pen_of(visit)
    fields = {name: value for name, value in asdict(asked).items() if name != "command" and value is not None}
    if asked.edition == LATEST:
        fields["edition"] = LATEST_EDITION

    def make(last: int) -> list[Any]:
        if last or asked.game in visit.shelf.files:
            raise Problem(409, "game-exists", _("there is a game {game} already").format(game=repr(asked.game)))
        event = spoken(pen.store.mechanic, {"type": "game-started", "format": 1, **fields}, visit.granted)
        return [signed(pen.store.mechanic, event, visit.granted)]

    appended = pen.write(asked.game, asked.command, {"begins": fields}, make, begins=True)
    visit.shelf.add(asked.game)
    document = about_game(visit.shelf, visit.shelf.find(asked.game))
    return answered(appended, document | {"command": asked.command, "repeated": appended.repeated})


def post_command(visit: Visit) -> Response:
    """Store the events of a command, and answer with their moments."""
    asked, most = shaped(visit.body, Commanded), visit.house.limits.events
    check(asked, most)
    pen = pen_of(visit)
    appended = written(visit, lambda: command(pen, visit.shelved.name, visit.granted, asked, most))
    return answered(appended, acknowledged(visit, appended))


def post_note(visit: Visit) -> Response:
    """Store a note on an event, and answer with its moment."""
    asked, pen = shaped(visit.body, Noted), pen_of(visit)
    appended = written(visit, lambda: note(pen, visit.shelved.name, visit.granted, asked))
    return answered(appended, acknowledged(visit, appended))


ACKNOWLEDGED = {
    "command": "9f3c/17",
    "first": 42,
    "last": 42,
    "repeated": False,
    "moments": [],
    "forecast": {
        "event": 42, "designation": "day", "possible": ["day"], "casting": ["Ana"], "cast": {"Ana": 1, "Bo": 0},
        "outcomes": [], "sentence": "Day.",
    },
    "code": "e42 7K3M-2Q9X-AB4D-9YQT",
    "head": "c01d" * 16,
}  # fmt: skip

ROUTES = (
    Route(
        method="POST", path="/v1/games", answer=post_game, summary="Begin a game", may="own", takes=answers.JSON,
        of_games=True,
        example=Example(
            status=201,
            body={"command": "9f3c/1", "game": "friday", "players": ["Ana", "Bo"]},
            answer={
                "id": "friday", "game": "friday", "identity": "77ab" * 16, "head": "77ab" * 16,
                "undoable": None, "players": ["Ana", "Bo"],
                "edition": "2024-06-07", "events": 1, "turns": 0, "code": "e1 7K3M-2Q9X-AB4D-9YQT",
                "branches": [], "undone": [], "kind": "stored",
                "command": "9f3c/1", "repeated": False,
            },
        ),
    ),
    Route(
        method="POST", path="/v1/games/{id}/commands", answer=post_command, summary="Store what somebody did",
        may="act", takes=answers.JSON,
        example=Example(
            status=201, answer=ACKNOWLEDGED,
            body={"command": "9f3c/17", "seen": 41, "head": "77ab" * 16, "words": ["Ana casts Opt"]},
        ),
    ),
    Route(
        method="POST", path="/v1/games/{id}/notes", answer=post_note, summary="Note something on an event",
        may="act", takes=answers.JSON, of_games=True,
        example=Example(
            status=201, answer=ACKNOWLEDGED, body={"command": "9f3c/19", "about": 41, "says": "Bo was away"},
        ),
    ),
)  # fmt: skip
