"""XMage's logs for tests: recorded ones beside this project, and made-up ones in the same format."""

import io
from pathlib import Path
from typing import Any, Self

from daynight.cards import bundled
from daynight.events.language import decode
from daynight.framework.language.codec import encode
from daynight.game import Game
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.importers.xmage.log import IMPORTER
from daynight.logs import known_of
from tests.importers.conftest import Read

_ABOVE = [folder / "shared" / "engine-logs" for folder in Path(__file__).resolve().parents[3:]]
LOGS = next((folder for folder in _ABOVE if folder.is_dir()), _ABOVE[0])
"""The folder of the recorded logs, beside this project or beside a folder above it; they are not part of it."""

COLOURS = {"Ana": "#20B2AA", "Bo": "#20B2AA"}


def read(*logs: "Log | bytes", strict: bool = False) -> Read:
    """Import logs as XMage's; the strict reader and the referee must accept every game."""
    running = Import(IMPORTER, known_of(bundled(), None), strict=strict)
    data = [log if isinstance(log, bytes) else log.bytes() for log in logs]
    sources = (Source(f"logs/game-{number}.html", io.BytesIO(log), number=number) for number, log in enumerate(data, 1))
    games = list(running.games(sources))
    for game in games:
        again = [decode(encode(event)) for event in game.events]
        assert game.events == again
        Game(again)
    return Read(games, running.report)


def findings(found: Read, number: int = 0) -> list[dict[str, Any]]:
    """Return the findings of the audit of the game with this index, as in its JSON."""
    return list(Game(found.games[number].events).audit().document()["findings"])


class Log:
    """A log as XMage's client writes it: `{Name#abc}` in a line becomes a card whose id begins with abc."""

    def __init__(self, *players: str) -> None:
        self.players = players or ("Ana", "Bo")
        self.number = 0
        self.step = ""
        self.rows: list[str] = []
        for player in self.players:
            self.say(f"{player} keeps hand")

    def row(self, text: str, stamp: str, colour: str = "White") -> Self:
        """Add a message in this colour, with `stamp` in place of clock, turn and step."""
        parts = text.split("{")
        html = parts[0]
        for part in parts[1:]:
            card, _end, rest = part.partition("}")
            name, _sign, short = card.partition("#")
            full = f"{short}00000-0000-4000-8000-000000000{short}"
            html += f'</font><font color="#FF6347" object_id="{full}"><a href="#{name}">{name}</a></font>'
            html += f'<font color="{colour}"> \n    [{short}]{rest}'
        self.rows.append(f'<br><font color="#CCCC33">{stamp}: </font><font color="{colour}">{html}</font>')
        return self

    def say(self, *lines: str) -> Self:
        """Add messages with the present turn and step."""
        for line in lines:
            self.row(line, f"2:13&#8239;PM, T{self.number or 1}{self.step and '.' + self.step}")
        return self

    def turn(self, player: str | None = None, *, number: int | None = None, extra: str = "") -> Self:
        """Begin the next turn, or this number; `extra` is text behind the number."""
        self.number = number or self.number + 1
        player = player or self.players[(self.number - 1) % len(self.players)]
        self.step = ""
        return self.row(f"TURN {self.number}{extra} for {player} (20 - 20)", "2:13&#8239;PM", "Orange")

    def at(self, step: str, *lines: str) -> Self:
        """Make `step` (XMage's two letters, such as UN) the present step, and add messages in it."""
        self.step = step
        return self.say(*lines)

    def spell(self, player: str, card: str) -> Self:
        """Add the lines for a spell that is cast, and goes to the graveyard."""
        return self.say(f"{player} casts {card} from hand", f"{player} puts {card} from stack into their graveyard")

    def creature(self, player: str, card: str) -> Self:
        """Add the lines for a permanent spell that is cast, and enters."""
        return self.say(f"{player} casts {card} from hand", f"{player} puts {card} from stack onto the Battlefield")

    def bytes(self) -> bytes:
        """Return the content of the file."""
        head = '<html>\n  <head>\n    \n  </head>\n  <body style="background-color:black">\n'
        return (head + "\n".join(self.rows) + "\n  </body>\n</html>\n").encode()
