"""The seats of a table: a link for each player, one for a judge and one for spectators, as text and as a QR code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from daynight.web.door.grants import HOURS, Keys
from daynight.web.shelf import Shelf, id_of
from daynight.web.telling.about import about_game

if TYPE_CHECKING:
    from segno import QRCode


@dataclass(frozen=True, slots=True)
class Seat:
    """A link to a table: `url` has a key that gives a caller this `role` and `name` in `game`."""

    game: str
    role: str
    name: str | None
    url: str

    def picture(self) -> str:
        """Return the link as a QR code, in characters for a terminal."""
        text = StringIO()
        _code(self.url).terminal(out=text, compact=True, border=2)
        return text.getvalue()


def picture_of(url: str) -> str:
    """Return an address as a QR code: an SVG picture in a `data:` URI."""
    return _code(url).svg_data_uri(border=4, light="#fff", omitsize=True)


def _code(url: str) -> QRCode:
    import segno

    return segno.make_qr(url, error="l")


def seats_of(
    shelf: Shelf, game: str, keys: Keys, address: str, hours: float = HOURS, *, friends: bool = False
) -> Iterator[Seat]:
    """Make links to a game, and yield one for each player, a judge and the spectators.

    `friends`: the links of the players allow them to rule that it is day or night.

    Raises:
        NotKeptError: where the links cannot be written.
    """
    players: list[str] = about_game(shelf, shelf.find(game))["players"]
    for player in players:
        yield _seat(keys, address, game, "player", player, hours, rules=friends)
    yield _seat(keys, address, game, "judge", "judge", hours)
    yield _seat(keys, address, game, "spectator", None, hours)


def _seat(
    keys: Keys, address: str, game: str, role: str, name: str | None, hours: float, *, rules: bool = False
) -> Seat:
    _link, key = keys.add(game, role, name, hours, rules=rules)  # type: ignore[arg-type]  # the roles above
    # Spectators get the page that steps through a game, players and judges that with the two buttons.
    page = "g" if role == "spectator" else "t"
    return Seat(game, role, name, f"{address}/{page}/{id_of(game)}#k={key}")
