"""The page of `daynight live` in a real browser, while a log grows and is replaced.

| promise | test |
| --- | --- |
| the page follows the running game without user actions | test_beside |
"""

import json
import subprocess
import sys

import pytest

from tests.browser.served.conftest import alone
from tests.importers.arena_logs import DAY, NIGHT, RUFFIAN, Game, Log, csv_table

pytestmark = pytest.mark.browser


def test_beside(browser, tmp_path):
    """A game's page shows day and night as the log grows; after it was replaced, the address opens a list of games."""
    (tmp_path / "cards.csv").write_bytes(csv_table())
    path, arena = tmp_path / "Player.log", Log()
    game = Game(arena)
    game.begin()
    path.write_bytes(arena.bytes())
    command = [sys.executable, "-m", "daynight", "live", path.name, "--cards", "cards.csv", "--port", "0", "--json"]
    process = subprocess.Popen(command, cwd=tmp_path, env=alone(tmp_path), stdout=subprocess.PIPE, text=True)
    page = browser.new_page()
    try:
        address = json.loads(process.stdout.readline())["address"]
        url = json.loads(process.stdout.readline())["url"]
        page.goto(url)
        state = page.locator("main")
        state.get_by_text("neither day nor night").first.wait_for()
        wolf = game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
        path.write_bytes(arena.bytes())
        state.get_by_text("day", exact=True).first.wait_for()
        game.next_turn()
        game.next_turn((NIGHT, "updated"), gameObjects=[game.turn_over(wolf)])
        path.write_bytes(arena.bytes())
        state.get_by_text("night", exact=True).first.wait_for()
        page.goto(address)
        page.get_by_text("a1b2-G1").first.wait_for()
        other = Log()
        Game(other, match="c3d4").begin()
        path.rename(path.with_name("Player-prev.log"))
        path.write_bytes(other.bytes())
        # With one game the address opens it; with another game it opens the list.
        for _try in range(60):
            page.goto(address)
            page.wait_for_timeout(500)
            if page.get_by_text("c3d4-G1").count():
                break
        page.get_by_text("c3d4-G1").first.wait_for()
    finally:
        page.close()
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()
