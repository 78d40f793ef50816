"""Stores, proofs and archives by wheels (packages) of earlier commits: under RULES 2, 3 and 4, and for a lending desk.

| promise | tests |
| --- | --- |
| load, at, events, repository, feed and lines give the same events and states of a game | test_agree |
| the stores verify against the noted code; only snapshots of other rules are taken again | test_agree, test_goes_on |
| a list of games that older rules made is rebuilt, and agrees with the audit | test_list |
| the wheels' proofs fit the wheels' files and no changed one; new proofs fit these files too | test_proofs |
| a server lists the games with the verdicts of their audits, and serves them | test_served |
| a command that a wheel acknowledged is recognised when sent again | test_goes_on, test_desk_goes_on |
| an archive is imported and exported with the same bytes, and the new store verifies alike | test_archives |
| the desk opens with each release and reports no damage; a refused event is named | test_desk, test_desk_goes_on |
"""

import json
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from psycopg.sql import SQL, Identifier

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.events import Changed
from daynight.framework.language.source import Source
from daynight.game import played
from daynight.games import Library
from daynight.games import Store as Games
from daynight.projections.audit.audit import Auditor
from daynight.store import (
    ConflictError,
    Feed,
    Store,
    prove,
    read_archive,
    read_proof,
    verify_record,
    verify_store,
    write_archive,
)
from daynight.store.database.settings import Settings
from daynight.web.shelf import Shelf
from tests.rules.words import turn
from tests.store.desk import FIRST, SECOND, WITHOUT, WITHOUT_2, claimed, counting, lent
from tests.web.asking import asking

BEFORE = Path(__file__).parent / "before"
WHEELS = ["rules-2", "rules-3", "rules-4"]
KINDS = ["sqlite", "postgresql"]
CODES = {"friday": "e16 A9D6-58EV-C101-TD91", "saturday": "e3 A4P4-AKF2-8T01-95Z1"}
DESKS = {"busy": "e4 E2KB-DEZX-WRBN-SK97", "main": "e8 SRZ6-580E-7TEN-C5Z0"}


def written(request, folder, name, kind):
    """Copy a store that a wheel wrote, into a SQLite file or a schema; return its settings."""
    if kind == "sqlite":
        place = request.getfixturevalue("tmp_path") / f"{name}.db"
        shutil.copy(BEFORE / folder / f"{name}.db", place)
        return Settings(kind="sqlite", path=str(place), snapshots=5)
    from daynight.store.database.server import connected

    settings = request.getfixturevalue("bare")
    with connected(settings) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(settings.schema)))
        connection.execute((BEFORE / folder / f"{name}.sql").read_bytes())
    return replace(settings, snapshots=5)


@pytest.fixture(params=[(wheel, kind) for wheel in WHEELS for kind in KINDS], ids="-".join)
def games(request):
    wheel, kind = request.param
    return written(request, wheel, "games", kind)


@pytest.fixture(params=KINDS)
def desk(request):
    return written(request, "desk", "desk", request.param)


def codes(store):
    return {found.game: found.code for found in verify_store(store) if found.fault is None and found.stop is None}


def agree(store, game):
    """Assert that all ways to read the record `game` agree; return it as loaded."""
    loaded = store.load(game)
    assert [*loaded.events] == [*store.events(game)] == [each.event for each in store.application.events.get(game)]
    # Compared as text: a state restored from a snapshot does not remember earlier turns.
    for number in range(1, len(loaded) + 1):
        assert str(store.at(game, number)) == str(loaded.at(number))
    live = store.application.repository.get(game)
    assert (live.version, str(live.state)) == (len(loaded), str(loaded.state))
    with Feed(store, after=0) as feed, feed.subscribe(game, after=0) as subscription:
        lines = [one.line for one in subscription.take(30)]
    stream = BytesIO()
    store.lines(game, stream)
    assert stream.getvalue().splitlines() == lines
    assert [*store.mechanic.language.read(BytesIO(stream.getvalue()))] == [*loaded.events]
    return loaded


