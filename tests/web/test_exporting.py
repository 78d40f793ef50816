"""A game as one file: its content equals the commands' answers, in every language.

| promise | test |
| --- | --- |
| why, forecasts, marks and disputes are those of the commands, for each event | test_answers |
| texts that languages share are stored once, and each language can be restored completely | test_merged |
| the file of a real game is at most the bundle plus four times the record, in every language | test_size |
| it contains each repair as a branch that can be browsed, if there is room | test_branches, test_no_room_for_a_branch |
| the file contains the triggered abilities | test_triggers |
| the server sends it as a download that runs no scripts | test_served |
| other mechanics can be exported, without the answers that only day and night has | test_other_mechanics |
| a missing game is refused in a sentence | test_missing |
"""

import json
import zlib
from base64 import b64decode
from pathlib import Path

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
from daynight.web.exporting.page import MOST, page_of
from daynight.web.shelf import Shelf
from examples.monarch import MECHANIC
from tests.house.bundle import BUNDLE
from tests.sampling import sampled
from tests.web.serving import serving

GAMES = Path(__file__).resolve().parents[2] / "examples/games"


def in_language(value, place):
    """The content of `value`, a part of a merged document, in the language with index `place`."""
    if isinstance(value, list):
        return [in_language(one, place) for one in value]
    if not isinstance(value, dict):
        return value
    return value[MARK][place] if MARK in value else {name: in_language(one, place) for name, one in value.items()}


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("name", ["kitchen-table.dn", "uncertain.jsonl", "dispute.dn", "ruling-and-back-up.jsonl"])
def test_answers(name):
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
            disputes = json.dumps([one.document() for one in game.disputes()], default=str)
            assert in_language(found["disputes"], place)["disputes"] == json.loads(disputes)


WRAPPED = 200
"""The bytes of the file beside bundle and game: the elements around both, and the title."""


@pytest.mark.parametrize("name", sampled(["wagic-G3.jsonl", "wagic-G2.jsonl", "demo"], 3))
def test_size(name, tmp_path):
    record = Record(name if name == "demo" else str(GAMES / name))
    shelf = Shelf(None, [record])
    (shelved,) = shelf.files.values()
    page = page_of(shelf, shelved)
    size = sum(len(line) + 1 for line in shelved.lines(0, shelved.last))
    bundle = [one for one in BUNDLE.rglob("*") if one.suffix in (".html", ".js", ".css") and "worker" not in one.name]
    assert len(page) <= MOST * size + sum(path.stat().st_size for path in bundle) + WRAPPED
    packed = page.partition(b'id="exported">')[2].partition(b"<")[0]
    assert len(packed) <= MOST * size
    told = json.loads(zlib.decompress(b64decode(packed)))
    assert told["languages"] == [*LANGUAGES]
    assert len(told["why"]) == len(told["forecast"]) == len(told["moments"]) == shelved.last
    assert all(told["whys"][place]["sentence"] for place in told["why"])
    assert all(told["forecasts"][place]["sentence"] for place in told["forecast"])


def told_in(page):
    """The document in an exported page."""
    return json.loads(zlib.decompress(b64decode(page.partition(b'id="exported">')[2].partition(b"<")[0])))


def test_branches():
    """The file contains a repair as the branch that a server shows: the same moments, audit, changes and reasons."""
    shelf = Shelf(None, [Record("demo")])
    told = told_in(page_of(shelf, shelf.files["wagic-G1"]))
    (branch,) = told["tried"]
    ((mend,),) = [one["hints"] for one in told["mends"].values()]
    assert mend["edits"] == branch["edits"]
    with serving(None, [Record("demo")]) as served, served.client(served.owner) as client:

        def ask(route, body, language):
            answer = client.post(f"/v1/games/wagic-G1/what-if/{route}?lang={language}", json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        asked = {"edits": branch["edits"]}
        for place, language in enumerate(LANGUAGES):
            found = in_language({name: value for name, value in branch.items() if name != "edits"}, place)
            moments = ask("moments", {**asked, "from": branch["from"], "limit": 500}, language)
            plain = [{name: one[name] for name in one if name != "head"} for one in moments["moments"]]
            assert plain == found["moments"]
            assert (moments["impossible"], moments["stopped"]) == (found["impossible"], found["stopped"])
            assert ask("audit", asked, language)["findings"] == found["audit"]["findings"]
            state = ask("state", asked, language)
            assert (state["changes"], state["triggers"]) == (found["changes"], found["triggers"])
            why = ask("why", {**asked, "at": branch["from"]}, language)
            assert why["sentence"] == found["whys"][branch["why"][0]]["sentence"]


def test_no_room_for_a_branch(monkeypatch):
    monkeypatch.setattr("daynight.web.exporting.page.MOST", 1.8)
    shelf = Shelf(None, [Record("demo")])
    told = told_in(page_of(shelf, shelf.files["wagic-G1"]))
    assert (3, []) == (len(told["languages"]), told["tried"])


def test_triggers():
    place = str(GAMES / "first-night.jsonl")
    shelf = Shelf(None, [Record(place)])
    found = document(shelf, next(iter(shelf.files.values())), ["en"])
    assert found["triggers"] == json.loads(json.dumps(Game.load(place).document()["triggers"], default=str))
    assert [(one["event"], one["stacked"]) for one in found["triggers"]] == [(26, 27), (35, 36)]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", MARK]), inner),
    max_leaves=8,
)


@given(st.tuples(values, values))
@pytest.mark.wide
def test_merged(told):
    both = merged(told)
    assert [json.dumps(in_language(both, place)) for place in (0, 1)] == [json.dumps(one) for one in told]


def test_served(tmp_path):
    with Store.open(tmp_path / "games.db") as store:
        store.new("fri/day", ["Ana", "Bo"])
        with serving(store) as served, served.client(served.owner) as client:
            answer = client.get("/v1/games/fri%2Fday/page.html")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''fri_day.html"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert b"default-src 'none'; script-src 'sha256-" in answer.content
    assert b'src="/' not in answer.content


def test_other_mechanics(tmp_path):
    with Store.open(tmp_path / "games.db", mechanic=MECHANIC) as store:
        store.append("court", [{"type": "game-started", "game": "court", "players": ["Ana", "Bo"]}])
        shelf = Shelf(store, mechanic=MECHANIC)
        found = document(shelf, shelf.find("court"))
    assert found["whys"] == []
    assert found["disputes"] is None
    assert [one["event"] for one in found["moments"]] == [1]


def test_missing(tmp_path, capsys):
    assert run(["export", "nowhere.jsonl", "-o", str(tmp_path / "x.html"), "--db", str(tmp_path / "no.db")]) == 4
    error = capsys.readouterr().err
    assert "nowhere.jsonl" in error
    assert not (tmp_path / "x.html").exists()
