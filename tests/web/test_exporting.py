"""A game as one file: what is told in it is what the commands answer, whatever the language.

| promise | test |
| --- | --- |
| why, forecasts, marks and disputes are those of the commands, for each event | test_answers |
| where languages say the same it stands once, and each language is had back whole | test_merged |
| the server gives it as a file to be saved, which runs nothing there | test_served |
| other mechanics have it too, without what only day and night can answer | test_other_mechanics |
| a game that is not there is refused in a sentence | test_missing |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daynight import Game, Store
from daynight.cli.commands import run
from daynight.languages.speaking import LANGUAGES, speaking
from daynight.questions.forecast import forecast
from daynight.records import Record
from daynight.web.exporting.document import document
from daynight.web.exporting.merging import MARK, merged
from daynight.web.shelf import Shelf
from examples.monarch import MECHANIC
from tests.web.serving import serving

GAMES = Path(__file__).resolve().parents[2] / "examples/games"


def in_language(value: Any, place: int) -> Any:
    """What stands in a merged document in one language."""
    if isinstance(value, list):
        return [in_language(one, place) for one in value]
    if not isinstance(value, dict):
        return value
    return value[MARK][place] if MARK in value else {name: in_language(one, place) for name, one in value.items()}


@pytest.mark.parametrize("name", ["kitchen-table.dn", "uncertain.jsonl", "dispute.dn", "ruling-and-back-up.jsonl"])
def test_answers(name: str) -> None:
    shelf = Shelf(None, [Record(str(GAMES / name))])
    found = document(shelf, next(iter(shelf.files.values())))
    game = Game.load(str(GAMES / name))
    for place, language in enumerate(LANGUAGES):
        with speaking(language):
            for number in range(1, len(game) + 1):
                why = {"event": number} | in_language(found["whys"][found["why"][number - 1]], place)
                assert why == json.loads(json.dumps(game.why(number).document(), default=str))
                told = {"event": number} | in_language(found["forecasts"][found["forecast"][number - 1]], place)
                assert told == json.loads(json.dumps(forecast(game, number).document(game.edition), default=str))
            assert in_language(found["disputes"], place)["disputes"] == json.loads(
                json.dumps([one.document() for one in game.disputes()], default=str)
            )


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", MARK]), inner),
    max_leaves=8,
)


@given(st.tuples(values, values))
def test_merged(told: tuple[Any, Any]) -> None:
    both = merged(told)
    assert [json.dumps(in_language(both, place)) for place in (0, 1)] == [json.dumps(one) for one in told]


def test_served(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.db") as store:
        store.new("fri/day", ["Ana", "Bo"])
        with serving(store) as served, served.client(served.owner) as client:
            answer = client.get("/v1/games/fri%2Fday/page.html")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''fri_day.html"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert b"default-src 'none'; script-src 'sha256-" in answer.content
    assert b'src="/' not in answer.content


def test_other_mechanics(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.db", mechanic=MECHANIC) as store:
        store.append("court", [{"type": "game-started", "game": "court", "players": ["Ana", "Bo"]}])
        shelf = Shelf(store, mechanic=MECHANIC)
        found = document(shelf, shelf.find("court"))
    assert found["whys"] == []
    assert found["disputes"] is None
    assert [one["event"] for one in found["moments"]] == [1]


def test_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "nowhere.jsonl", "-o", str(tmp_path / "x.html"), "--db", str(tmp_path / "no.db")]) == 4
    error = capsys.readouterr().err
    assert "nowhere.jsonl" in error
    assert not (tmp_path / "x.html").exists()
