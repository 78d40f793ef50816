"""Disputes of stored games: handled like all events, but about the record, not the game.

| promise | test |
| --- | --- |
| a dispute continues across processes, back-ups, restarts and the end of the game | test_goes_on |
| an impossible dispute event is refused, and nothing of the same append is stored | test_all_or_nothing |
| export and import keep every byte; so does an archive | test_there_and_back |
| snapshots contain disputes; a game continued from one refuses a dispute id that is used | test_snapshots |
| disputes change neither the library nor the moments of a game | test_nothing_follows |
"""

import random
from io import BytesIO

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.game import Game
from daynight.games import Store
from daynight.projections.library import Library
from daynight.store.database.settings import Settings
from daynight.store.moments.past import Past
from daynight.store.proving.archive import read_archive, write_archive
from daynight.store.proving.verify import verify_store
from tests.behaviour.disputing import disputed
from tests.behaviour.games import ROOT, kept
from tests.oracle.walks import random_walk
from tests.rules.judges import appeals, argues, back_up, closes, opens, rules_on
from tests.rules.words import effect, ended, restarted, started, turn

EXAMPLE = ROOT / "examples" / "games" / "head-judge.jsonl"
LONG = [
    [started(), turn(1), opens(), turn(2, "Bo")], [argues(designation="day"), opens("d2"), effect("night")],
    [rules_on(outcome="back-up", to=2), back_up(2), turn(7), back_up(9)],
    [closes(outcome="back-up"), restarted(), turn(1), rules_on("d2")],
    [appeals("d2"), ended("Ana"), rules_on("d2", "fix", designation="day")], [closes("d2", "fix")],
]  # fmt: skip


def test_goes_on(store):
    """A stored dispute continues as in memory, even if each append loads the game anew, as a new process does."""
    game = Game()
    for events in LONG:
        store.application.writer.lives.clear()
        store.append("g1", events)
        game = Game([*game.events, *events])
        assert store.load("g1").disputes() == game.disputes()
    assert [("d1", "closed"), ("d2", "closed")] == [(one.dispute, one.stage.value) for one in game.disputes()]
    for event in (argues(says="x"), opens("d2"), closes()):
        with pytest.raises(ImpossibleError):
            store.append("g1", [event])


def test_all_or_nothing(store):
    """An impossible dispute event rejects its whole append; without that event the rest is stored."""
    store.append("g1", [started(), opens()])
    for bad in (closes(), rules_on("d2"), rules_on(outcome="back-up", to=9)):
        with pytest.raises(ImpossibleError):
            store.append("g1", [argues(says="first"), effect("night"), bad])
        assert 2 == store.head("g1").number
    with pytest.raises(ImpossibleError, match="no dispute 'd1'; there: none"):
        store.append("g2", [started(), rules_on()])
    store.append("g1", [turn(1), turn(2, "Bo"), back_up(3)])
    with pytest.raises(ImpossibleError, match="event 4 was undone by backing up"):
        store.append("g1", [rules_on(outcome="back-up", to=4)])
    store.append("g1", [argues(says="first"), rules_on(), closes()])
    assert "closed" == store.load("g1").disputes()[0].stage.value


def test_there_and_back(store, tmp_path):
    """An export of the example, imported and exported again, has the same bytes; so has an archive."""
    store.import_record(EXAMPLE)
    lines = BytesIO()
    store.lines("head judge", lines)
    (tmp_path / "again.jsonl").write_bytes(lines.getvalue())
    archive, again = BytesIO(), BytesIO()
    write_archive(store, archive)
    with Store.open("memory:") as other:
        other.import_record(tmp_path / "again.jsonl")
        second = BytesIO()
        other.lines("head judge", second)
        assert lines.getvalue() == second.getvalue()
    with Store.open("memory:") as third:
        read_archive(third, BytesIO(archive.getvalue()))
        write_archive(third, again)
        assert archive.getvalue() == again.getvalue()
        assert Game.load(EXAMPLE).disputes() == third.load("head judge").disputes()
        assert 1 == len(third.load("head judge").disputes())


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("seed", range(8))
def test_snapshots(seed, tmp_path):
    """With a snapshot after every fifth event, the disputes at each event are those of a replay."""
    events, _moved = disputed(random.Random(seed), [*random_walk(seed, 32), effect("day")] if seed else LONG[0])
    kept(tmp_path / "game.jsonl", events)
    settings = Settings(kind="sqlite", path=str(tmp_path / "games.db"), snapshots=5)
    with Store(settings) as store:
        try:
            head = store.import_record(tmp_path / "game.jsonl", "g")
        except ImpossibleError:
            pytest.skip("this game was over before anybody disputed")
        past, plain = Past(store.recorder, "g"), Past(store.recorder, "g", snapshots=False)
        for number in range(1, head.number + 1):
            assert past.live(number).whole.second.rows == plain.live(number).whole.second.rows
        assert past.live(head.number).whole.second.rows
        assert [None] == [each.fault for each in verify_store(store)]
        dispute = past.live(head.number).whole.second.rows[0][0]
        with pytest.raises(ImpossibleError, match=f"there is a dispute '{dispute}' already"):
            store.append("g", [opens(dispute)])


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("seed", range(12))
def test_nothing_follows(seed):
    """The library's row is the same with and without disputes, except for the number of events."""
    luck = random.Random(seed)
    plain = random_walk(seed, 32)
    events, moved = disputed(luck, plain)
    with Store.open("memory:") as store:
        for name, record in (("plain", plain), ("disputed", events)):
            rest = list(record)
            while rest:
                size = luck.randrange(1, 9)
                store.append(name, rest[:size])
                rest = rest[size:]
        library = Library(store)
        library.catch_up(batch=luck.randrange(1, 20))
        one, other = sorted(library.rows(), key=lambda row: row.events)
        names = ("turns", "spells", "changes", "possible", "verdict", "disputes", "over")
        assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
        for number in (1, len(plain) // 2, len(plain)):
            assert store.at("plain", number).possible == store.at("disputed", moved[number]).possible
