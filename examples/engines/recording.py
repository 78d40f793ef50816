"""How an engine writes a record: one JSON line for each event of the game, and for each state that the engine assumes.

Copy `Record` into your engine, and call it where your engine does these things. It needs nothing but Python.

    python recording.py its-game.jsonl            a game by the rules
    python recording.py its-game.jsonl --wrong    the same by an engine that counts everybody's spells
"""

import json
import sys
from typing import Any, TextIO


class Record:
    """The record of a game, written line by line."""

    def __init__(self, out: TextIO, game: str, players: list[str]) -> None:
        self.out = out
        self.say("game-started", format=1, game=game, players=players)

    def say(self, tag: str, **fields: Any) -> None:
        """Write an event of type `tag` as a JSON line."""
        self.out.write(json.dumps({"type": tag, **fields}) + "\n")

    def turn(self, number: int, active: str) -> None:
        """Write that a turn began, and its untap step, in which the check for day and night happens."""
        self.say("turn-began", turn=number, active=[active])
        self.say("step-began", step="untap")

    def cast(self, player: str, card: str) -> None:
        """Write that a spell was cast, even if it is countered later."""
        self.say("spell-cast", player=player, card=card)

    def entered(self, player: str, card: str, id: str) -> None:
        """Write that a permanent entered. The card's name is enough: daynight's catalogue has both of its faces."""
        self.say("permanents-entered", permanents=[{"id": id, "card": card, "controller": player}])

    def state(self, designation: str, faces: dict[str, str]) -> None:
        """Write as claims the designation and faces that the engine assumes: the audit compares them with the rules."""
        self.say("designation-claimed", designation=designation, by="my engine")
        for id, face in faces.items():
            self.say("face-claimed", permanent=id, face=face, by="my engine")


def play(record: Record, *, wrong: bool) -> None:
    """Write a sample game: Ana casts nothing in her turn 3, so day becomes night. If `wrong`, day is claimed then."""
    record.turn(1, "Ana")
    record.cast("Ana", "Tavern Ruffian")
    record.entered("Ana", "Tavern Ruffian", "w1")
    record.state("day", {"w1": "front"})
    record.turn(2, "Bo")
    record.cast("Bo", "Opt")
    record.turn(3, "Ana")
    record.state("day", {"w1": "front"})
    record.cast("Bo", "Shock")
    record.turn(4, "Bo")
    record.state(*(("day", {"w1": "front"}) if wrong else ("night", {"w1": "back"})))
    record.say("game-ended", winner=["Bo"])


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        play(Record(file, "its-game", ["Ana", "Bo"]), wrong="--wrong" in sys.argv)
