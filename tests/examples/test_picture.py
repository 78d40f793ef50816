"""The picture of README.md, and what it says to who cannot see it.

| promise | test |
| --- | --- |
| it is the one that is drawn now | test_fresh |
| the words for it tell every change and the dispute | test_its_words |

Where a change is meant: `daynight picture demo --at 122 -o examples/demo.svg`.
"""

import re
from pathlib import Path

from daynight.game import Game
from daynight.pictures import timeline_svg
from daynight.rules.citations import cited

ROOT = Path(__file__).resolve().parents[2]


def test_fresh():
    """To the byte."""
    again = "daynight picture demo --at 122 -o examples/demo.svg"
    drawn = timeline_svg(Game.load("demo"), at=122)
    assert drawn == (ROOT / "examples" / "demo.svg").read_text("utf-8"), f"it is stale; if it should change: {again}"


def test_its_words():
    """Event, turn and rule of each; and which claim differs."""
    found = re.search(r"!\[([^\]]*)\]\(examples/demo\.svg\)", (ROOT / "README.md").read_text("utf-8"))
    assert found
    words = " ".join(found[1].split())
    game = Game.load("demo")
    for change in game.state.timeline.changes:
        assert f"event {change.event}" in words
        assert f"turn {change.turn}" in words
        assert f"CR {cited(change.rule, game.edition)}" in words
    (dispute,) = game.audit().disputes
    assert f"A claim at event {dispute.event}" in words
    assert {str(change.event) for change in game.state.timeline.changes} | {"122"} == set(
        re.findall(r"event (\d+)", words)
    )
