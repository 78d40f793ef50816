"""The seats of a table: one link for each player, a judge and the spectators, as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from daynight.web.door.keys import HOURS, Keys
from daynight.web.shelf import Shelf, id_of
from daynight.web.telling.about import about_game

if TYPE_CHECKING:
    from segno import QRCode


@dataclass(frozen=True, slots=True)
class Seat:
    """A link to a table: its `url` allows what `role` may do, under the name `name`."""

    game: str
    role: str
    name: str | None
    url: str

    def picture(self) -> str:
        """The address for the camera of a phone, in characters of a terminal."""
        text = StringIO()
        _code(self.url).terminal(out=text, compact=True, border=2)
        return text.getvalue()


def picture_of(url: str) -> str:
    """An address for the camera of a phone, as the address of an SVG picture that is all in it."""
    return _code(url).svg_data_uri(border=4, light="#fff", omitsize=True)


def _code(url: str) -> QRCode:
    import segno

    return segno.make_qr(url, error="l")


def seats_of(shelf: Shelf, game: str, keys: Keys, address: str, hours: float = HOURS) -> Iterator[Seat]:
    """New links to a game: one for each player, a judge and the spectators.

    Raises:
        OSError: where they cannot be kept.
    """
    players: list[str] = about_game(shelf, shelf.find(game))["players"]
    for player in players:
        yield _seat(keys, address, game, "player", player, hours)
    yield _seat(keys, address, game, "judge", "judge", hours)
    yield _seat(keys, address, game, "spectator", None, hours)


def _seat(keys: Keys, address: str, game: str, role: str, name: str | None, hours: float) -> Seat:
    _link, key = keys.add(game, role, name, hours)  # type: ignore[arg-type]  # the roles above
    # Spectators want the debugger; players and judges want the two buttons.
    page = "g" if role == "spectator" else "t"
    return Seat(game, role, name, f"{address}/{page}/{id_of(game)}#k={key}")