def test_agree(games, request):
    wheel, _kind = request.node.callspec.params["games"]
    with Games(games) as store:
        today = wheel == f"rules-{store.mechanic.version}"
        assert CODES == codes(store)
        found = [agree(store, game) for game in CODES]
        view = store.view("changes", int, lambda value, moment, state: value + len(moment.consequences))
        # The view does not contain events that a back-up undid.
        stands = [sum(len(one.consequences) for one in game if game.stands(one.number)) for game in found]
        assert stands == [row["value"] for row in view.rows()]
        assert thawed_by(store, "friday") == ({store.mechanic.version} if today else set())
        assert thawed_by(store, "saturday") == set()
        assert store.take_snapshots("friday") == (0 if today else 3)
        assert store.take_snapshots("friday") == 0
        assert thawed_by(store, "friday") == {store.mechanic.version}
        assert CODES == codes(store)


def thawed_by(store, game):
    """A set with the version of today's rules if they took a snapshot of `game`; otherwise an empty set."""
    begins = b'{"rules":%d,' % store.mechanic.version
    return {store.mechanic.version for _number, data in store.recorder.snapshot(game, 99) if data.startswith(begins)}


def test_goes_on(games):
    given = [json.loads(line) for line in (BEFORE / "rules-2" / "friday.jsonl").read_bytes().splitlines()]
    with Games(games) as store:
        # The wheel acknowledged these commands; they are sent once more.
        assert store.append("friday", given[:9], command="first").repeated
        assert store.append("friday", given[9:10], command="more-0").repeated
        with pytest.raises(ConflictError, match="the command id 'more-1' was used for other events"):
            store.append("friday", given[9:10], command="more-1")
        assert store.append("saturday", [turn(2, "Bo")]).last == 4
        for number in range(7, 13):
            store.append("friday", [turn(number, "Ana" if number % 2 else "Bo")])
        assert thawed_by(store, "friday") == {store.mechanic.version}
        agree(store, "friday")
        agree(store, "saturday")
        assert [None, None] == [found.fault for found in verify_store(store)]
    with Games(games) as store:
        agree(store, "friday")


def test_list(games):
    with Games(games) as store:
        library = Library(store)
        library.catch_up()
        found = {row.game: (row.events, row.changes, row.verdict) for row in library.rows()}
        for game in CODES:
            loaded = store.load(game)
            audited = Auditor().record(Source(BEFORE / "rules-2" / "friday.jsonl")) if game == "friday" else None
            changes = sum(
                isinstance(each, Changed)
                for one in loaded if loaded.stands(one.number) for each in one.consequences
            )  # fmt: skip
            assert found[game] == (len(loaded), changes, "unverified")
            assert audited is None or audited.verdict == found[game][2]
        before = library.rows()
        library.rebuild()
        assert library.rows() == before


def test_served(games):
    with Games(games) as store:
        ask = asking(Shelf(store, []))
        rows = ask.document("/v1/games")["games"]
        assert {row["id"]: row["events"] for row in rows} == {game: store.last(game) for game in CODES}
        for row in rows:
            assert row["verdict"] == ask.document(f"/v1/games/{row['id']}/audit")["verdict"]
            assert row["events"] == ask.document(f"/v1/games/{row['id']}/state")["event"]


@pytest.mark.parametrize("wheel", WHEELS)
def test_proofs(wheel, tmp_path):
    file = BEFORE / wheel / "friday.jsonl"
    proof = Path(f"{file}.proof").read_bytes()
    found = verify_record(Source(file), proof=read_proof(BytesIO(proof)), mechanic=played())
    assert (found.fault, found.code) == (None, CODES["friday"])
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(file.read_bytes().replace(b"Bo", b"Cy", 1))
    assert verify_record(Source(forged), proof=read_proof(BytesIO(proof)), mechanic=played()).fault is not None
    shutil.copy(BEFORE / wheel / "games.db", tmp_path / "games.db")
    with Games.open(tmp_path / "games.db") as store:
        assert (
            verify_record(Source(file), proof=read_proof(BytesIO(prove(store, "friday"))), mechanic=played()) == found
        )
        # It is already stored.
        assert store.import_record(Source(file)).number == 16


