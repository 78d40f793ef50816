"""The decision about appends names each module that an append passes through, and no other."""

import re
from pathlib import Path

import daynight
from daynight.games import Store
from tests.bench.walks import walked

DECISIONS = Path(daynight.__file__).parent / "guides/explanation/decisions.md"


def test_modules(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.append("g", [{"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}])
        store.append("g", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        store.append("g", ['{"type":"spell-cast","player":"Ana"}'])
        files = walked(lambda: store.append("g", ['{"type":"spell-cast","player":"Ana"}']))
    home = Path(daynight.__file__).parent
    passed = {Path(file).relative_to(home).as_posix() for file in files}
    section = DECISIONS.read_text("utf-8").partition("## 13.")[2].partition("\n## ")[0]
    named = re.findall(r"`([\w/]+\.py)`", section)
    assert passed == {*named}
    assert len(named) == len(passed) == int(re.findall(r"passes (\d+) modules", section)[0])
