"""The pictures of the guides, and the alternative text of the first page's picture.

| promise | test |
| --- | --- |
| each stored picture equals a new one | test_fresh |
| the first page's alternative text names every change and the contradicted claim | test_its_words |
| the first page's picture shows a night in its first third | test_a_night_early |

After an intended change, the failing test names the command that draws the picture anew.
"""

import re

import pytest

from daynight.game import Game
from daynight.pictures import timeline_svg
from daynight.rules.citations import cited
from tests.documents import ROOT

EXAMPLES = ROOT / "examples"
TABLE = EXAMPLES / "games" / "kitchen-table.dn"


@pytest.mark.parametrize(
    "record, at, name", [("demo", 122, "demo.svg"), (TABLE, 8, "kitchen-table.svg")], ids=["demo", "kitchen-table"]
)
def test_fresh(record, at, name):
    """The stored picture equals a new one, byte for byte."""
    again = f"daynight picture {record} --at {at} -o examples/{name}"
    drawn = timeline_svg(Game.load(record), at=at)
    assert drawn == (EXAMPLES / name).read_text("utf-8"), f"it is stale; if it should change: {again}"


def test_its_words():
    """The alternative text names event, turn and rule of each change, and the event of the contradicted claim."""
    found = re.search(r"!\[([^\]]*)\]\(examples/kitchen-table\.svg\)", (ROOT / "README.md").read_text("utf-8"))
    assert found
    words = " ".join(found[1].split())
    game = Game.load(TABLE)
    for change in game.state.timeline.changes:
        assert f"event {change.event} (CR {cited(change.rule, game.edition)})" in words
        assert f"Turn {change.turn}:" in words
    (dispute,) = game.audit().disputes
    assert f"a claim at event {dispute.event} contradicts the rules" in words
    assert {str(change.event) for change in game.state.timeline.changes} == set(re.findall(r"event (\d+)", words))


def test_a_night_early():
    """The middle of the first night of kitchen-table.svg lies in the picture's first third."""
    drawn = (EXAMPLES / "kitchen-table.svg").read_text("utf-8")
    width = float(re.search(r'viewBox="0 0 ([\d.]+) ', drawn)[1])
    nights = re.findall(r'<rect class="dn-night" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn)
    first, wide = map(float, min(nights, key=lambda place: float(place[0])))
    assert first + wide / 2 < width / 3