@pytest.mark.parametrize("wheel", WHEELS)
def test_archives(wheel, games):
    data = (BEFORE / wheel / "games.archive").read_bytes()
    stream, heard = BytesIO(), []
    with Games(games) as store, Games.open("memory:") as other:
        write_archive(store, stream)
        assert read_archive(other, BytesIO(data), tell=heard.append) == (2, 19)
        again = BytesIO()
        write_archive(other, again)
        assert (again.getvalue(), heard) == (data, [])
        assert codes(other) == codes(store) == CODES
        # The two stores differ only in their keys, and in what wheels took the digest of a command of.
        assert unsigned(stream.getvalue()) == unsigned(data)
        agree(other, "friday")


def unsigned(archive):
    lines = [json.loads(line) | {"request": None} for line in archive.splitlines()]
    return [line for line in lines if line["type"] != "head"][:-1]


@pytest.mark.parametrize("mechanic, stops", [(WITHOUT, None), (WITHOUT_2, 4), (FIRST, None), (SECOND, None)],
                         ids=["first", "second", "checked", "second-checked"])  # fmt: skip
def test_desk(desk, mechanic, stops):
    """If the second release's step refuses a stored event, the record ends before it; its `check` is not asked."""
    with Store(desk, mechanic=mechanic) as store:
        agree(store, "main")
        found = {one.game: one for one in verify_store(store)}
        assert [None, None] == [one.fault for one in found.values()]
        assert DESKS == {game: one.code for game, one in found.items()}
        busy = store.load("busy")
        stop = found["busy"].stop
        if stops is None:
            assert (len(busy), stop, busy.stops) == (4, None, None)
            agree(store, "busy")
        else:
            assert stop is not None
            assert (len(busy), stop.event, stop.rules, busy.stops.event) == (3, stops, "", stops)
        assert "exact" == store.load("main").audited().verdict
        view = counting(store)
        assert [("busy", len(busy)), ("main", 2)] == [(row["game"], row["value"] + (row["game"] == "busy"))
                                                       for row in view.rows()]  # fmt: skip
        data = (BEFORE / "desk" / "desk.archive").read_bytes()
        with Store.open("memory:", mechanic=mechanic) as other:
            assert read_archive(other, BytesIO(data)) == (2, 12)
            assert [(one.game, one.code, one.fault, one.stop) for one in verify_store(other)] == [
                (one.game, one.code, one.fault, one.stop) for one in found.values()
            ]
    file = BEFORE / "desk" / "main.jsonl"
    proof = read_proof(BytesIO(Path(f"{file}.proof").read_bytes()))
    assert verify_record(Source(file), proof=proof, mechanic=mechanic).code == DESKS["main"]


@pytest.mark.parametrize("mechanic", [WITHOUT, WITHOUT_2, FIRST, SECOND],
                         ids=["first", "second", "checked", "second-checked"])  # fmt: skip
def test_desk_goes_on(desk, mechanic, capsys):
    heard = []
    with Store(desk, mechanic=mechanic) as store:
        counting(store)
        store.recorder.tell = heard.append
        # The wheel acknowledged this command; it is sent once more.
        first = [{"type": "opened", "desk": "main"}, lent("Emma"), claimed("Emma"), lent("Ulysses")]
        assert store.append("main", first, command="first").repeated
        assert [] == heard
        assert store.append("main", [lent("Carmen", "Cy")]).last == 9
        assert [f"{desk.shown}: guarded from now on: code that would read its events otherwise is refused"] == heard
        assert store.load("main").events[8].rules == (None if mechanic.check is None else mechanic.version)
        agree(store, "main")
        assert [3, 3] == [row["value"] for row in counting(store).rows() if row["game"] == "main"] * 2
        assert [None, None] == [found.fault for found in verify_store(store)]
    if desk.kind == "sqlite":
        assert 0 == run(["list", "--db", desk.path], commands(mechanic), "desk")
        assert "busy  4 events\nmain  9 events\n" == capsys.readouterr().out
        assert 0 == run(["audit", "db:main", "--db", desk.path], commands(mechanic), "desk")
