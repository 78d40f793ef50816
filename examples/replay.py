"""Replay a recorded game: every change of day and night, and the board at a moment.

Run it as `python examples/replay.py [RECORD] [POSITION]`.
"""

from __future__ import annotations

import sys

from daynight import Game
from daynight.speech.sentences import reason


def main(record: str = "demo", position: str | None = None) -> None:
    """Print each change of day and night in a record, and the state at `position`; None is the end."""
    game = Game.load(record)
    for change in game.state.timeline.changes:
        print(f"event {change.event}, turn {change.turn}: {change.was} -> {change.became} ({reason(change)})")
    state = game.at(position)
    print(f"after event {state.event} it is {state.designation}")
    for status in state.battlefield:
        print(f"  {status.id}: {status.permanent.card}, {state.face(status.id)} face up")


if __name__ == "__main__":
    main(*sys.argv[1:])
