"""The cache of games with many concurrent readers: more games than it holds, and games that grow."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from daynight.games import Store
from daynight.web.shelf import KEPT, Shelf

TURN = [{"type": "turn-began", "turn": 1, "active": ["Ana"]}, {"type": "step-began", "step": "untap"}]
CAST = {"type": "spell-cast", "player": "Ana"}


@pytest.fixture
def busy():
    """Switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_readers_of_more_games_than_are_kept(busy, tmp_path):
    """Each reader gets the right answer, whatever is evicted or grows meanwhile."""
    with Store.open(tmp_path / "games.db") as store:
        names = [f"g{number}" for number in range(KEPT + 6)]
        for name in names:
            store.new(name, ["Ana", "Bo"])
            store.append(name, [*TURN, *[CAST] * 5])
        shelf = Shelf(store)

        def read(seed):
            chance = random.Random(seed)
            for _time in range(25):
                name = chance.choice(names)
                found = shelf.find(name)
                if chance.random() < 0.1:
                    store.append(name, [CAST])
                last = found.last
                game = found.game()
                assert (game.events[0].game, len(game) >= last) == (name, True)
                number = chance.randint(4, last)
                assert found.recalled(number).tallies.current.range("Ana") == (number - 3, number - 3)
                assert found.asked(number, lambda one, number=number: one.at(number).event) == number

        with ThreadPoolExecutor(16) as readers:
            for done in [readers.submit(read, seed) for seed in range(16)]:
                done.result()
        assert len(shelf._kept._games.items()) == KEPT
